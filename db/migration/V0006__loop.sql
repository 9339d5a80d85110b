-- What the loop needs to go on from any step on any instance: which call of a reply a step answers,
-- what a step still waits for, what models took, what people say to a run meanwhile, and which part
-- of its parent's budget a spawned run may use.

alter table run_steps
  add call text,
  add awaits text,
  drop constraint run_steps_kind,
  add constraint run_steps_kind check (kind in ('model', 'tool', 'notice', 'message')),
  add constraint run_steps_call check (call is null or kind = 'tool'),
  add constraint run_steps_awaits check (awaits is null or (awaits in ('answer', 'run') and kind = 'tool'));

create index run_steps_awaiting on run_steps (run_id) where status = 'started' and awaits is not null;

alter table runs
  add model_calls integer not null default 0,
  add input_tokens bigint not null default 0,
  add cached_input_tokens bigint not null default 0,
  add output_tokens bigint not null default 0,
  add cost_micros bigint not null default 0,
  add waiting_since timestamptz,
  add waited_seconds double precision not null default 0,
  add parent_call text,
  add token_share bigint,
  add compute_share integer,
  add tokens_given bigint not null default 0,
  add compute_given integer not null default 0,
  add constraint runs_parent_call check (parent_call is null or parent_run_id is not null);

-- However often a call to spawn is made again, there is one run of it.
create unique index runs_by_parent_call on runs (parent_run_id, parent_call) where parent_call is not null;
create index runs_spawned on runs (parent_run_id) where parent_call is not null and ended_at is null;

create table messages (
  id         uuid primary key,
  run_id     uuid not null references runs (id),
  author_id  uuid not null references actors (id),
  text       text not null,
  created_at timestamptz not null default clock_timestamp(),
  step       integer,
  constraint messages_text check (length(text) between 1 and 200000)
);

create index messages_by_run on messages (run_id, created_at);
create index messages_unread on messages (run_id) where step is null;
create index messages_by_author on messages (author_id);

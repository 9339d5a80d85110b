-- The first vertical slice: who acts, which agents there are, what ran, and the one workspace each run may have.
-- Rules that must hold whatever code does (one workspace per run, legal state steps, append-only audit) are constraints and triggers here.

create function refuse() returns trigger language plpgsql as $$
begin
  raise exception '% on % is not allowed', tg_op, tg_table_name using errcode = 'restrict_violation';
end $$;

-- One row: tells what this installation made at a vendor from what another one made in the same account.
create table installation (
  only_row   boolean     primary key default true check (only_row),
  id         text        not null check (id ~ '^[a-z0-9]{10}$'),
  created_at timestamptz not null default now()
);

-- Running servers. A lease that ended means that whatever the instance owned is up for takeover.
create table instances (
  id          uuid        primary key,
  host        text        not null,
  started_at  timestamptz not null default now(),
  lease_until timestamptz not null
);
create index instances_by_lease on instances (lease_until);

create table actors (
  id         uuid        primary key,
  kind       text        not null constraint actors_kind check (kind in ('user', 'token', 'system')),
  name       text        not null,
  created_at timestamptz not null default now()
);

insert into actors (id, kind, name) values ('00000000-0000-0000-0000-000000000001', 'system', 'mesh');

create table users (
  id            uuid        primary key,
  actor_id      uuid        not null unique references actors,
  name          text        not null,
  password_hash text        not null,
  role          text        not null constraint users_role check (role in ('admin', 'operator', 'viewer')),
  created_at    timestamptz not null default now(),
  disabled_at   timestamptz
);
create unique index users_by_name on users (lower(name));

-- The one-time set-up link. Completed once, for ever.
create table setup (
  only_row     boolean     primary key default true check (only_row),
  token_hash   bytea,
  expires_at   timestamptz,
  completed_at timestamptz,
  constraint setup_open_or_done check ((completed_at is null) = (token_hash is not null))
);

create table api_tokens (
  id           uuid        primary key,
  actor_id     uuid        not null unique references actors,
  name         text        not null,
  token_hash   bytea       not null unique,
  role         text        not null constraint api_tokens_role check (role in ('admin', 'operator', 'viewer')),
  created_by   uuid        references actors,
  created_at   timestamptz not null default now(),
  expires_at   timestamptz,
  last_used_at timestamptz,
  revoked_at   timestamptz
);
create index api_tokens_by_creator on api_tokens (created_by);

create table runtime_agents (
  id                        uuid        primary key,
  slug                      text        not null constraint runtime_agents_slug check (slug ~ '^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$'),
  name                      text        not null,
  runtime_backend           text,
  model                     json        not null default '{}',
  max_concurrent_workspaces int         not null default 5 check (max_concurrent_workspaces between 1 and 10000),
  max_compute_seconds       int         not null default 3600 check (max_compute_seconds between 1 and 31536000),
  created_at                timestamptz not null default now(),
  updated_at                timestamptz not null default now(),
  deleted_at                timestamptz
);
create unique index runtime_agents_by_slug on runtime_agents (slug) where deleted_at is null;

create table runs (
  id                  uuid        primary key,
  agent_id            uuid        not null references runtime_agents,
  status              text        not null constraint runs_status check (status in
                        ('queued', 'running', 'awaiting_input', 'completed', 'failed', 'cancelled', 'superseded', 'budget_exhausted')),
  status_reason       text,
  mode                text        not null constraint runs_mode check (mode in ('harness', 'external')),
  input               text        not null,
  summary             text,
  conversation_id     uuid,
  parent_run_id       uuid        references runs,
  continues_run_id    uuid        references runs,
  created_by_actor_id uuid        not null references actors,
  on_behalf_of        text,
  created_at          timestamptz not null default now(),
  started_at          timestamptz,
  ended_at            timestamptz,
  lease_owner         uuid,
  lease_until         timestamptz,
  fence               bigint      not null default 0,
  last_step           int         not null default 0,
  -- identity is structural: a workspace cannot name a run of another agent
  unique (id, agent_id),
  constraint runs_ended check ((status in ('completed', 'failed', 'cancelled', 'superseded', 'budget_exhausted')) = (ended_at is not null)),
  constraint runs_reason check (ended_at is null or status_reason is not null)
);
create index runs_newest on runs (created_at desc, id desc);
create index runs_by_agent on runs (agent_id, created_at desc, id desc);
create index runs_by_status on runs (status, created_at desc, id desc);
create index runs_by_parent on runs (parent_run_id) where parent_run_id is not null;
create index runs_by_continued on runs (continues_run_id) where continues_run_id is not null;
create index runs_by_creator on runs (created_by_actor_id);
create index runs_to_drive on runs (created_at) where mode = 'harness' and status in ('queued', 'running');

create function runs_step() returns trigger language plpgsql as $$
begin
  if (new.id, new.agent_id, new.mode, new.created_by_actor_id) is distinct from (old.id, old.agent_id, old.mode, old.created_by_actor_id) then
    raise exception 'a run''s identity is fixed' using errcode = 'restrict_violation';
  end if;
  if old.ended_at is not null and new.status <> old.status then
    raise exception 'run % has ended as % and cannot become %', old.id, old.status, new.status using errcode = 'restrict_violation';
  end if;
  if new.fence < old.fence then
    raise exception 'fence went back' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger runs_step before update on runs for each row execute function runs_step();
create trigger runs_kept before delete on runs for each row execute function refuse();

-- input and output are json, not jsonb: a program may print NUL, which jsonb cannot hold.
create table run_steps (
  run_id        uuid        not null references runs,
  seq           int         not null check (seq > 0),
  kind          text        not null constraint run_steps_kind check (kind in ('model', 'tool', 'notice')),
  tool          text,
  replayability text        constraint run_steps_replayability check (replayability in ('pure', 'idempotent', 'effectful')),
  status        text        not null constraint run_steps_status check (status in ('started', 'finished', 'failed', 'unknown')),
  input         json,
  output        json,
  started_at    timestamptz not null default now(),
  finished_at   timestamptz,
  primary key (run_id, seq),
  constraint run_steps_finished check ((status = 'started') = (finished_at is null)),
  constraint run_steps_tool check ((kind = 'tool') = (tool is not null and replayability is not null))
);

create table run_tokens (
  token_hash bytea       primary key,
  run_id     uuid        not null unique references runs,
  created_at timestamptz not null default now()
);

-- Mesh's row and rules; the vendor's machine is called a sandbox.
create table workspaces (
  id                  uuid        primary key,
  run_id              uuid        not null unique,
  agent_id            uuid        not null,
  created_by_actor_id uuid        not null references actors,
  state               text        not null default 'pending' constraint workspaces_state check (state in
                        ('pending', 'creating', 'ready', 'held', 'releasing', 'released', 'lost', 'stranded')),
  backend_kind        text,
  generation          int         not null default 1 check (generation > 0),
  create_key          text        unique,
  external_ref        text,
  size                text        constraint workspaces_size check (size in ('small', 'standard', 'large', 'xlarge')),
  egress              json,
  fence               bigint      not null default 0,
  owner_instance      uuid,
  created_at          timestamptz not null default now(),
  creating_at         timestamptz,
  acquired_at         timestamptz,
  last_used_at        timestamptz,
  releasing_at        timestamptz,
  released_at         timestamptz,
  release_reason      text,
  release_attempts    int         not null default 0,
  release_next_at     timestamptz,
  release_error       text,
  compute_seconds     double precision not null default 0 check (compute_seconds >= 0),
  foreign key (run_id, agent_id) references runs (id, agent_id),
  constraint workspaces_named check (state = 'pending' or (released_at is not null and create_key is null)
    or (backend_kind is not null and create_key is not null and size is not null)),
  constraint workspaces_ready check (state not in ('ready', 'held') or external_ref is not null),
  constraint workspaces_released check ((state = 'released') = (released_at is not null)),
  constraint workspaces_reason check (state not in ('releasing', 'released', 'lost', 'stranded') or release_reason is not null)
);
create index workspaces_live on workspaces (agent_id) where state in ('creating', 'ready', 'releasing');
create index workspaces_to_release on workspaces (release_next_at) where state = 'releasing';
create index workspaces_unfinished on workspaces (state, created_at desc, id desc) where state not in ('pending', 'released');
create index workspaces_newest on workspaces (created_at desc, id desc);
create index workspaces_by_creator on workspaces (created_by_actor_id);

-- The only place that knows the legal steps.
create table workspace_transitions (
  from_state text not null,
  to_state   text not null,
  primary key (from_state, to_state)
);
insert into workspace_transitions values
  ('pending', 'creating'), ('pending', 'released'),
  ('creating', 'ready'), ('creating', 'pending'), ('creating', 'releasing'), ('creating', 'lost'),
  ('ready', 'held'), ('ready', 'releasing'), ('ready', 'lost'),
  ('held', 'ready'), ('held', 'releasing'), ('held', 'lost'),
  ('releasing', 'released'), ('releasing', 'stranded'),
  ('lost', 'creating'), ('lost', 'releasing'), ('lost', 'released'),
  ('stranded', 'releasing'), ('stranded', 'released');
create trigger workspace_transitions_fixed before insert or update or delete on workspace_transitions for each row execute function refuse();
create trigger workspace_transitions_kept before truncate on workspace_transitions for each statement execute function refuse();

create function workspaces_step() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    if new.state <> 'pending' then
      raise exception 'a workspace starts pending, not %', new.state using errcode = 'restrict_violation';
    end if;
    return new;
  end if;
  if (new.id, new.run_id, new.agent_id, new.created_by_actor_id) is distinct from (old.id, old.run_id, old.agent_id, old.created_by_actor_id) then
    raise exception 'a workspace''s identity is fixed' using errcode = 'restrict_violation';
  end if;
  if old.state not in ('pending', 'lost') and new.state <> 'pending'
     and (new.backend_kind, new.create_key) is distinct from (old.backend_kind, old.create_key) then
    raise exception 'workspace % has a sandbox: its backend and key are fixed', old.id using errcode = 'restrict_violation';
  end if;
  if new.fence < old.fence or new.generation < old.generation then
    raise exception 'fence or generation went back' using errcode = 'restrict_violation';
  end if;
  if old.state <> new.state and not exists (
       select from workspace_transitions where from_state = old.state and to_state = new.state) then
    raise exception 'workspace % cannot go from % to %', old.id, old.state, new.state using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger workspaces_step before insert or update on workspaces for each row execute function workspaces_step();
create trigger workspaces_kept before delete on workspaces for each row execute function refuse();
create trigger workspaces_not_truncated before truncate on workspaces for each statement execute function refuse();

-- Output too long for a step, whole, already redacted.
create table artifacts (
  id           uuid        primary key,
  run_id       uuid        not null references runs,
  created_at   timestamptz not null default now(),
  stdout_bytes bigint      not null default 0,
  stderr_bytes bigint      not null default 0,
  complete     boolean     not null default false
);
create index artifacts_by_run on artifacts (run_id);

create table artifact_chunks (
  artifact_id uuid   not null references artifacts on delete cascade,
  channel     text   not null constraint artifact_chunks_channel check (channel in ('stdout', 'stderr')),
  start_at    bigint not null check (start_at >= 0),
  length      int    not null check (length > 0),
  content     bytea  not null,
  primary key (artifact_id, channel, start_at)
);
alter table artifact_chunks alter column content set storage external;

create table execution_backends (
  name       text        primary key,
  enabled    boolean     not null default false,
  config     json        not null default '{}',
  -- sealed values by field key; see mesh.secret
  secrets    json        not null default '{}',
  revision   bigint      not null default 1,
  updated_at timestamptz not null default now(),
  updated_by uuid        references actors
);
create index execution_backends_by_editor on execution_backends (updated_by);

create table settings (
  name       text        primary key,
  value      json        not null,
  revision   bigint      not null default 1,
  updated_at timestamptz not null default now(),
  updated_by uuid        references actors
);
create index settings_by_editor on settings (updated_by);

-- Append-only, written in the transaction of the change it tells of.
create table activity (
  id         bigint      generated always as identity primary key,
  at         timestamptz not null default clock_timestamp(),
  actor_id   uuid        not null references actors,
  action     text        not null check (action ~ '^[a-z_]+(\.[a-z_]+)+$'),
  agent_id   uuid        references runtime_agents,
  run_id     uuid        references runs,
  connection text,
  before     json,
  after      json
);
create index activity_by_agent on activity (agent_id, id desc) where agent_id is not null;
create index activity_by_run on activity (run_id, id desc) where run_id is not null;
create index activity_by_actor on activity (actor_id, id desc);
create index activity_by_action on activity (action, id desc);
create trigger activity_append_only before update or delete on activity for each row execute function refuse();
create trigger activity_not_truncated before truncate on activity for each statement execute function refuse();

-- Sessions of the dashboard; the shape is spring-session's.
create table spring_session (
  primary_id            char(36) not null primary key,
  session_id            char(36) not null,
  creation_time         bigint   not null,
  last_access_time      bigint   not null,
  max_inactive_interval int      not null,
  expiry_time           bigint   not null,
  principal_name        varchar(100)
);
create unique index spring_session_by_id on spring_session (session_id);
create index spring_session_by_expiry on spring_session (expiry_time);
create index spring_session_by_principal on spring_session (principal_name);

create table spring_session_attributes (
  session_primary_id char(36)     not null references spring_session (primary_id) on delete cascade,
  attribute_name     varchar(200) not null,
  attribute_bytes    bytea        not null,
  primary key (session_primary_id, attribute_name)
);

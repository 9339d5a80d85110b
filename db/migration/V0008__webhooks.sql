-- Outbound webhooks: who is told of what, and each telling as a row that is written in the
-- transaction of what it tells of, so that neither a crash nor an outage can lose it.

create table webhooks (
  id                    uuid        primary key,
  name                  text        not null constraint webhooks_name check (char_length(name) between 1 and 80),
  url                   text        not null,
  allow_private         boolean     not null,
  events                text[]      not null constraint webhooks_events check (
                          cardinality(events) > 0
                          and events <@ array['run.created', 'run.notice', 'run.awaiting_input', 'run.ended']),
  agents                uuid[]      constraint webhooks_agents check (cardinality(agents) > 0),
  state                 text        not null default 'active'
    constraint webhooks_state check (state in ('active', 'disabled', 'paused', 'gone')),
  state_reason          text,
  -- sealed; see mesh.secret
  secret                text,
  secret_set_at         timestamptz not null,
  previous_secret       text,
  previous_secret_until timestamptz,
  failing_since         timestamptz,
  resting_until         timestamptz,
  created_at            timestamptz not null,
  created_by            uuid        not null references actors,
  deleted_at            timestamptz,
  constraint webhooks_secret check ((secret is null) = (deleted_at is not null)),
  constraint webhooks_previous_secret check ((previous_secret is null) = (previous_secret_until is null))
);
create unique index webhooks_by_name on webhooks (name) where deleted_at is null;
create index webhooks_by_creator on webhooks (created_by);

comment on column webhooks.agents is 'whose runs it is told of; null for all';
comment on column webhooks.state is 'disabled by a person, paused after failing for days, gone when the receiver said so';
comment on column webhooks.failing_since is 'the first failure after the last delivery; null while it works';
comment on column webhooks.resting_until is 'the receiver asked to be left alone until then';
comment on column webhooks.deleted_at is
  'rows stay for a while: deleting one would keep the runs waiting that are about to tell it something';

create table webhook_deliveries (
  id              uuid        primary key,
  position        bigint      generated always as identity,
  webhook_id      uuid        not null references webhooks,
  run_id          uuid        not null references runs,
  event           text        not null,
  -- json and not jsonb: the receiver checks a signature over these very bytes
  payload         json        not null,
  status          text        not null default 'pending'
    constraint webhook_deliveries_status check (status in ('pending', 'failed', 'delivered', 'given_up')),
  created_at      timestamptz not null,
  attempts        int         not null default 0,
  next_attempt_at timestamptz,
  claimed_by      uuid,
  claimed_until   timestamptz,
  fence           bigint      not null default 0,
  last_attempt_at timestamptz,
  last_status     int,
  last_error      text,
  delivered_at    timestamptz,
  constraint webhook_deliveries_open check ((status in ('pending', 'failed')) = (next_attempt_at is not null)),
  constraint webhook_deliveries_delivered check ((status = 'delivered') = (delivered_at is not null))
);
create index webhook_deliveries_due on webhook_deliveries (webhook_id, next_attempt_at) where status in ('pending', 'failed');
create index webhook_deliveries_in_order on webhook_deliveries (webhook_id, run_id, position) where status in ('pending', 'failed');
create index webhook_deliveries_newest on webhook_deliveries (webhook_id, created_at desc, id desc);
create index webhook_deliveries_by_run on webhook_deliveries (run_id);
create index webhook_deliveries_by_age on webhook_deliveries (created_at);

comment on column webhook_deliveries.position is 'in which order things happened to one run';
comment on column webhook_deliveries.status is 'failed: will be tried again; given_up: will not';

-- What an agent may act as, what each run was issued, what touched which sandbox, and how a change of mind ends it.
-- Authority is a comparison, never a flag: a sandbox may act while the revisions it was issued are the current ones.
-- Lock order: run, agent, permission rows by provider, workspace, teardown, audit.

-- One row per agent and provider, made with the agent and never deleted, so that there is always something to lock.
create table workspace_credential_permissions (
  agent_id   uuid        not null references runtime_agents,
  provider   text        not null constraint workspace_credential_permissions_provider check (provider in ('github', 'gitlab')),
  enabled    boolean     not null default true,
  revision   bigint      not null default 1 check (revision > 0),
  source     text        not null default 'automatic' constraint workspace_credential_permissions_source
               check (source in ('automatic', 'explicit', 'legacy_migration')),
  updated_at timestamptz not null default clock_timestamp(),
  updated_by uuid        references actors,
  primary key (agent_id, provider)
);
create index workspace_credential_permissions_by_editor on workspace_credential_permissions (updated_by);

-- The revision starts at 1 and each update, also one that changes nothing else, takes it one further.
create function permission_step() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    new.revision := 1;
    return new;
  end if;
  if (new.agent_id, new.provider) is distinct from (old.agent_id, old.provider) then
    raise exception 'a permission''s agent and provider are fixed' using errcode = 'restrict_violation';
  end if;
  if new.revision not in (old.revision, old.revision + 1) then
    raise exception 'a revision steps by one, not from % to %', old.revision, new.revision using errcode = 'restrict_violation';
  end if;
  new.revision := old.revision + 1;
  new.updated_at := clock_timestamp();
  return new;
end $$;
create trigger permission_step before insert or update on workspace_credential_permissions for each row execute function permission_step();
create trigger permission_kept before delete on workspace_credential_permissions for each row execute function refuse();
create trigger permission_not_truncated before truncate on workspace_credential_permissions for each statement execute function refuse();

-- What each run was issued. Metadata, and for ever.
create table workspace_credential_issuances (
  run_id              uuid        not null,
  provider            text        not null,
  agent_id            uuid        not null,
  credential_kind     text        not null,
  permission_revision bigint      not null check (permission_revision > 0),
  -- whether the run could be given a credential: there was one, it was permitted, and the runtime could take it
  available           boolean     not null,
  issued_at           timestamptz not null default clock_timestamp(),
  primary key (run_id, provider),
  foreign key (run_id, agent_id) references runs (id, agent_id),
  foreign key (agent_id, provider) references workspace_credential_permissions
);
create index workspace_credential_issuances_by_permission on workspace_credential_issuances (agent_id, provider);
create trigger issuance_immutable before update or delete on workspace_credential_issuances for each row execute function refuse();
create trigger issuance_not_truncated before truncate on workspace_credential_issuances for each statement execute function refuse();

-- Every authority that may have touched this sandbox's disk: the run's own, and what a continued sandbox or a snapshot brought.
alter table workspaces add unique (id, agent_id);
create table workspace_taints (
  workspace_id        uuid   not null,
  agent_id            uuid   not null,
  provider            text   not null,
  permission_revision bigint not null check (permission_revision > 0),
  primary key (workspace_id, provider, permission_revision),
  foreign key (workspace_id, agent_id) references workspaces (id, agent_id),
  foreign key (agent_id, provider) references workspace_credential_permissions
);
create index workspace_taints_by_permission on workspace_taints (agent_id, provider);
create trigger taint_immutable before update or delete on workspace_taints for each row execute function refuse();
create trigger taint_not_truncated before truncate on workspace_taints for each statement execute function refuse();

-- Each agent's own credential for a provider, sealed; see mesh.secret.
create table agent_secrets (
  agent_id      uuid        not null,
  provider      text        not null,
  token         text        not null,
  account_login text        not null,
  account_name  text,
  account_email text,
  set_at        timestamptz not null default clock_timestamp(),
  set_by        uuid        not null references actors,
  primary key (agent_id, provider),
  foreign key (agent_id, provider) references workspace_credential_permissions
);
create index agent_secrets_by_editor on agent_secrets (set_by);

-- A credential that is written or deleted is another authority.
create function secret_changed() returns trigger language plpgsql as $$
begin
  update workspace_credential_permissions
     set updated_by = coalesce(new.set_by, updated_by)
   where agent_id = coalesce(new.agent_id, old.agent_id) and provider = coalesce(new.provider, old.provider);
  return null;
end $$;
create trigger secret_changed after insert or update or delete on agent_secrets for each row execute function secret_changed();
create trigger secret_not_truncated before truncate on agent_secrets for each statement execute function refuse();

-- What people handed an agent for its own work. Not an acting identity: no revision, no issuance.
create table agent_vault_entries (
  agent_id uuid        not null references runtime_agents,
  name     text        not null constraint agent_vault_entries_name check (name ~ '^[A-Za-z0-9_][A-Za-z0-9_.-]{0,63}$'),
  value    text        not null,
  short    boolean     not null default false,
  set_at   timestamptz not null default clock_timestamp(),
  set_by   uuid        not null references actors,
  primary key (agent_id, name)
);
create index agent_vault_entries_by_editor on agent_vault_entries (set_by);

-- Permissions come with the agent, and what it acted as goes with it.
create function agent_permissions() returns trigger language plpgsql as $$
begin
  insert into workspace_credential_permissions (agent_id, provider) values (new.id, 'github'), (new.id, 'gitlab')
      on conflict do nothing;
  return null;
end $$;
create trigger agent_permissions after insert on runtime_agents for each row execute function agent_permissions();

create function agent_forgotten() returns trigger language plpgsql as $$
begin
  -- permissions first, as whatever else changes a secret
  perform from workspace_credential_permissions where agent_id = new.id order by provider for no key update;
  delete from agent_secrets where agent_id = new.id;
  delete from agent_vault_entries where agent_id = new.id;
  return null;
end $$;
create trigger agent_forgotten after update of deleted_at on runtime_agents
  for each row when (old.deleted_at is null and new.deleted_at is not null) execute function agent_forgotten();

insert into workspace_credential_permissions (agent_id, provider)
select id, provider from runtime_agents cross join (values ('github'), ('gitlab')) of(provider);

-- The queue of sandboxes that must go. One row per workspace; it never drops one.
create table workspace_teardowns (
  workspace_id    uuid        primary key references workspaces,
  backend_kind    text,
  reason          text        not null,
  requested_at    timestamptz not null default clock_timestamp(),
  next_attempt_at timestamptz not null default clock_timestamp(),
  attempts        int         not null default 0,
  claimed_by      uuid,
  claimed_until   timestamptz,
  fence           bigint      not null default 0,
  last_error      text,
  done_at         timestamptz
);
create index workspace_teardowns_due on workspace_teardowns (backend_kind, next_attempt_at) where done_at is null;

insert into workspace_teardowns (workspace_id, backend_kind, reason, requested_at, attempts, last_error)
select id, backend_kind, release_reason, coalesce(releasing_at, clock_timestamp()), release_attempts, release_error
  from workspaces where state = 'releasing';

drop index workspaces_to_release;
alter table workspaces drop column release_attempts, drop column release_next_at, drop column release_error;

-- A workspace that is to be released is queued by the same statement, whoever says so.
create function workspace_queued() returns trigger language plpgsql as $$
begin
  insert into workspace_teardowns as t (workspace_id, backend_kind, reason)
  values (new.id, new.backend_kind, new.release_reason)
      on conflict (workspace_id) do update
     set backend_kind = excluded.backend_kind, reason = excluded.reason, requested_at = clock_timestamp(),
         next_attempt_at = clock_timestamp(), attempts = 0, claimed_by = null, claimed_until = null,
         fence = t.fence + 1, last_error = null, done_at = null;
  return null;
end $$;
create trigger workspace_queued after update of state on workspaces
  for each row when (old.state <> 'releasing' and new.state = 'releasing') execute function workspace_queued();

-- A changed permission takes every sandbox that an older one touched, in the same transaction.
-- Held and inherited ones too: nobody needs to reach for them first.
create index workspaces_authorized on workspaces (agent_id) where state in ('creating', 'ready', 'held', 'lost');
create function permission_changed() returns trigger language plpgsql as $$
declare
  outdated uuid[];
begin
  -- locked in one order, so that two changes of one agent do not meet crosswise
  select array_agg(id) into outdated
    from (select w.id
            from workspaces w
           where w.agent_id = new.agent_id and w.state in ('creating', 'ready', 'held', 'lost')
             and exists (select from workspace_taints t
                          where t.workspace_id = w.id and t.provider = new.provider and t.permission_revision < new.revision)
           order by w.id
             for no key update of w) of_agent;
  update workspaces
     set state = 'releasing', releasing_at = clock_timestamp(), release_reason = 'authorization_changed'
   where id = any(outdated) and state in ('creating', 'ready', 'held', 'lost');
  perform pg_notify('mesh_authorization', new.agent_id::text);
  return null;
end $$;
create trigger permission_changed after update on workspace_credential_permissions for each row execute function permission_changed();

-- What a run could see is asked by run and action.
create index activity_vault_reads on activity (run_id, id) where action = 'vault.read';

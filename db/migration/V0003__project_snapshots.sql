-- What vendors keep of sandboxes' files. A file may hold a copy of any credential that its sandbox ever saw, so no snapshot may
-- outlive an authority: whoever begins a capture locks the permissions first, and a change of one retires the agent's snapshots.
-- Lock order: run, agent, permission rows by provider, workspace, snapshot, teardown, audit.

create table project_snapshots (
  id             uuid        primary key,
  agent_id       uuid        not null,
  workspace_id   uuid        not null,
  backend_kind   text        not null,
  state          text        not null default 'capturing' constraint project_snapshots_state check (state in
                   ('capturing', 'available', 'retired', 'reclaimed')),
  -- what the vendor calls it; also of one that was retired before its capture ended, so that it can be reclaimed
  external_ref   text,
  -- where the project came from, if it is a repository's working tree
  repository     text,
  commit         text,
  size_bytes     bigint      check (size_bytes >= 0),
  created_at     timestamptz not null default clock_timestamp(),
  retired_at     timestamptz,
  retired_reason text,
  unique (id, agent_id),
  foreign key (workspace_id, agent_id) references workspaces (id, agent_id),
  constraint project_snapshots_available check (state <> 'available' or external_ref is not null),
  constraint project_snapshots_retired check ((state in ('retired', 'reclaimed')) = (retired_at is not null)
    and (retired_at is null) = (retired_reason is null)),
  constraint project_snapshots_commit check (commit is null or repository is not null)
);
create index project_snapshots_by_workspace on project_snapshots (workspace_id);
create index project_snapshots_of_agent on project_snapshots (agent_id) where state in ('capturing', 'available');
create index project_snapshots_to_reclaim on project_snapshots (backend_kind, retired_at) where state = 'retired';

create function snapshot_step() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    if new.state <> 'capturing' then
      raise exception 'a snapshot starts capturing, not %', new.state using errcode = 'restrict_violation';
    end if;
    return new;
  end if;
  if (new.id, new.agent_id, new.workspace_id, new.backend_kind, new.created_at)
     is distinct from (old.id, old.agent_id, old.workspace_id, old.backend_kind, old.created_at) then
    raise exception 'a snapshot''s identity is fixed' using errcode = 'restrict_violation';
  end if;
  if old.external_ref is not null and new.external_ref is distinct from old.external_ref then
    raise exception 'snapshot % is at the vendor: its name there is fixed', old.id using errcode = 'restrict_violation';
  end if;
  if old.retired_at is not null and (new.retired_at, new.retired_reason) is distinct from (old.retired_at, old.retired_reason) then
    raise exception 'snapshot % was retired already', old.id using errcode = 'restrict_violation';
  end if;
  if old.state <> new.state and (old.state, new.state) not in
       (('capturing', 'available'), ('capturing', 'retired'), ('available', 'retired'), ('retired', 'reclaimed')) then
    raise exception 'snapshot % cannot go from % to %', old.id, old.state, new.state using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger snapshot_step before insert or update on project_snapshots for each row execute function snapshot_step();
create trigger snapshot_kept before delete on project_snapshots for each row execute function refuse();
create trigger snapshot_not_truncated before truncate on project_snapshots for each statement execute function refuse();

-- Every authority that may be in its files: what had touched the sandbox. A sandbox that is restored from it gets these too.
create table project_snapshot_taints (
  snapshot_id         uuid   not null,
  agent_id            uuid   not null,
  provider            text   not null,
  permission_revision bigint not null check (permission_revision > 0),
  primary key (snapshot_id, provider, permission_revision),
  foreign key (snapshot_id, agent_id) references project_snapshots (id, agent_id),
  foreign key (agent_id, provider) references workspace_credential_permissions
);
create index project_snapshot_taints_by_permission on project_snapshot_taints (agent_id, provider);
create trigger snapshot_taint_immutable before update or delete on project_snapshot_taints for each row execute function refuse();
create trigger snapshot_taint_not_truncated before truncate on project_snapshot_taints for each statement execute function refuse();

-- As in V0002, and the agent's snapshots: all of them, since who knows what a program copied where.
create or replace function permission_changed() returns trigger language plpgsql as $$
declare
  outdated uuid[];
  kept uuid[];
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
  -- A statement after the one that changed the permission, and so younger than every capture that began before.
  select array_agg(id) into kept
    from (select id
            from project_snapshots
           where agent_id = new.agent_id and state in ('capturing', 'available')
           order by id
             for no key update) of_agent;
  update project_snapshots
     set state = 'retired', retired_at = clock_timestamp(), retired_reason = 'authorization_changed'
   where id = any(kept) and state in ('capturing', 'available');
  perform pg_notify('mesh_authorization', new.agent_id::text);
  return null;
end $$;

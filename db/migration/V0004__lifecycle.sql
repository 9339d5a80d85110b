-- Workspaces that sleep and wake, are replaced, and pass from a run to the one that continues it;
-- what they cost; and what the sweeps saw.

alter table workspace_transitions disable trigger workspace_transitions_fixed;
insert into workspace_transitions values
  -- the vendor confirmed: asleep, or gone while the run lives on and may have another
  ('releasing', 'held'), ('releasing', 'lost'),
  -- being woken
  ('held', 'creating'),
  -- its sandbox passed to the workspace of the run that continues
  ('held', 'released');
alter table workspace_transitions enable trigger workspace_transitions_fixed;

alter table workspaces
  add column afterwards     text        not null default 'released'
    constraint workspaces_afterwards check (afterwards in ('released', 'held', 'lost')),
  add column ready_at       timestamptz,
  add column running_since  timestamptz,
  add column sandbox_seconds double precision not null default 0 check (sandbox_seconds >= 0),
  add column reported_seconds double precision check (reported_seconds >= 0),
  add column next_size      text
    constraint workspaces_next_size check (next_size in ('small', 'standard', 'large', 'xlarge')),
  add column held_at        timestamptz,
  add column held_until     timestamptz,
  add column manifest       json,
  add column inherited_from uuid references workspaces,
  add column resume         json;

comment on column workspaces.afterwards is 'what it becomes when the vendor has confirmed the release';
comment on column workspaces.compute_seconds is 'how long its run could use it, without the present spell';
comment on column workspaces.ready_at is 'when the present spell of use began; null outside of one';
comment on column workspaces.sandbox_seconds is
  'how long the vendor may have counted: from create requests to confirmed ends, without the present spell';
comment on column workspaces.running_since is 'when the present spell at the vendor began; null outside of one';
comment on column workspaces.reported_seconds is 'the same as the backend reports it; null if it reports nothing';
comment on column workspaces.manifest is 'what lay in it when it fell asleep, to compare with when it wakes';
comment on column workspaces.resume is 'what the run was told when it took over or rebuilt what an earlier run had left';

update workspaces
   set running_since = case when state in ('creating', 'ready', 'releasing', 'stranded') then creating_at end,
       ready_at = case when state = 'ready' then acquired_at end,
       sandbox_seconds = compute_seconds;

alter table workspaces
  add constraint workspaces_held check ((state = 'held') = (held_at is not null));

create index workspaces_held on workspaces (held_until) where state = 'held';
create index workspaces_inherited on workspaces (inherited_from) where inherited_from is not null;
create index workspaces_stranded on workspaces (backend_kind) where state = 'stranded';
create index runs_by_conversation on runs (conversation_id, created_at desc, id desc) where conversation_id is not null;

create or replace function workspaces_step() returns trigger language plpgsql as $$
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
  -- a sandbox that passed to another workspace is not this one's any more
  if old.state not in ('pending', 'lost') and new.state <> 'pending'
     and not (old.state = 'held' and new.state = 'released' and new.create_key is null)
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
  if old.state = new.state then
    return new;
  end if;
  -- Counted here, so that no way from one state to another can forget it.
  if new.state = 'ready' then
    new.ready_at := clock_timestamp();
  elsif old.state = 'ready' then
    new.compute_seconds := old.compute_seconds
      + greatest(0, coalesce(extract(epoch from clock_timestamp() - old.ready_at), 0));
    new.ready_at := null;
  end if;
  if new.state = 'creating' then
    new.running_since := coalesce(old.running_since, clock_timestamp());
  elsif new.state = 'pending' then
    new.running_since := null;
  elsif new.state in ('held', 'lost', 'released') then
    new.sandbox_seconds := old.sandbox_seconds
      + greatest(0, coalesce(extract(epoch from clock_timestamp() - old.running_since), 0));
    new.running_since := null;
  end if;
  if new.state = 'held' then
    new.held_at := clock_timestamp();
  else
    new.held_at := null;
    new.held_until := null;
  end if;
  return new;
end $$;

create or replace function permission_changed() returns trigger language plpgsql as $$
declare
  outdated uuid[];
  kept uuid[];
begin
  -- locked in one order, so that two changes of one agent do not meet crosswise
  select array_agg(id) into outdated
    from (select w.id
            from workspaces w
           where w.agent_id = new.agent_id
             and (w.state in ('creating', 'ready', 'held', 'lost')
                  or w.state = 'releasing' and w.afterwards <> 'released')
             and exists (select from workspace_taints t
                          where t.workspace_id = w.id and t.provider = new.provider and t.permission_revision < new.revision)
           order by w.id
             for no key update of w) of_agent;
  update workspaces
     set state = 'releasing', releasing_at = clock_timestamp(), release_reason = 'authorization_changed',
         afterwards = 'released'
   where id = any(outdated) and state in ('creating', 'ready', 'held', 'lost');
  -- on its way to sleep or to a replacement: neither may come of it
  update workspaces
     set release_reason = 'authorization_changed', afterwards = 'released'
   where id = any(outdated) and state = 'releasing' and afterwards <> 'released';
  update workspace_teardowns
     set reason = 'authorization_changed'
   where workspace_id = any(outdated) and done_at is null;
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

-- What the last comparison with each backend's own list said.
create table inventory_sweeps (
  backend_kind text        primary key,
  started_at   timestamptz not null,
  ended_at     timestamptz,
  ours         int,
  unknown      int,
  destroyed    int,
  missing      int,
  others       int,
  unmarked     int,
  error        text,
  destroyed_ever bigint    not null default 0
);
comment on column inventory_sweeps.unknown is 'made by this installation and in no row: destroyed after a grace';
comment on column inventory_sweeps.missing is 'in a row as ready or held and not in the list; the vendor then confirmed that it is gone';
comment on column inventory_sweeps.others is 'of other installations of Mesh: counted and left';
comment on column inventory_sweeps.unmarked is 'made by hand or by other software: counted and left';

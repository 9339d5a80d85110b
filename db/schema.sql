-- What all migrations together make, for reading; never executed. SchemaSnapshotTest keeps it true:
--   ./mvnw test -Dtest=SchemaSnapshotTest -Dtest.jvm=-Dmesh.write-schema=true

CREATE OR REPLACE FUNCTION public.agent_forgotten()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  -- permissions first, as whatever else changes a secret
  perform from workspace_credential_permissions where agent_id = new.id order by provider for no key update;
  delete from agent_secrets where agent_id = new.id;
  delete from agent_vault_entries where agent_id = new.id;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.agent_permissions()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into workspace_credential_permissions (agent_id, provider) values (new.id, 'github'), (new.id, 'gitlab')
      on conflict do nothing;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.permission_changed()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION public.permission_step()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION public.refuse()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception '% on % is not allowed', tg_op, tg_table_name using errcode = 'restrict_violation';
end $function$;

CREATE OR REPLACE FUNCTION public.runs_step()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION public.secret_changed()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update workspace_credential_permissions
     set updated_by = coalesce(new.set_by, updated_by)
   where agent_id = coalesce(new.agent_id, old.agent_id) and provider = coalesce(new.provider, old.provider);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.snapshot_step()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION public.workspace_queued()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into workspace_teardowns as t (workspace_id, backend_kind, reason)
  values (new.id, new.backend_kind, new.release_reason)
      on conflict (workspace_id) do update
     set backend_kind = excluded.backend_kind, reason = excluded.reason, requested_at = clock_timestamp(),
         next_attempt_at = clock_timestamp(), attempts = 0, claimed_by = null, claimed_until = null,
         fence = t.fence + 1, last_error = null, done_at = null;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.workspaces_step()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
end $function$;

create table activity (
  id bigint generated always as identity not null,
  at timestamp with time zone default clock_timestamp() not null,
  actor_id uuid not null,
  action text not null,
  agent_id uuid,
  run_id uuid,
  connection text,
  before json,
  after json,
  constraint activity_pkey PRIMARY KEY (id),
  constraint activity_actor_id_fkey FOREIGN KEY (actor_id) REFERENCES actors(id),
  constraint activity_agent_id_fkey FOREIGN KEY (agent_id) REFERENCES runtime_agents(id),
  constraint activity_run_id_fkey FOREIGN KEY (run_id) REFERENCES runs(id),
  constraint activity_action_check CHECK ((action ~ '^[a-z_]+(\.[a-z_]+)+$'::text))
);
CREATE INDEX activity_by_action ON public.activity USING btree (action, id DESC);
CREATE INDEX activity_by_actor ON public.activity USING btree (actor_id, id DESC);
CREATE INDEX activity_by_agent ON public.activity USING btree (agent_id, id DESC) WHERE (agent_id IS NOT NULL);
CREATE INDEX activity_by_run ON public.activity USING btree (run_id, id DESC) WHERE (run_id IS NOT NULL);
CREATE INDEX activity_vault_reads ON public.activity USING btree (run_id, id) WHERE (action = 'vault.read'::text);
CREATE TRIGGER activity_append_only BEFORE DELETE OR UPDATE ON public.activity FOR EACH ROW EXECUTE FUNCTION refuse();
CREATE TRIGGER activity_not_truncated BEFORE TRUNCATE ON public.activity FOR EACH STATEMENT EXECUTE FUNCTION refuse();

create table actors (
  id uuid not null,
  kind text not null,
  name text not null,
  created_at timestamp with time zone default now() not null,
  constraint actors_pkey PRIMARY KEY (id),
  constraint actors_kind CHECK ((kind = ANY (ARRAY['user'::text, 'token'::text, 'system'::text])))
);

create table agent_secrets (
  agent_id uuid not null,
  provider text not null,
  token text not null,
  account_login text not null,
  account_name text,
  account_email text,
  set_at timestamp with time zone default clock_timestamp() not null,
  set_by uuid not null,
  constraint agent_secrets_pkey PRIMARY KEY (agent_id, provider),
  constraint agent_secrets_agent_id_provider_fkey FOREIGN KEY (agent_id, provider) REFERENCES workspace_credential_permissions(agent_id, provider),
  constraint agent_secrets_set_by_fkey FOREIGN KEY (set_by) REFERENCES actors(id)
);
CREATE INDEX agent_secrets_by_editor ON public.agent_secrets USING btree (set_by);
CREATE TRIGGER secret_changed AFTER INSERT OR DELETE OR UPDATE ON public.agent_secrets FOR EACH ROW EXECUTE FUNCTION secret_changed();
CREATE TRIGGER secret_not_truncated BEFORE TRUNCATE ON public.agent_secrets FOR EACH STATEMENT EXECUTE FUNCTION refuse();

create table agent_vault_entries (
  agent_id uuid not null,
  name text not null,
  value text not null,
  short boolean default false not null,
  set_at timestamp with time zone default clock_timestamp() not null,
  set_by uuid not null,
  constraint agent_vault_entries_pkey PRIMARY KEY (agent_id, name),
  constraint agent_vault_entries_agent_id_fkey FOREIGN KEY (agent_id) REFERENCES runtime_agents(id),
  constraint agent_vault_entries_set_by_fkey FOREIGN KEY (set_by) REFERENCES actors(id),
  constraint agent_vault_entries_name CHECK ((name ~ '^[A-Za-z0-9_][A-Za-z0-9_.-]{0,63}$'::text))
);
CREATE INDEX agent_vault_entries_by_editor ON public.agent_vault_entries USING btree (set_by);

create table api_tokens (
  id uuid not null,
  actor_id uuid not null,
  name text not null,
  token_hash bytea not null,
  role text not null,
  created_by uuid,
  created_at timestamp with time zone default now() not null,
  expires_at timestamp with time zone,
  last_used_at timestamp with time zone,
  revoked_at timestamp with time zone,
  constraint api_tokens_pkey PRIMARY KEY (id),
  constraint api_tokens_actor_id_key UNIQUE (actor_id),
  constraint api_tokens_token_hash_key UNIQUE (token_hash),
  constraint api_tokens_actor_id_fkey FOREIGN KEY (actor_id) REFERENCES actors(id),
  constraint api_tokens_created_by_fkey FOREIGN KEY (created_by) REFERENCES actors(id),
  constraint api_tokens_role CHECK ((role = ANY (ARRAY['admin'::text, 'operator'::text, 'viewer'::text])))
);
CREATE INDEX api_tokens_by_creator ON public.api_tokens USING btree (created_by);

create table artifact_chunks (
  artifact_id uuid not null,
  channel text not null,
  start_at bigint not null,
  length integer not null,
  content bytea not null storage e,
  constraint artifact_chunks_pkey PRIMARY KEY (artifact_id, channel, start_at),
  constraint artifact_chunks_artifact_id_fkey FOREIGN KEY (artifact_id) REFERENCES artifacts(id) ON DELETE CASCADE,
  constraint artifact_chunks_channel CHECK ((channel = ANY (ARRAY['stdout'::text, 'stderr'::text]))),
  constraint artifact_chunks_length_check CHECK ((length > 0)),
  constraint artifact_chunks_start_at_check CHECK ((start_at >= 0))
);

create table artifacts (
  id uuid not null,
  run_id uuid not null,
  created_at timestamp with time zone default now() not null,
  stdout_bytes bigint default 0 not null,
  stderr_bytes bigint default 0 not null,
  complete boolean default false not null,
  removed_at timestamp with time zone,
  constraint artifacts_pkey PRIMARY KEY (id),
  constraint artifacts_run_id_fkey FOREIGN KEY (run_id) REFERENCES runs(id)
);
CREATE INDEX artifacts_by_run ON public.artifacts USING btree (run_id);
CREATE INDEX artifacts_kept ON public.artifacts USING btree (created_at) WHERE (removed_at IS NULL);

create table execution_backends (
  name text not null,
  enabled boolean default false not null,
  config json default '{}'::json not null,
  secrets json default '{}'::json not null,
  revision bigint default 1 not null,
  updated_at timestamp with time zone default now() not null,
  updated_by uuid,
  constraint execution_backends_pkey PRIMARY KEY (name),
  constraint execution_backends_updated_by_fkey FOREIGN KEY (updated_by) REFERENCES actors(id)
);
CREATE INDEX execution_backends_by_editor ON public.execution_backends USING btree (updated_by);

create table installation (
  only_row boolean default true not null,
  id text not null,
  created_at timestamp with time zone default now() not null,
  constraint installation_pkey PRIMARY KEY (only_row),
  constraint installation_id_check CHECK ((id ~ '^[a-z0-9]{10}$'::text)),
  constraint installation_only_row_check CHECK (only_row)
);

create table instances (
  id uuid not null,
  host text not null,
  started_at timestamp with time zone default now() not null,
  lease_until timestamp with time zone not null,
  constraint instances_pkey PRIMARY KEY (id)
);
CREATE INDEX instances_by_lease ON public.instances USING btree (lease_until);

create table inventory_sweeps (
  backend_kind text not null,
  started_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  ours integer,
  unknown integer,
  destroyed integer,
  missing integer,
  others integer,
  unmarked integer,
  error text,
  destroyed_ever bigint default 0 not null,
  constraint inventory_sweeps_pkey PRIMARY KEY (backend_kind)
);

create table messages (
  id uuid not null,
  run_id uuid not null,
  author_id uuid not null,
  text text not null,
  created_at timestamp with time zone default clock_timestamp() not null,
  step integer,
  constraint messages_pkey PRIMARY KEY (id),
  constraint messages_author_id_fkey FOREIGN KEY (author_id) REFERENCES actors(id),
  constraint messages_run_id_fkey FOREIGN KEY (run_id) REFERENCES runs(id),
  constraint messages_text CHECK (((length(text) >= 1) AND (length(text) <= 200000)))
);
CREATE INDEX messages_by_author ON public.messages USING btree (author_id);
CREATE INDEX messages_by_run ON public.messages USING btree (run_id, created_at);
CREATE INDEX messages_unread ON public.messages USING btree (run_id) WHERE (step IS NULL);

create table model_connections (
  name text not null,
  wire text not null,
  base_url text not null,
  key text,
  key_set_at timestamp with time zone,
  key_set_by uuid,
  allow_private boolean default false not null,
  prices json default '[]'::json not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  updated_by uuid not null,
  constraint model_connections_pkey PRIMARY KEY (name),
  constraint model_connections_key_set_by_fkey FOREIGN KEY (key_set_by) REFERENCES actors(id),
  constraint model_connections_updated_by_fkey FOREIGN KEY (updated_by) REFERENCES actors(id),
  constraint model_connections_key CHECK ((((key IS NULL) = (key_set_at IS NULL)) AND ((key IS NULL) = (key_set_by IS NULL)))),
  constraint model_connections_name CHECK ((name ~ '^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$'::text)),
  constraint model_connections_wire CHECK ((wire = ANY (ARRAY['anthropic'::text, 'openai'::text])))
);
CREATE INDEX model_connections_by_editor ON public.model_connections USING btree (updated_by);
CREATE INDEX model_connections_by_key_editor ON public.model_connections USING btree (key_set_by);

create table project_snapshot_taints (
  snapshot_id uuid not null,
  agent_id uuid not null,
  provider text not null,
  permission_revision bigint not null,
  constraint project_snapshot_taints_pkey PRIMARY KEY (snapshot_id, provider, permission_revision),
  constraint project_snapshot_taints_agent_id_provider_fkey FOREIGN KEY (agent_id, provider) REFERENCES workspace_credential_permissions(agent_id, provider),
  constraint project_snapshot_taints_snapshot_id_agent_id_fkey FOREIGN KEY (snapshot_id, agent_id) REFERENCES project_snapshots(id, agent_id),
  constraint project_snapshot_taints_permission_revision_check CHECK ((permission_revision > 0))
);
CREATE INDEX project_snapshot_taints_by_permission ON public.project_snapshot_taints USING btree (agent_id, provider);
CREATE TRIGGER snapshot_taint_immutable BEFORE DELETE OR UPDATE ON public.project_snapshot_taints FOR EACH ROW EXECUTE FUNCTION refuse();
CREATE TRIGGER snapshot_taint_not_truncated BEFORE TRUNCATE ON public.project_snapshot_taints FOR EACH STATEMENT EXECUTE FUNCTION refuse();

create table project_snapshots (
  id uuid not null,
  agent_id uuid not null,
  workspace_id uuid not null,
  backend_kind text not null,
  state text default 'capturing'::text not null,
  external_ref text,
  repository text,
  commit text,
  size_bytes bigint,
  created_at timestamp with time zone default clock_timestamp() not null,
  retired_at timestamp with time zone,
  retired_reason text,
  constraint project_snapshots_pkey PRIMARY KEY (id),
  constraint project_snapshots_id_agent_id_key UNIQUE (id, agent_id),
  constraint project_snapshots_workspace_id_agent_id_fkey FOREIGN KEY (workspace_id, agent_id) REFERENCES workspaces(id, agent_id),
  constraint project_snapshots_available CHECK (((state <> 'available'::text) OR (external_ref IS NOT NULL))),
  constraint project_snapshots_commit CHECK (((commit IS NULL) OR (repository IS NOT NULL))),
  constraint project_snapshots_retired CHECK ((((state = ANY (ARRAY['retired'::text, 'reclaimed'::text])) = (retired_at IS NOT NULL)) AND ((retired_at IS NULL) = (retired_reason IS NULL)))),
  constraint project_snapshots_size_bytes_check CHECK ((size_bytes >= 0)),
  constraint project_snapshots_state CHECK ((state = ANY (ARRAY['capturing'::text, 'available'::text, 'retired'::text, 'reclaimed'::text])))
);
CREATE INDEX project_snapshots_by_workspace ON public.project_snapshots USING btree (workspace_id);
CREATE INDEX project_snapshots_of_agent ON public.project_snapshots USING btree (agent_id) WHERE (state = ANY (ARRAY['capturing'::text, 'available'::text]));
CREATE INDEX project_snapshots_to_reclaim ON public.project_snapshots USING btree (backend_kind, retired_at) WHERE (state = 'retired'::text);
CREATE TRIGGER snapshot_kept BEFORE DELETE ON public.project_snapshots FOR EACH ROW EXECUTE FUNCTION refuse();
CREATE TRIGGER snapshot_not_truncated BEFORE TRUNCATE ON public.project_snapshots FOR EACH STATEMENT EXECUTE FUNCTION refuse();
CREATE TRIGGER snapshot_step BEFORE INSERT OR UPDATE ON public.project_snapshots FOR EACH ROW EXECUTE FUNCTION snapshot_step();

create table run_steps (
  run_id uuid not null,
  seq integer not null,
  kind text not null,
  tool text,
  replayability text,
  status text not null,
  input json,
  output json,
  started_at timestamp with time zone default now() not null,
  finished_at timestamp with time zone,
  call text,
  awaits text,
  constraint run_steps_pkey PRIMARY KEY (run_id, seq),
  constraint run_steps_run_id_fkey FOREIGN KEY (run_id) REFERENCES runs(id),
  constraint run_steps_awaits CHECK (((awaits IS NULL) OR ((awaits = ANY (ARRAY['answer'::text, 'run'::text])) AND (kind = 'tool'::text)))),
  constraint run_steps_call CHECK (((call IS NULL) OR (kind = 'tool'::text))),
  constraint run_steps_finished CHECK (((status = 'started'::text) = (finished_at IS NULL))),
  constraint run_steps_kind CHECK ((kind = ANY (ARRAY['model'::text, 'tool'::text, 'notice'::text, 'message'::text]))),
  constraint run_steps_replayability CHECK ((replayability = ANY (ARRAY['pure'::text, 'idempotent'::text, 'effectful'::text]))),
  constraint run_steps_seq_check CHECK ((seq > 0)),
  constraint run_steps_status CHECK ((status = ANY (ARRAY['started'::text, 'finished'::text, 'failed'::text, 'unknown'::text]))),
  constraint run_steps_tool CHECK (((kind = 'tool'::text) = ((tool IS NOT NULL) AND (replayability IS NOT NULL))))
);
CREATE INDEX run_steps_awaiting ON public.run_steps USING btree (run_id) WHERE ((status = 'started'::text) AND (awaits IS NOT NULL));

create table run_tokens (
  token_hash bytea not null,
  run_id uuid not null,
  created_at timestamp with time zone default now() not null,
  constraint run_tokens_pkey PRIMARY KEY (token_hash),
  constraint run_tokens_run_id_key UNIQUE (run_id),
  constraint run_tokens_run_id_fkey FOREIGN KEY (run_id) REFERENCES runs(id)
);

create table runs (
  id uuid not null,
  agent_id uuid not null,
  status text not null,
  status_reason text,
  mode text not null,
  input text not null,
  summary text,
  conversation_id uuid,
  parent_run_id uuid,
  continues_run_id uuid,
  created_by_actor_id uuid not null,
  on_behalf_of text,
  created_at timestamp with time zone default now() not null,
  started_at timestamp with time zone,
  ended_at timestamp with time zone,
  lease_owner uuid,
  lease_until timestamp with time zone,
  fence bigint default 0 not null,
  last_step integer default 0 not null,
  model_calls integer default 0 not null,
  input_tokens bigint default 0 not null,
  cached_input_tokens bigint default 0 not null,
  output_tokens bigint default 0 not null,
  cost_micros bigint default 0 not null,
  waiting_since timestamp with time zone,
  waited_seconds double precision default 0 not null,
  parent_call text,
  token_share bigint,
  compute_share integer,
  tokens_given bigint default 0 not null,
  compute_given integer default 0 not null,
  traceparent text,
  constraint runs_pkey PRIMARY KEY (id),
  constraint runs_id_agent_id_key UNIQUE (id, agent_id),
  constraint runs_agent_id_fkey FOREIGN KEY (agent_id) REFERENCES runtime_agents(id),
  constraint runs_continues_run_id_fkey FOREIGN KEY (continues_run_id) REFERENCES runs(id),
  constraint runs_created_by_actor_id_fkey FOREIGN KEY (created_by_actor_id) REFERENCES actors(id),
  constraint runs_parent_run_id_fkey FOREIGN KEY (parent_run_id) REFERENCES runs(id),
  constraint runs_ended CHECK (((status = ANY (ARRAY['completed'::text, 'failed'::text, 'cancelled'::text, 'superseded'::text, 'budget_exhausted'::text])) = (ended_at IS NOT NULL))),
  constraint runs_mode CHECK ((mode = ANY (ARRAY['harness'::text, 'external'::text]))),
  constraint runs_parent_call CHECK (((parent_call IS NULL) OR (parent_run_id IS NOT NULL))),
  constraint runs_reason CHECK (((ended_at IS NULL) OR (status_reason IS NOT NULL))),
  constraint runs_status CHECK ((status = ANY (ARRAY['queued'::text, 'running'::text, 'awaiting_input'::text, 'completed'::text, 'failed'::text, 'cancelled'::text, 'superseded'::text, 'budget_exhausted'::text]))),
  constraint runs_traceparent CHECK ((traceparent ~ '^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$'::text))
);
CREATE INDEX runs_by_agent ON public.runs USING btree (agent_id, created_at DESC, id DESC);
CREATE INDEX runs_by_continued ON public.runs USING btree (continues_run_id) WHERE (continues_run_id IS NOT NULL);
CREATE INDEX runs_by_conversation ON public.runs USING btree (conversation_id, created_at DESC, id DESC) WHERE (conversation_id IS NOT NULL);
CREATE INDEX runs_by_creator ON public.runs USING btree (created_by_actor_id);
CREATE INDEX runs_by_parent ON public.runs USING btree (parent_run_id) WHERE (parent_run_id IS NOT NULL);
CREATE UNIQUE INDEX runs_by_parent_call ON public.runs USING btree (parent_run_id, parent_call) WHERE (parent_call IS NOT NULL);
CREATE INDEX runs_by_status ON public.runs USING btree (status, created_at DESC, id DESC);
CREATE INDEX runs_newest ON public.runs USING btree (created_at DESC, id DESC);
CREATE INDEX runs_spawned ON public.runs USING btree (parent_run_id) WHERE ((parent_call IS NOT NULL) AND (ended_at IS NULL));
CREATE INDEX runs_to_drive ON public.runs USING btree (created_at) WHERE ((mode = 'harness'::text) AND (status = ANY (ARRAY['queued'::text, 'running'::text])));
CREATE TRIGGER runs_kept BEFORE DELETE ON public.runs FOR EACH ROW EXECUTE FUNCTION refuse();
CREATE TRIGGER runs_step BEFORE UPDATE ON public.runs FOR EACH ROW EXECUTE FUNCTION runs_step();

create table runtime_agents (
  id uuid not null,
  slug text not null,
  name text not null,
  runtime_backend text,
  model json default '{}'::json not null,
  max_concurrent_workspaces integer default 5 not null,
  max_compute_seconds integer default 3600 not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  deleted_at timestamp with time zone,
  model_connection text,
  constraint runtime_agents_pkey PRIMARY KEY (id),
  constraint runtime_agents_model_connection_fkey FOREIGN KEY (model_connection) REFERENCES model_connections(name),
  constraint runtime_agents_max_compute_seconds_check CHECK (((max_compute_seconds >= 1) AND (max_compute_seconds <= 31536000))),
  constraint runtime_agents_max_concurrent_workspaces_check CHECK (((max_concurrent_workspaces >= 1) AND (max_concurrent_workspaces <= 10000))),
  constraint runtime_agents_slug CHECK ((slug ~ '^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$'::text))
);
CREATE INDEX runtime_agents_by_model_connection ON public.runtime_agents USING btree (model_connection) WHERE (model_connection IS NOT NULL);
CREATE UNIQUE INDEX runtime_agents_by_slug ON public.runtime_agents USING btree (slug) WHERE (deleted_at IS NULL);
CREATE TRIGGER agent_forgotten AFTER UPDATE OF deleted_at ON public.runtime_agents FOR EACH ROW WHEN (((old.deleted_at IS NULL) AND (new.deleted_at IS NOT NULL))) EXECUTE FUNCTION agent_forgotten();
CREATE TRIGGER agent_permissions AFTER INSERT ON public.runtime_agents FOR EACH ROW EXECUTE FUNCTION agent_permissions();

create table settings (
  name text not null,
  value json not null,
  revision bigint default 1 not null,
  updated_at timestamp with time zone default now() not null,
  updated_by uuid,
  constraint settings_pkey PRIMARY KEY (name),
  constraint settings_updated_by_fkey FOREIGN KEY (updated_by) REFERENCES actors(id)
);
CREATE INDEX settings_by_editor ON public.settings USING btree (updated_by);

create table setup (
  only_row boolean default true not null,
  token_hash bytea,
  expires_at timestamp with time zone,
  completed_at timestamp with time zone,
  constraint setup_pkey PRIMARY KEY (only_row),
  constraint setup_only_row_check CHECK (only_row),
  constraint setup_open_or_done CHECK (((completed_at IS NULL) = (token_hash IS NOT NULL)))
);

create table spring_session (
  primary_id character(36) not null,
  session_id character(36) not null,
  creation_time bigint not null,
  last_access_time bigint not null,
  max_inactive_interval integer not null,
  expiry_time bigint not null,
  principal_name character varying(100),
  constraint spring_session_pkey PRIMARY KEY (primary_id)
);
CREATE INDEX spring_session_by_expiry ON public.spring_session USING btree (expiry_time);
CREATE UNIQUE INDEX spring_session_by_id ON public.spring_session USING btree (session_id);
CREATE INDEX spring_session_by_principal ON public.spring_session USING btree (principal_name);

create table spring_session_attributes (
  session_primary_id character(36) not null,
  attribute_name character varying(200) not null,
  attribute_bytes bytea not null,
  constraint spring_session_attributes_pkey PRIMARY KEY (session_primary_id, attribute_name),
  constraint spring_session_attributes_session_primary_id_fkey FOREIGN KEY (session_primary_id) REFERENCES spring_session(primary_id) ON DELETE CASCADE
);

create table users (
  id uuid not null,
  actor_id uuid not null,
  name text not null,
  password_hash text not null,
  role text not null,
  created_at timestamp with time zone default now() not null,
  disabled_at timestamp with time zone,
  constraint users_pkey PRIMARY KEY (id),
  constraint users_actor_id_key UNIQUE (actor_id),
  constraint users_actor_id_fkey FOREIGN KEY (actor_id) REFERENCES actors(id),
  constraint users_role CHECK ((role = ANY (ARRAY['admin'::text, 'operator'::text, 'viewer'::text])))
);
CREATE UNIQUE INDEX users_by_name ON public.users USING btree (lower(name));

create table webhook_deliveries (
  id uuid not null,
  position bigint generated always as identity not null,
  webhook_id uuid not null,
  run_id uuid not null,
  event text not null,
  payload json not null,
  status text default 'pending'::text not null,
  created_at timestamp with time zone not null,
  attempts integer default 0 not null,
  next_attempt_at timestamp with time zone,
  claimed_by uuid,
  claimed_until timestamp with time zone,
  fence bigint default 0 not null,
  last_attempt_at timestamp with time zone,
  last_status integer,
  last_error text,
  delivered_at timestamp with time zone,
  constraint webhook_deliveries_pkey PRIMARY KEY (id),
  constraint webhook_deliveries_run_id_fkey FOREIGN KEY (run_id) REFERENCES runs(id),
  constraint webhook_deliveries_webhook_id_fkey FOREIGN KEY (webhook_id) REFERENCES webhooks(id),
  constraint webhook_deliveries_delivered CHECK (((status = 'delivered'::text) = (delivered_at IS NOT NULL))),
  constraint webhook_deliveries_open CHECK (((status = ANY (ARRAY['pending'::text, 'failed'::text])) = (next_attempt_at IS NOT NULL))),
  constraint webhook_deliveries_status CHECK ((status = ANY (ARRAY['pending'::text, 'failed'::text, 'delivered'::text, 'given_up'::text])))
);
CREATE INDEX webhook_deliveries_by_age ON public.webhook_deliveries USING btree (created_at);
CREATE INDEX webhook_deliveries_by_run ON public.webhook_deliveries USING btree (run_id);
CREATE INDEX webhook_deliveries_due ON public.webhook_deliveries USING btree (webhook_id, next_attempt_at) WHERE (status = ANY (ARRAY['pending'::text, 'failed'::text]));
CREATE INDEX webhook_deliveries_in_order ON public.webhook_deliveries USING btree (webhook_id, run_id, "position") WHERE (status = ANY (ARRAY['pending'::text, 'failed'::text]));
CREATE INDEX webhook_deliveries_newest ON public.webhook_deliveries USING btree (webhook_id, created_at DESC, id DESC);

create table webhooks (
  id uuid not null,
  name text not null,
  url text not null,
  allow_private boolean not null,
  events text[] not null,
  agents uuid[],
  state text default 'active'::text not null,
  state_reason text,
  secret text,
  secret_set_at timestamp with time zone not null,
  previous_secret text,
  previous_secret_until timestamp with time zone,
  failing_since timestamp with time zone,
  resting_until timestamp with time zone,
  created_at timestamp with time zone not null,
  created_by uuid not null,
  deleted_at timestamp with time zone,
  constraint webhooks_pkey PRIMARY KEY (id),
  constraint webhooks_created_by_fkey FOREIGN KEY (created_by) REFERENCES actors(id),
  constraint webhooks_agents CHECK ((cardinality(agents) > 0)),
  constraint webhooks_events CHECK (((cardinality(events) > 0) AND (events <@ ARRAY['run.created'::text, 'run.notice'::text, 'run.awaiting_input'::text, 'run.ended'::text]))),
  constraint webhooks_name CHECK (((char_length(name) >= 1) AND (char_length(name) <= 80))),
  constraint webhooks_previous_secret CHECK (((previous_secret IS NULL) = (previous_secret_until IS NULL))),
  constraint webhooks_secret CHECK (((secret IS NULL) = (deleted_at IS NOT NULL))),
  constraint webhooks_state CHECK ((state = ANY (ARRAY['active'::text, 'disabled'::text, 'paused'::text, 'gone'::text])))
);
CREATE INDEX webhooks_by_creator ON public.webhooks USING btree (created_by);
CREATE UNIQUE INDEX webhooks_by_name ON public.webhooks USING btree (name) WHERE (deleted_at IS NULL);

create table workspace_credential_issuances (
  run_id uuid not null,
  provider text not null,
  agent_id uuid not null,
  credential_kind text not null,
  permission_revision bigint not null,
  available boolean not null,
  issued_at timestamp with time zone default clock_timestamp() not null,
  constraint workspace_credential_issuances_pkey PRIMARY KEY (run_id, provider),
  constraint workspace_credential_issuances_agent_id_provider_fkey FOREIGN KEY (agent_id, provider) REFERENCES workspace_credential_permissions(agent_id, provider),
  constraint workspace_credential_issuances_run_id_agent_id_fkey FOREIGN KEY (run_id, agent_id) REFERENCES runs(id, agent_id),
  constraint workspace_credential_issuances_permission_revision_check CHECK ((permission_revision > 0))
);
CREATE INDEX workspace_credential_issuances_by_permission ON public.workspace_credential_issuances USING btree (agent_id, provider);
CREATE TRIGGER issuance_immutable BEFORE DELETE OR UPDATE ON public.workspace_credential_issuances FOR EACH ROW EXECUTE FUNCTION refuse();
CREATE TRIGGER issuance_not_truncated BEFORE TRUNCATE ON public.workspace_credential_issuances FOR EACH STATEMENT EXECUTE FUNCTION refuse();

create table workspace_credential_permissions (
  agent_id uuid not null,
  provider text not null,
  enabled boolean default true not null,
  revision bigint default 1 not null,
  source text default 'automatic'::text not null,
  updated_at timestamp with time zone default clock_timestamp() not null,
  updated_by uuid,
  constraint workspace_credential_permissions_pkey PRIMARY KEY (agent_id, provider),
  constraint workspace_credential_permissions_agent_id_fkey FOREIGN KEY (agent_id) REFERENCES runtime_agents(id),
  constraint workspace_credential_permissions_updated_by_fkey FOREIGN KEY (updated_by) REFERENCES actors(id),
  constraint workspace_credential_permissions_provider CHECK ((provider = ANY (ARRAY['github'::text, 'gitlab'::text]))),
  constraint workspace_credential_permissions_revision_check CHECK ((revision > 0)),
  constraint workspace_credential_permissions_source CHECK ((source = ANY (ARRAY['automatic'::text, 'explicit'::text, 'legacy_migration'::text])))
);
CREATE INDEX workspace_credential_permissions_by_editor ON public.workspace_credential_permissions USING btree (updated_by);
CREATE TRIGGER permission_changed AFTER UPDATE ON public.workspace_credential_permissions FOR EACH ROW EXECUTE FUNCTION permission_changed();
CREATE TRIGGER permission_kept BEFORE DELETE ON public.workspace_credential_permissions FOR EACH ROW EXECUTE FUNCTION refuse();
CREATE TRIGGER permission_not_truncated BEFORE TRUNCATE ON public.workspace_credential_permissions FOR EACH STATEMENT EXECUTE FUNCTION refuse();
CREATE TRIGGER permission_step BEFORE INSERT OR UPDATE ON public.workspace_credential_permissions FOR EACH ROW EXECUTE FUNCTION permission_step();

create table workspace_taints (
  workspace_id uuid not null,
  agent_id uuid not null,
  provider text not null,
  permission_revision bigint not null,
  constraint workspace_taints_pkey PRIMARY KEY (workspace_id, provider, permission_revision),
  constraint workspace_taints_agent_id_provider_fkey FOREIGN KEY (agent_id, provider) REFERENCES workspace_credential_permissions(agent_id, provider),
  constraint workspace_taints_workspace_id_agent_id_fkey FOREIGN KEY (workspace_id, agent_id) REFERENCES workspaces(id, agent_id),
  constraint workspace_taints_permission_revision_check CHECK ((permission_revision > 0))
);
CREATE INDEX workspace_taints_by_permission ON public.workspace_taints USING btree (agent_id, provider);
CREATE TRIGGER taint_immutable BEFORE DELETE OR UPDATE ON public.workspace_taints FOR EACH ROW EXECUTE FUNCTION refuse();
CREATE TRIGGER taint_not_truncated BEFORE TRUNCATE ON public.workspace_taints FOR EACH STATEMENT EXECUTE FUNCTION refuse();

create table workspace_teardowns (
  workspace_id uuid not null,
  backend_kind text,
  reason text not null,
  requested_at timestamp with time zone default clock_timestamp() not null,
  next_attempt_at timestamp with time zone default clock_timestamp() not null,
  attempts integer default 0 not null,
  claimed_by uuid,
  claimed_until timestamp with time zone,
  fence bigint default 0 not null,
  last_error text,
  done_at timestamp with time zone,
  constraint workspace_teardowns_pkey PRIMARY KEY (workspace_id),
  constraint workspace_teardowns_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id)
);
CREATE INDEX workspace_teardowns_due ON public.workspace_teardowns USING btree (backend_kind, next_attempt_at) WHERE (done_at IS NULL);

create table workspace_transitions (
  from_state text not null,
  to_state text not null,
  constraint workspace_transitions_pkey PRIMARY KEY (from_state, to_state)
);
CREATE TRIGGER workspace_transitions_fixed BEFORE INSERT OR DELETE OR UPDATE ON public.workspace_transitions FOR EACH ROW EXECUTE FUNCTION refuse();
CREATE TRIGGER workspace_transitions_kept BEFORE TRUNCATE ON public.workspace_transitions FOR EACH STATEMENT EXECUTE FUNCTION refuse();

create table workspaces (
  id uuid not null,
  run_id uuid not null,
  agent_id uuid not null,
  created_by_actor_id uuid not null,
  state text default 'pending'::text not null,
  backend_kind text,
  generation integer default 1 not null,
  create_key text,
  external_ref text,
  size text,
  egress json,
  fence bigint default 0 not null,
  owner_instance uuid,
  created_at timestamp with time zone default now() not null,
  creating_at timestamp with time zone,
  acquired_at timestamp with time zone,
  last_used_at timestamp with time zone,
  releasing_at timestamp with time zone,
  released_at timestamp with time zone,
  release_reason text,
  compute_seconds double precision default 0 not null,
  afterwards text default 'released'::text not null,
  ready_at timestamp with time zone,
  running_since timestamp with time zone,
  sandbox_seconds double precision default 0 not null,
  reported_seconds double precision,
  next_size text,
  held_at timestamp with time zone,
  held_until timestamp with time zone,
  manifest json,
  inherited_from uuid,
  resume json,
  constraint workspaces_pkey PRIMARY KEY (id),
  constraint workspaces_create_key_key UNIQUE (create_key),
  constraint workspaces_id_agent_id_key UNIQUE (id, agent_id),
  constraint workspaces_run_id_key UNIQUE (run_id),
  constraint workspaces_created_by_actor_id_fkey FOREIGN KEY (created_by_actor_id) REFERENCES actors(id),
  constraint workspaces_inherited_from_fkey FOREIGN KEY (inherited_from) REFERENCES workspaces(id),
  constraint workspaces_run_id_agent_id_fkey FOREIGN KEY (run_id, agent_id) REFERENCES runs(id, agent_id),
  constraint workspaces_afterwards CHECK ((afterwards = ANY (ARRAY['released'::text, 'held'::text, 'lost'::text]))),
  constraint workspaces_compute_seconds_check CHECK ((compute_seconds >= (0)::double precision)),
  constraint workspaces_generation_check CHECK ((generation > 0)),
  constraint workspaces_held CHECK (((state = 'held'::text) = (held_at IS NOT NULL))),
  constraint workspaces_named CHECK (((state = 'pending'::text) OR ((released_at IS NOT NULL) AND (create_key IS NULL)) OR ((backend_kind IS NOT NULL) AND (create_key IS NOT NULL) AND (size IS NOT NULL)))),
  constraint workspaces_next_size CHECK ((next_size = ANY (ARRAY['small'::text, 'standard'::text, 'large'::text, 'xlarge'::text]))),
  constraint workspaces_ready CHECK (((state <> ALL (ARRAY['ready'::text, 'held'::text])) OR (external_ref IS NOT NULL))),
  constraint workspaces_reason CHECK (((state <> ALL (ARRAY['releasing'::text, 'released'::text, 'lost'::text, 'stranded'::text])) OR (release_reason IS NOT NULL))),
  constraint workspaces_released CHECK (((state = 'released'::text) = (released_at IS NOT NULL))),
  constraint workspaces_reported_seconds_check CHECK ((reported_seconds >= (0)::double precision)),
  constraint workspaces_sandbox_seconds_check CHECK ((sandbox_seconds >= (0)::double precision)),
  constraint workspaces_size CHECK ((size = ANY (ARRAY['small'::text, 'standard'::text, 'large'::text, 'xlarge'::text]))),
  constraint workspaces_state CHECK ((state = ANY (ARRAY['pending'::text, 'creating'::text, 'ready'::text, 'held'::text, 'releasing'::text, 'released'::text, 'lost'::text, 'stranded'::text])))
);
CREATE INDEX workspaces_authorized ON public.workspaces USING btree (agent_id) WHERE (state = ANY (ARRAY['creating'::text, 'ready'::text, 'held'::text, 'lost'::text]));
CREATE INDEX workspaces_by_creator ON public.workspaces USING btree (created_by_actor_id);
CREATE INDEX workspaces_held ON public.workspaces USING btree (held_until) WHERE (state = 'held'::text);
CREATE INDEX workspaces_inherited ON public.workspaces USING btree (inherited_from) WHERE (inherited_from IS NOT NULL);
CREATE INDEX workspaces_live ON public.workspaces USING btree (agent_id) WHERE (state = ANY (ARRAY['creating'::text, 'ready'::text, 'releasing'::text]));
CREATE INDEX workspaces_newest ON public.workspaces USING btree (created_at DESC, id DESC);
CREATE INDEX workspaces_stranded ON public.workspaces USING btree (backend_kind) WHERE (state = 'stranded'::text);
CREATE INDEX workspaces_unfinished ON public.workspaces USING btree (state, created_at DESC, id DESC) WHERE (state <> ALL (ARRAY['pending'::text, 'released'::text]));
CREATE TRIGGER workspace_queued AFTER UPDATE OF state ON public.workspaces FOR EACH ROW WHEN (((old.state <> 'releasing'::text) AND (new.state = 'releasing'::text))) EXECUTE FUNCTION workspace_queued();
CREATE TRIGGER workspaces_kept BEFORE DELETE ON public.workspaces FOR EACH ROW EXECUTE FUNCTION refuse();
CREATE TRIGGER workspaces_not_truncated BEFORE TRUNCATE ON public.workspaces FOR EACH STATEMENT EXECUTE FUNCTION refuse();
CREATE TRIGGER workspaces_step BEFORE INSERT OR UPDATE ON public.workspaces FOR EACH ROW EXECUTE FUNCTION workspaces_step();

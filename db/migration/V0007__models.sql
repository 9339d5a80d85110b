-- Connections to the services that models are asked at. A key is write-only, sealed for the wire and
-- the address that it was entered for, so that nobody sends it elsewhere by changing the address.

create table model_connections (
  name          text        primary key
    constraint model_connections_name check (name ~ '^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$'),
  wire          text        not null
    constraint model_connections_wire check (wire in ('anthropic', 'openai')),
  base_url      text        not null,
  -- sealed; see mesh.secret
  key           text,
  key_set_at    timestamptz,
  key_set_by    uuid        references actors,
  allow_private boolean     not null default false,
  prices        json        not null default '[]',
  created_at    timestamptz not null default now(),
  updated_at    timestamptz not null default now(),
  updated_by    uuid        not null references actors,
  constraint model_connections_key
    check ((key is null) = (key_set_at is null) and (key is null) = (key_set_by is null))
);
create index model_connections_by_editor on model_connections (updated_by);
create index model_connections_by_key_editor on model_connections (key_set_by);

comment on column model_connections.allow_private is
  'whether an administrator said that this machine or a private network is meant';
comment on column model_connections.prices is
  'by model, in any currency per million tokens: [{"model", "input", "cached_input", "output"}]';

-- What the model of an agent that is not deleted names: such a connection stays.
alter table runtime_agents add column model_connection text references model_connections;
create index runtime_agents_by_model_connection on runtime_agents (model_connection)
  where model_connection is not null;

-- Whole outputs are kept for a time that operators set, and then removed: the row stays and says when.

alter table artifacts
  add column removed_at timestamptz;
comment on column artifacts.removed_at is 'when its chunks were removed because they were old; null while they are kept';

create index artifacts_kept on artifacts (created_at) where removed_at is null;

-- A member's archive of their data: asked for, prepared by a job, and kept for download for some days.
create table data_export (
  account_id uuid primary key references account on delete cascade,
  -- The asking, so that a job that was overtaken by a later one changes nothing.
  id uuid not null unique default gen_random_uuid(),
  state text not null check (state in ('preparing', 'ready', 'failed')) default 'preparing',
  asked_at timestamptz not null,
  -- The session in which its owner last confirmed who they are, and when.
  session_id uuid references session on update cascade on delete set null,
  proven_at timestamptz not null,
  ready_at timestamptz,
  -- Its encrypted parts in the store of pictures: `object_key.0`, `object_key.1` and so on.
  object_key text unique,
  parts int,
  secret text,
  size_bytes int,
  constraint data_export_ready check (state <> 'ready' or (ready_at, object_key, parts, secret, size_bytes) is not null)
);
create index data_export_session on data_export (session_id);
create index data_export_age on data_export (asked_at);

alter table notification drop constraint notification_kind_check;
alter table notification add constraint notification_kind_check
  check (kind in ('message', 'match', 'like', 'report', 'export'));

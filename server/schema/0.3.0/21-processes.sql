-- The running processes of the service.

-- The running processes of this installation. Each writes its row every few seconds, so one that was not seen for a minute is gone.
create table server_process (
  id uuid primary key,
  host text not null,
  version text not null,
  node text not null,
  runs_jobs boolean not null,
  started_at timestamptz not null,
  seen_at timestamptz not null,
  -- By part of the service: how many requests it answered in the last five minutes, and how many of them failed.
  answered jsonb not null
);

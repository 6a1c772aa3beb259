-- Batches of the audit trail, each with a hash that covers the previous one's. sql/audit-seals.sql fills it; the serving role can only read it.
create table audit_seal (
  batch bigint primary key,
  -- The batch holds the events after the previous batch's last, up to this one.
  last_id bigint not null,
  event_count int not null,
  -- The time of its latest event.
  until timestamptz not null,
  hash bytea not null,
  sealed_at timestamptz not null default now()
);

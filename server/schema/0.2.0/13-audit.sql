-- The trail of what staff and the system did.

-- The months of the audit trail have a schema of their own, which the serving role cannot enter: it reads and adds entries through the
-- parent table.
create schema audit;

-- One partition a month, so that retention drops whole months. sql/append-only.sql creates and drops them.
create table audit_event (
  id bigint not null generated always as identity,
  at timestamptz not null,
  actor_id uuid,
  actor_name text not null,
  actor_role text not null,
  action text not null,
  target_type text not null,
  target_id uuid,
  reason text,
  changes jsonb,
  primary key (id, at),
  -- A time without end could not be sealed.
  constraint audit_event_finite check (isfinite(at))
) partition by range (at);
create index audit_event_action on audit_event (action, id desc);
create index audit_event_target on audit_event (target_id, id desc) where target_id is not null;
create index audit_event_actor on audit_event (actor_id, id desc) where actor_id is not null;
create index audit_event_at on audit_event (at);

-- Entries of a month without a partition, so that none is ever refused.
create table audit.other partition of audit_event default;

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

-- Who revealed a member's private data, for the limit of each hour and the alarm; the audit trail has the whole story.
create table pii_reveal (
  id bigint primary key generated always as identity,
  staff_id uuid not null references account on delete cascade,
  at timestamptz not null,
  -- How many the person's role allowed within an hour.
  quota int not null
);
create index pii_reveal_staff on pii_reveal (staff_id, at);
create index pii_reveal_at on pii_reveal (at);

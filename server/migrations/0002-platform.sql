-- What every feature stands on: secrets, outbox mail, idempotency, request limits, audit.
create table secret (
  name text primary key,
  value text not null,
  created_at timestamptz not null default now()
);

-- Facts about this installation, such as when it was filled with demo data.
create table installation (
  name text primary key,
  value jsonb not null
);

create table mail (
  id uuid primary key default gen_random_uuid(),
  recipient text not null,
  template text not null,
  data jsonb not null,
  status text not null default 'waiting' check (status in ('waiting', 'sent', 'dead')),
  attempts int not null default 0,
  last_error text,
  created_at timestamptz not null,
  sent_at timestamptz
);
create index mail_recipient on mail (recipient, created_at desc);
create index mail_created on mail (created_at desc);

create table idempotency (
  scope text not null,
  key_hash bytea not null,
  body_hash bytea not null,
  status int not null,
  sealed_answer bytea not null,
  created_at timestamptz not null,
  primary key (scope, key_hash)
);
create index idempotency_created on idempotency (created_at);

create unlogged table rate_limit (
  key varchar(255) primary key,
  points integer not null default 0,
  expire bigint
);

create table audit_event (
  id bigint generated always as identity primary key,
  at timestamptz not null,
  actor_id uuid,
  actor_name text not null,
  actor_role text not null,
  action text not null,
  target_type text not null,
  target_id uuid,
  reason text,
  changes jsonb
);
create index audit_event_action on audit_event (action, id desc);
create index audit_event_target on audit_event (target_id, id desc) where target_id is not null;
create index audit_event_actor on audit_event (actor_id, id desc) where actor_id is not null;

create function audit_event_is_append_only() returns trigger language plpgsql as $$
begin
  raise exception 'audit_event is append-only';
end $$;
create trigger audit_event_append_only before update or delete on audit_event
  for each statement execute function audit_event_is_append_only();

-- What every feature needs: secrets, facts about the installation, outgoing mail, idempotency, request limits and the audit trail.

-- Trigram indexes, for searching inside names and texts.
create extension if not exists pg_trgm;

-- Keys this installation made for itself.
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

-- Mail, sent by a job after the transaction that wrote it.
create table mail (
  id uuid primary key default gen_random_uuid(),
  recipient text not null,
  -- The account the mail is about, whatever address it went to; the mail is deleted with it.
  account_id uuid references account on delete cascade,
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
create index mail_account on mail (account_id) where account_id is not null;

-- Answers to requests that carried an Idempotency-Key. A row can exist before its answer does.
create table idempotency (
  scope text not null,
  key_hash bytea not null,
  body_hash bytea not null,
  status int not null,
  sealed_answer bytea,
  created_at timestamptz not null,
  primary key (scope, key_hash)
);
create index idempotency_created on idempotency (created_at);

-- Request counters, in the form `rate-limiter-flexible` expects. Unlogged: losing them in a crash is harmless.
create unlogged table rate_limit (
  key varchar(255) primary key,
  points integer not null default 0,
  expire bigint
);

-- Notifications between processes that exceed PostgreSQL's limit, kept for seconds by `@socket.io/postgres-adapter`.
create table socket_io_attachments (
  id bigserial unique,
  created_at timestamptz not null default now(),
  payload bytea
);

-- What staff did, and what was done to accounts. Append-only: see sql/append-only.sql.
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
create index audit_event_at on audit_event (at);

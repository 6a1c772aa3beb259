-- What every feature uses: secrets, mail, limits, and the ledger that survives a restored backup.

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
  sent_at timestamptz,
  -- Of people without an account.
  language text not null default 'en',
  -- When a mail is tried next, until when what it contains is valid, and since when it has been waiting.
  try_at timestamptz not null default '-infinity',
  expires_at timestamptz,
  waiting_since timestamptz not null default now()
);
create index mail_recipient on mail (recipient, created_at desc);
create index mail_created on mail (created_at desc);
create index mail_waiting on mail (created_at) where status = 'waiting';
create index mail_account_created on mail (account_id, created_at desc, id desc) where account_id is not null;
create index mail_dead on mail (created_at) where status = 'dead' and data <> '{}';

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

-- What a restored backup must not undo: who deleted their account or was deactivated, and who came back. Each row is also kept
-- beside the pictures, outside the database.
create table ledger_entry (
  id uuid primary key default gen_random_uuid(),
  -- Null once the account is gone.
  account_id uuid,
  act text not null,
  at timestamptz not null,
  -- Its number outside the database, once it is written there; without gaps.
  seq int unique,
  -- A restored backup must not bring back removed content or hidden profiles either: the ledger keeps sanctions and their revocations.
  -- Ids and keyed digests, no text. Null once the account is gone.
  sanction jsonb,
  -- Entries of the ledger are files named by their id. Their position orders them; releases before numbered the files in `seq`.
  position int,
  -- Whether the file is written. Entries with a `seq` are, too.
  is_kept boolean not null default false,
  -- Deleted messages, photos that were opened once, and legal holds: a restored backup must not undo these either.
  subject jsonb,
  constraint ledger_entry_act_check check (act in ('left', 'returned', 'deactivated', 'activated',
  'sanctioned', 'revoked', 'messageDeleted', 'photoOpened', 'holdSet', 'holdReleased'))
);
create index ledger_entry_account on ledger_entry (account_id) where account_id is not null;
create index ledger_entry_position on ledger_entry (position);
create index ledger_entry_unkept on ledger_entry (at, id)
  where not is_kept and seq is null and account_id is not null;
create index ledger_entry_messages on ledger_entry (position) where act in ('messageDeleted', 'photoOpened');

-- Accounts, profiles, sessions and what proves an address. Moments are UTC; the application passes its own clock in.
create extension if not exists pg_trgm;

create table account (
  id uuid primary key default gen_random_uuid(),
  email text not null,
  password_hash text,
  -- Noted when a password is set, since a hash does not tell its length.
  password_suits_staff boolean not null default false,
  created_at timestamptz not null default now(),
  email_verified_at timestamptz,
  staff_role text check (staff_role in ('admin', 'moderator')),
  is_vip boolean not null default false,
  is_active boolean not null default true,
  deactivated_at timestamptz,
  deactivation_reason text,
  leaving_since timestamptz,
  constraint account_email_key unique (email),
  constraint account_email_lower check (email = lower(email)),
  constraint account_deactivation check (is_active = (deactivated_at is null))
);
create index account_staff on account (staff_role) where staff_role is not null;

create table profile (
  account_id uuid primary key references account on delete cascade,
  first_name text,
  last_name text,
  gender text check (gender in ('woman', 'man', 'non-binary')),
  gender_text text,
  birth_date date,
  bio text,
  seeking text[] not null default '{}' check (seeking <@ array['woman', 'man', 'non-binary']),
  city text,
  country text,
  -- The centre of a 0.03° place cell; nothing finer is ever stored.
  latitude double precision,
  longitude double precision,
  show_last_active boolean not null default true,
  complete boolean not null generated always as (
    first_name is not null and birth_date is not null and gender is not null
    and cardinality(seeking) > 0 and (city is not null or latitude is not null)
  ) stored,
  constraint profile_place check ((latitude is null) = (longitude is null))
);

-- What makes a move count: one row each time the stored cell changes.
create table place_move (
  account_id uuid not null references account on delete cascade,
  moved_at timestamptz not null
);
create index place_move_account on place_move (account_id, moved_at);

create table place (
  id int generated always as identity primary key,
  name text not null,
  country text not null,
  latitude double precision not null,
  longitude double precision not null,
  population int not null default 0
);
create index place_name on place (lower(name), lower(country));

create table consent (
  account_id uuid not null references account on delete cascade,
  kind text not null,
  version text not null,
  accepted_at timestamptz not null,
  primary key (account_id, kind, version)
);

create table session (
  id uuid primary key default gen_random_uuid(),
  account_id uuid not null references account on delete cascade,
  created_at timestamptz not null,
  last_used_at timestamptz not null,
  idle_expires_at timestamptz not null,
  expires_at timestamptz not null,
  device text not null,
  network text
);
create index session_account on session (account_id, created_at desc);
create index session_expiry on session (idle_expires_at);

-- One row a rotation. A keyed retry finds its earlier answer sealed with a key only the caller has.
create table refresh_token (
  token_hash bytea primary key,
  session_id uuid not null references session on delete cascade,
  issued_at timestamptz not null,
  used_at timestamptz,
  retry_key_hash bytea,
  sealed_answer bytea
);
create index refresh_token_session on refresh_token (session_id);

-- A mailed proof of an address: by link token, or by code together with the handle or a session.
create table verification (
  id uuid primary key default gen_random_uuid(),
  account_id uuid not null references account on delete cascade,
  email text not null,
  purpose text not null check (purpose in ('join', 'change')),
  handle_hash bytea not null unique,
  token_hash bytea not null unique,
  code_hash bytea not null,
  tries int not null default 0,
  created_at timestamptz not null,
  code_expires_at timestamptz not null,
  expires_at timestamptz not null
);
create index verification_account on verification (account_id, created_at desc);

create table password_reset (
  token_hash bytea primary key,
  account_id uuid not null references account on delete cascade,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index password_reset_account on password_reset (account_id, created_at desc);

create table restore_handle (
  token_hash bytea primary key,
  account_id uuid not null references account on delete cascade,
  expires_at timestamptz not null
);
create index restore_handle_account on restore_handle (account_id);

-- Failed and pending sign-ins, by hashed address and by network prefix.
create table login_attempt (
  subject text primary key,
  failures int not null,
  window_started_at timestamptz not null,
  last_at timestamptz not null,
  blocked_until timestamptz not null
);
create index login_attempt_last on login_attempt (last_at);

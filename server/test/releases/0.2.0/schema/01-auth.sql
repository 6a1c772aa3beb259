-- Accounts, sessions, and everything that proves who someone is. Times are UTC throughout; the application passes its own clock
-- in, so that tests can move it.

create table account (
  id uuid primary key default gen_random_uuid(),
  email text not null,
  password_hash text,
  -- Whether the password meets the rules for staff. Recorded when it is set, because a hash doesn't show its length.
  password_suits_staff boolean not null default false,
  created_at timestamptz not null default now(),
  email_verified_at timestamptz,
  staff_role text check (staff_role in ('admin', 'moderator')),
  -- Has Premium: exactly when the account has an entitlement.
  is_vip boolean not null default false,
  is_active boolean not null default true,
  deactivated_at timestamptz,
  deactivation_reason text,
  -- Set when the member deleted the account; it is purged two weeks later.
  leaving_since timestamptz,
  -- When two-step verification is removed because its owner reported it lost.
  factor_removal_at timestamptz,
  constraint account_email_key unique (email),
  constraint account_email_lower check (email = lower(email)),
  constraint account_deactivation check (is_active = (deactivated_at is null))
);
create index account_staff on account (staff_role) where staff_role is not null;
create index account_leaving on account (leaving_since) where leaving_since is not null;
create index account_unverified on account (created_at) where email_verified_at is null;
create index account_factor_removal on account (factor_removal_at) where factor_removal_at is not null;

create table consent (
  account_id uuid not null references account on delete cascade,
  kind text not null,
  version text not null,
  accepted_at timestamptz not null,
  primary key (account_id, kind, version)
);

-- When each account was last active. Separate from `directory`, because it changes every minute and the directory rarely does.
-- The flags repeat the directory's, so that one index scan serves a list sorted by activity.
create table presence (
  account_id uuid primary key references account on delete cascade,
  last_active_at timestamptz not null default '-infinity',
  online boolean not null default false,
  is_active boolean not null default true,
  is_vip boolean not null default false,
  is_verified boolean not null default false
) with (fillfactor = 80);
-- The flags are included, so that an index scan filters without reading the table.
create index presence_active on presence (last_active_at desc, account_id desc)
  include (is_active, is_vip, is_verified, online);
create index presence_active_vip on presence (last_active_at desc, account_id desc)
  include (is_active, is_verified, online) where is_vip;
create index presence_active_inactive on presence (last_active_at desc, account_id desc)
  include (is_vip) where not is_active;
create index presence_active_online on presence (last_active_at desc, account_id desc)
  include (is_vip) where online;

create table session (
  id uuid primary key default gen_random_uuid(),
  account_id uuid not null references account on delete cascade,
  created_at timestamptz not null,
  last_used_at timestamptz not null,
  idle_expires_at timestamptz not null,
  expires_at timestamptz not null,
  device text not null,
  network text,
  -- When its owner last confirmed a linked Google or Facebook identity.
  confirmed_at timestamptz,
  -- Whether two-step verification was passed in this session.
  second_factor boolean not null default false
);
create index session_account on session (account_id, created_at desc);
create index session_expiry on session (idle_expires_at);

-- One row per rotation. A retry with the same key finds its earlier answer, sealed with a key that only the caller has.
create table refresh_token (
  token_hash bytea primary key,
  session_id uuid not null references session on delete cascade,
  issued_at timestamptz not null,
  used_at timestamptz,
  retry_key_hash bytea,
  sealed_answer bytea
);
create index refresh_token_session on refresh_token (session_id);

-- Failed and pending sign-ins, by hashed address and by network prefix.
create table login_attempt (
  subject text primary key,
  failures int not null,
  window_started_at timestamptz not null,
  last_at timestamptz not null,
  blocked_until timestamptz not null
);
create index login_attempt_last on login_attempt (last_at);

-- A mailed proof that someone owns an address: a link token, or a code together with the handle or a session.
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

-- Lets the owner of an account that is being deleted keep it after all.
create table restore_handle (
  token_hash bytea primary key,
  account_id uuid not null references account on delete cascade,
  expires_at timestamptz not null
);
create index restore_handle_account on restore_handle (account_id);

-- Members' identities at Google and Facebook.
create table identity (
  provider text not null check (provider in ('google', 'facebook')),
  subject text not null,
  account_id uuid not null references account on delete cascade,
  linked_at timestamptz not null,
  primary key (provider, subject),
  constraint identity_account_key unique (account_id, provider)
);

-- An identity that was proven and waits for a password (to link it) or for consent (to join).
create table identity_claim (
  token_hash bytea primary key,
  purpose text not null check (purpose in ('link', 'join')),
  provider text not null,
  subject text not null,
  -- To link: the address of the account it will be linked to.
  email text,
  email_proven boolean not null,
  first_name text,
  last_name text,
  expires_at timestamptz not null
);
create index identity_claim_identity on identity_claim (provider, subject);
create index identity_claim_expiry on identity_claim (expires_at);

-- Provider tokens and nonces that were used, for as long as they would be accepted again.
create table used_token (
  token_hash bytea primary key,
  expires_at timestamptz not null
);
create index used_token_expiry on used_token (expires_at);

-- Two-step verification by an authenticator app.
create table totp_factor (
  account_id uuid primary key references account on delete cascade,
  sealed_secret bytea not null,
  since timestamptz not null,
  -- The newest time step whose code was accepted: no code works twice, and no older one works at all.
  last_step bigint not null
);

-- An authenticator app whose first code has not been entered yet.
create table totp_setup (
  account_id uuid primary key references account on delete cascade,
  sealed_secret bytea not null,
  expires_at timestamptz not null
);

-- Each code works once: its row is deleted when it is used.
create table recovery_code (
  account_id uuid not null references account on delete cascade,
  code_hash bytea not null,
  primary key (account_id, code_hash)
);

-- The password or identity was right, and the second step is still to come.
create table sign_in_challenge (
  token_hash bytea primary key,
  account_id uuid not null references account on delete cascade,
  tries int not null default 0,
  expires_at timestamptz not null
);
create index sign_in_challenge_account on sign_in_challenge (account_id);
create index sign_in_challenge_expiry on sign_in_challenge (expires_at);

-- The mailed links that start and stop the removal of a lost second step.
create table factor_removal (
  account_id uuid primary key references account on delete cascade,
  link_hash bytea unique,
  link_expires_at timestamptz,
  stop_hash bytea unique
);

create table passkey (
  id uuid primary key default gen_random_uuid(),
  account_id uuid not null references account on delete cascade,
  credential_id bytea not null unique,
  public_key bytea not null,
  -- How often it was used, as its authenticator counts; 0 where it doesn't.
  sign_count bigint not null,
  name text not null,
  synced boolean not null,
  created_at timestamptz not null,
  last_used_at timestamptz
);
create index passkey_account on passkey (account_id, created_at desc);

-- Each is answered once: by the account that adds a passkey, or by anyone who signs in with one.
create unlogged table passkey_challenge (
  challenge_hash bytea primary key,
  account_id uuid references account on delete cascade,
  expires_at timestamptz not null
);
create index passkey_challenge_account on passkey_challenge (account_id) where account_id is not null;
create index passkey_challenge_expiry on passkey_challenge (expires_at);

-- Where an account signed in during the last ninety days; its owner gets a mail about a sign-in from anywhere else.
create table known_device (
  account_id uuid not null references account on delete cascade,
  device text not null,
  network text not null,
  last_seen_at timestamptz not null,
  primary key (account_id, device, network)
);
create index known_device_seen on known_device (last_seen_at);

-- Members who were warned by mail that their account will be deleted unless they sign in.
create table inactivity_warning (
  account_id uuid primary key references account on delete cascade,
  warned_at timestamptz not null
);
create index inactivity_warning_warned on inactivity_warning (warned_at);

-- Addresses of accounts that were deactivated when they ended, as keyed digests. They can't join again.
create table refused_address (
  address_hash bytea primary key,
  refused_until timestamptz not null
);
create index refused_address_until on refused_address (refused_until);

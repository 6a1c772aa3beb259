-- Accounts, sessions, and how people prove who they are.

create table account (
  id uuid primary key default gen_random_uuid(),
  email text not null,
  password_hash text,
  -- Whether the password meets the rules for staff. Recorded when it is set, because a hash doesn't show its length.
  password_suits_staff boolean not null default false,
  created_at timestamptz not null default now(),
  email_verified_at timestamptz,
  staff_role text,
  -- Has Premium: exactly when the account has an entitlement.
  is_vip boolean not null default false,
  is_active boolean not null default true,
  deactivated_at timestamptz,
  deactivation_reason text,
  -- Set when the member deleted the account; it is purged two weeks later.
  leaving_since timestamptz,
  -- When two-step verification is removed because its owner reported it lost.
  factor_removal_at timestamptz,
  -- What live sanctions do to an account; `is_active` is the third.
  is_hidden boolean not null default false,
  is_messaging_limited boolean not null default false,
  -- When a change of address will be undone.
  address_restore_at timestamptz,
  -- Until then no password can be reset by mail, because staff corrected the address.
  reset_held_until timestamptz,
  -- The language in which people read mails, and everything else that is worded for them without a request of theirs.
  language text not null default 'en',
  constraint account_email_key unique (email),
  constraint account_email_lower check (email = lower(email)),
  constraint account_deactivation check (is_active = (deactivated_at is null)),
  constraint account_staff_role_check check (staff_role in ('analyst', 'support', 'moderator', 'senior', 'billing',
  'auditor', 'admin', 'owner'))
);
create index account_staff on account (staff_role) where staff_role is not null;
create index account_leaving on account (leaving_since) where leaving_since is not null;
create index account_unverified on account (created_at) where email_verified_at is null;
create index account_factor_removal on account (factor_removal_at) where factor_removal_at is not null;
create index account_address_restore on account (address_restore_at) where address_restore_at is not null;
create index account_gmail on account (replace(regexp_replace(email, '(?<=.)[+].*$|@.*$', ''), '.', ''))
  where email ~ '@(gmail|googlemail)[.]com$';

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
  sealed_answer bytea,
  -- Which refresh token replaced a used one; null for those that servers of the last release have used up.
  successor_hash bytea
);
create index refresh_token_session on refresh_token (session_id);
create index refresh_token_sealed on refresh_token (used_at) where sealed_answer is not null;

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
  expires_at timestamptz not null,
  -- A change of address can be cancelled from the old address, and undone from there for a week.
  -- The session that asked for a change of address.
  session_id uuid references session on update cascade on delete set null,
  -- The link in the email to the old address that cancels the change.
  cancel_hash bytea unique,
  -- The requested address belongs to someone else: nothing was sent and no code fits, but the limits count the request.
  is_decoy boolean not null default false,
  -- The handle of joining is the only one that shows the password, and people without a session must not use up the owner's tries.
  asked_by text not null default 'address',
  owner_tries int not null default 0,
  -- The address that staff corrected. Its mailbox can put it back with the cancel link of the same row.
  corrected_from text,
  constraint verification_asked_by_check check (asked_by in ('join', 'owner', 'address'))
);
create index verification_account on verification (account_id, created_at desc);
create index verification_session on verification (session_id) where session_id is not null;
create index verification_corrected_from on verification (corrected_from) where corrected_from is not null;

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
  expires_at timestamptz not null,
  -- A passkey whose counter went back signs in once more after a code, and its counter is then trusted again. No foreign key: a
  -- challenge whose passkey was removed is refused when it is used.
  passkey_id uuid,
  passkey_counter bigint
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

-- Passwords that were replaced lately: someone who knew one may have replaced it before they changed the address.
create table former_password (
  account_id uuid not null references account on delete cascade,
  password_hash text not null,
  replaced_at timestamptz not null,
  primary key (account_id, replaced_at)
);
create index former_password_replaced on former_password (replaced_at);

-- The address an account had before a change, and what its owner could prove before it.
create table former_address (
  restore_hash bytea primary key,
  account_id uuid not null references account on delete cascade,
  email text not null,
  changed_at timestamptz not null,
  password_hash text,
  -- The link that undoes a change of address ends once a new password was chosen at the new address, or someone stopped the undoing.
  is_restorable boolean not null default true
);
create index former_address_account on former_address (account_id, changed_at desc);
create index former_address_changed on former_address (changed_at);

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
  -- What the newest mailed link to an archive names, which another mail or a download replaces; the archive's own id before any of them.
  link_id uuid,
  constraint data_export_ready check (state <> 'ready' or (ready_at, object_key, parts, secret, size_bytes) is not null)
);
create index data_export_session on data_export (session_id);
create index data_export_age on data_export (asked_at);

-- What accounts prove themselves with besides a password, and the devices they are known on.

-- Whether it was opened, or raised since, by more than a password or an identity.
alter table session add column second_factor boolean not null default false;

-- When the second factor goes by itself, as its owner says to have lost it.
alter table account add column factor_removal_at timestamptz;

create table totp_factor (
  account_id uuid primary key references account on delete cascade,
  sealed_secret bytea not null,
  since timestamptz not null,
  -- The newest time step whose code was taken: no code works twice, and none that is older.
  last_step bigint not null
);

-- A second factor whose first code has yet to come back.
create table totp_setup (
  account_id uuid primary key references account on delete cascade,
  sealed_secret bytea not null,
  expires_at timestamptz not null
);

-- Each works once: it goes when it is used.
create table recovery_code (
  account_id uuid not null references account on delete cascade,
  code_hash bytea not null,
  primary key (account_id, code_hash)
);

-- The first factor was right, and the code of the second is awaited.
create table sign_in_challenge (
  token_hash bytea primary key,
  account_id uuid not null references account on delete cascade,
  tries int not null default 0,
  expires_at timestamptz not null
);
create index sign_in_challenge_account on sign_in_challenge (account_id);
create index sign_in_challenge_expiry on sign_in_challenge (expires_at);

-- The mailed links of a removal: the one that begins it, then the one that stops it.
create table factor_removal (
  account_id uuid primary key references account on delete cascade,
  link_hash bytea unique,
  link_expires_at timestamptz,
  stop_hash bytea unique
);
create index account_factor_removal on account (factor_removal_at) where factor_removal_at is not null;

create table passkey (
  id uuid primary key default gen_random_uuid(),
  account_id uuid not null references account on delete cascade,
  credential_id bytea not null unique,
  public_key bytea not null,
  -- How often it was used, as its authenticator counts; 0 where it does not.
  sign_count bigint not null,
  name text not null,
  synced boolean not null,
  created_at timestamptz not null,
  last_used_at timestamptz
);
create index passkey_account on passkey (account_id, created_at desc);

-- Each is answered once, by whom it was made for: an account that makes a passkey, or whoever signs in.
create unlogged table passkey_challenge (
  challenge_hash bytea primary key,
  account_id uuid references account on delete cascade,
  expires_at timestamptz not null
);
create index passkey_challenge_account on passkey_challenge (account_id) where account_id is not null;
create index passkey_challenge_expiry on passkey_challenge (expires_at);

-- Where an account signed in within ninety days; a sign-in from elsewhere is told to its owner.
create table known_device (
  account_id uuid not null references account on delete cascade,
  device text not null,
  network text not null,
  last_seen_at timestamptz not null,
  primary key (account_id, device, network)
);
create index known_device_seen on known_device (last_seen_at);
insert into known_device (account_id, device, network, last_seen_at)
  select account_id, device, coalesce(network, ''), max(last_used_at) from session group by 1, 2, 3;

-- Who members are at Google and Facebook.
create table identity (
  provider text not null check (provider in ('google', 'facebook')),
  subject text not null,
  account_id uuid not null references account on delete cascade,
  linked_at timestamptz not null,
  primary key (provider, subject),
  constraint identity_account_key unique (account_id, provider)
);

-- An identity that was shown, and waits for a password or for consent.
create table identity_claim (
  token_hash bytea primary key,
  purpose text not null check (purpose in ('link', 'join')),
  provider text not null,
  subject text not null,
  -- Of a link: the address of the account it is to be linked to.
  email text,
  email_proven boolean not null,
  first_name text,
  last_name text,
  expires_at timestamptz not null
);
create index identity_claim_identity on identity_claim (provider, subject);
create index identity_claim_expiry on identity_claim (expires_at);

-- Tokens and nonces that were shown, for as long as they would be taken again.
create table used_token (
  token_hash bytea primary key,
  expires_at timestamptz not null
);
create index used_token_expiry on used_token (expires_at);

-- When its owner last showed a linked identity anew.
alter table session add column confirmed_at timestamptz;

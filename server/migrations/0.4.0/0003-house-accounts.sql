-- People of the house who sign in as staff with its own account. They are known by issuer and subject, which never change and are
-- never given to anyone else; an address is both.
create table house_person (
  issuer text not null,
  subject text not null,
  account_id uuid not null references account on delete cascade,
  linked_at timestamptz not null,
  primary key (issuer, subject),
  constraint house_person_account_key unique (account_id)
);

alter table session
  -- When the house's provider last said that the owner still works here; null for every other way to sign in.
  add column house_confirmed_at timestamptz,
  -- When it was last asked, so that two requests don't use the same grant at once.
  add column house_asked_at timestamptz,
  -- The provider's refresh token, encrypted for this account; null if it gave none.
  add column house_grant bytea;

-- The same for a sign-in that waits for its code.
alter table sign_in_challenge
  add column house_confirmed_at timestamptz,
  add column house_grant bytea;

-- Until when each side has set a conversation aside. The other side never learns of it.
alter table conversation add column low_snoozed_until timestamptz;
alter table conversation add column high_snoozed_until timestamptz;

-- The words and phrases that a member never wants to read, as typed, and as the pattern that finds them in `logic.word_form` of a text.
create table hidden_words (
  account_id uuid primary key references account on delete cascade,
  words text[] not null,
  pattern text not null
);
-- What each profile says, in the form in which words are found. Until the job `profiles.refold` has filled it, missing rows are computed.
create table profile_words (
  account_id uuid primary key references account on delete cascade,
  form text not null
);

-- The addresses of people that a member doesn't want to meet here, as keyed hashes, and how many they added on the last day.
create table known_address (
  account_id uuid not null references account on delete cascade,
  address_hash bytea not null,
  added_at timestamptz not null,
  -- When the member removed it; it and its block are deleted thirty days later, so that a block can't be watched coming and going.
  removed_at timestamptz,
  primary key (account_id, address_hash)
);
create index known_address_removed on known_address (removed_at) where removed_at is not null;
create index known_address_hash on known_address (address_hash);
create table known_address_count (
  account_id uuid primary key references account on delete cascade,
  added_on date not null,
  added int not null
);
-- The known address that demands a block, and whether it is the only reason for it.
alter table block add column by_address bytea;
alter table block add column is_by_address_only boolean not null default false;

-- When a member gets no push and no email, in the time zone of their device.
create table quiet_hours (
  account_id uuid primary key references account on delete cascade,
  from_minute smallint not null,
  to_minute smallint not null,
  zone text not null
);

-- People that a member wants to find again. Like blocks, they refer to others without a foreign key.
create table bookmark (
  account_id uuid not null references account on delete cascade,
  target_id uuid not null,
  created_at timestamptz not null,
  primary key (account_id, target_id)
);
create index bookmark_newest on bookmark (account_id, created_at desc, target_id desc);
create index bookmark_target on bookmark (target_id);

-- Named sets of discovery preferences.
create table saved_filters (
  account_id uuid primary key references account on delete cascade,
  filters jsonb not null
);

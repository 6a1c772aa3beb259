-- What is known about addresses: changes that can be undone, look-ups by staff, and those that members hide from.

-- What an undoing under way was asked for with, the link that stops it, and the password it will set.
create table address_restore (
  account_id uuid primary key references account on delete cascade,
  restore_hash bytea not null unique references former_address on delete cascade,
  stop_hash bytea not null unique,
  password_hash text not null,
  password_suits_staff boolean not null
);

-- How many addresses a member of staff looked up, and when, for the limit of each hour. It has no address.
create table address_lookup (
  staff_id uuid not null references account on delete cascade,
  at timestamptz not null,
  count int not null check (count > 0)
);
create index address_lookup_staff on address_lookup (staff_id, at);

-- The addresses of people that a member doesn't want to meet here, as keyed hashes, and how many they added on the last day.
create table known_address (
  account_id uuid not null references account on delete cascade,
  address_hash bytea not null,
  added_at timestamptz not null,
  primary key (account_id, address_hash)
);
create index known_address_hash on known_address (address_hash);

create table known_address_count (
  account_id uuid primary key references account on delete cascade,
  added_on date not null,
  added int not null
);

-- Members to hide someone from: those who stored the address of an account, or one of them. An address that leads to no account counts as
-- one that doesn't exist.
create table hiding_due (
  account_id uuid not null,
  knower_id uuid references account on delete cascade,
  due_since timestamptz not null,
  unique nulls not distinct (account_id, knower_id)
);
create index hiding_due_knower on hiding_due (knower_id) where knower_id is not null;

-- What staff write about a person for each other. It goes with the account.
create table staff_note (
  id uuid primary key default gen_random_uuid(),
  account_id uuid not null references account on delete cascade,
  author_id uuid references account on delete set null,
  author_name text not null,
  author_role text not null,
  text text not null,
  created_at timestamptz not null,
  edited_at timestamptz,
  -- Its author corrects it for fifteen minutes; after that it stays as it is.
  constraint staff_note_edited check (edited_at < created_at + interval '15 minutes')
);
create index staff_note_account on staff_note (account_id, created_at desc, id desc);
create index staff_note_author on staff_note (author_id) where author_id is not null;

-- The tags that people can have.
create table user_tag (
  id uuid primary key default gen_random_uuid(),
  name text not null,
  retired_at timestamptz,
  -- The tag that replaced this one: everyone who has this one counts as having that one.
  merged_into uuid references user_tag,
  constraint user_tag_merged check (merged_into is null or retired_at is not null)
);
create unique index user_tag_name on user_tag (lower(name collate "und-x-icu")) where retired_at is null;
create index user_tag_merged_into on user_tag (merged_into) where merged_into is not null;
insert into user_tag (name) values ('Call back'), ('Press'), ('Suspected scam'), ('Vulnerable');

create table account_tag (
  account_id uuid not null references account on delete cascade,
  tag_id uuid not null references user_tag,
  added_at timestamptz not null,
  added_by uuid references account on delete set null,
  added_by_name text not null,
  added_by_role text not null,
  primary key (account_id, tag_id)
);
create index account_tag_tag on account_tag (tag_id, account_id);
create index account_tag_added_by on account_tag (added_by) where added_by is not null;

-- Which fields of a profile its owner changed and when, without the values. Kept for two years.
create table profile_change (
  id bigint generated always as identity primary key,
  account_id uuid not null references account on delete cascade,
  at timestamptz not null,
  fields text[] not null
);
create index profile_change_account on profile_change (account_id, at desc, id desc);
create index profile_change_at on profile_change (at);

-- What members keep out of sight, keep for later, and when they are left alone.

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

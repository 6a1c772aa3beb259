-- What staff note, ask for, do to many, and read.

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

-- What one person may not do alone, and who of the others approved it.
create table approval (
  id uuid primary key default gen_random_uuid(),
  kind text not null,
  payload jsonb not null,
  requested_by uuid not null references account on delete cascade,
  requested_by_name text not null,
  reason text not null,
  requested_at timestamptz not null,
  -- From when on it can be used; without a second person that is a day later.
  usable_from timestamptz,
  decided_by uuid references account on delete set null,
  decided_by_name text,
  decided_at timestamptz,
  decision_reason text,
  verdict text check (verdict in ('approved', 'rejected')),
  used_at timestamptz,
  constraint approval_by_another check (decided_by <> requested_by),
  constraint approval_decided check ((verdict is null) = (decided_at is null)),
  constraint approval_used check (used_at is null or (usable_from <= used_at and verdict is distinct from 'rejected'))
);
create index approval_requested_at on approval (requested_at desc, id);
create index approval_requested_by on approval (requested_by);
create index approval_decided_by on approval (decided_by) where decided_by is not null;

-- What staff do with many people at once, in the background.
create table bulk_act (
  id uuid primary key default gen_random_uuid(),
  kind text not null,
  payload jsonb not null,
  reason text not null,
  made_by uuid not null references account on delete cascade,
  state text not null default 'running' check (state in ('running', 'done', 'canceled')),
  total int not null,
  started_at timestamptz not null,
  -- When an act on many people was done or canceled.
  finished_at timestamptz,
  -- Messages to many people start some minutes after an approval was used, and can be taken back where they are unread.
  starts_at timestamptz
);
create index bulk_act_made_by on bulk_act (made_by);
create index bulk_act_started_at on bulk_act (started_at);
create index bulk_act_running on bulk_act (started_at) where state = 'running';

create table bulk_act_item (
  act_id uuid not null references bulk_act on delete cascade,
  position int not null,
  account_id uuid not null references account on delete cascade,
  -- Null until its turn.
  outcome text check (outcome in ('done', 'failed')),
  problem text,
  report_id uuid references report on delete set null,
  primary key (act_id, position),
  constraint bulk_act_item_problem check ((outcome = 'failed') = (problem is not null) or outcome is null)
);
create index bulk_act_item_account on bulk_act_item (account_id);
create index bulk_act_item_next on bulk_act_item (act_id, position) where outcome is null;
create index bulk_act_item_report on bulk_act_item (report_id) where report_id is not null;

-- Until when a member of staff has seen what changed in their matters.
create table start_visit (
  account_id uuid primary key references account on delete cascade,
  seen_at timestamptz not null
);

-- Whom a member of staff read in lists within the last 24 hours, and why their full address was shown. It has no foreign
-- key to the people, because checking a thousand of them would lock their accounts; its rows are deleted after a day.
create table listed_person (
  staff_id uuid not null references account on delete cascade,
  person_id uuid not null,
  at timestamptz not null,
  address text constraint listed_person_address_check check (address in ('newest', 'further', 'revealed')),
  primary key (staff_id, person_id)
);
create index listed_person_at on listed_person (staff_id, at);

-- That staff opened an account, never who and only the day; and from which day on its owner sees it, as what.
create table staff_read (
  account_id uuid not null references account on delete cascade,
  kind text not null check (kind in ('support', 'safety', 'routine')),
  day date not null,
  shown_on date,
  -- Null for a read that another one of that day says already.
  shown_as text check (shown_as in ('support', 'safety', 'routine')),
  primary key (account_id, kind, day)
);
create index staff_read_waiting on staff_read (account_id) where shown_on is null;
create index staff_read_shown on staff_read (shown_on) where shown_on is not null;

-- Whether a provider said that a member is an adult, and when; nothing else that it knows.
create table age_check (
  account_id uuid primary key references account on delete cascade,
  state text not null constraint age_check_state_check check (state in ('declared', 'assured', 'failed')),
  at timestamptz not null,
  -- The newest check without an answer, by a random name that the provider knows; it expires then.
  open_check uuid unique,
  open_until timestamptz,
  -- When the team asked for it; null once it was answered.
  asked_at timestamptz,
  constraint age_check_open check ((open_check is null) = (open_until is null))
);

-- How often someone was kept from something within an hour: the audit trail notes the first attempt, the tenth, the hundredth.
create table denied_access (
  actor_id uuid not null references account on delete cascade,
  target_id uuid not null,
  since timestamptz not null,
  attempts int not null,
  primary key (actor_id, target_id)
);

insert into user_tag (name) values ('Call back'), ('Press'), ('Suspected scam'), ('Vulnerable');

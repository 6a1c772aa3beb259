-- Rules that open cases by themselves.

-- Rules that open a case by themselves, with a dry run before they may be switched on.
create table automatic_rule (
  id uuid primary key default gen_random_uuid(),
  name text not null,
  version int not null default 1,
  conditions jsonb not null,
  actions jsonb not null,
  -- The last day on which it applies, in UTC.
  expires_on date not null,
  is_on boolean not null default false,
  changed_at timestamptz not null,
  changed_by_name text not null,
  switched_at timestamptz,
  switched_by_name text,
  switch_reason text,
  -- How far the dry run of this version has come, and what it found; without anyone's id.
  dry_run jsonb,
  retired_at timestamptz
);
create unique index automatic_rule_name on automatic_rule (lower(name collate "und-x-icu")) where retired_at is null;

-- Five people of a dry run, so that staff see who a rule means.
create table dry_run_example (
  rule_id uuid not null references automatic_rule on delete cascade,
  account_id uuid not null references account on delete cascade,
  primary key (rule_id, account_id)
);
create index dry_run_example_account on dry_run_example (account_id);

-- What rules compare: the highest value of each fact on a day, and for the time since joining the lowest. Kept for 30 days.
create table rule_fact (
  account_id uuid not null references account on delete cascade,
  day date not null,
  -- The country at the last look, and how often it changed and texts got a warning on this day.
  country text,
  moves int not null,
  warned int not null,
  facts jsonb not null,
  primary key (account_id, day)
) with (fillfactor = 80);
create index rule_fact_day on rule_fact (day);

-- Digests of the first texts that people send, of which similar texts share some. Kept for 30 days.
create table text_print (
  print bigint not null,
  account_id uuid not null references account on delete cascade,
  sent int not null,
  -- Members see a warning beside the text.
  is_warned boolean not null,
  at timestamptz not null,
  -- In which order accounts first sent a text, so that later copies don't count against the account that wrote it; and who got it
  -- from them last, so that accounts that send it to each other don't count.
  seq bigint generated always as identity,
  receiver_id uuid references account on delete set null,
  primary key (print, account_id)
);
create index text_print_account on text_print (account_id, at desc);
create index text_print_at on text_print (at);
create index text_print_seq on text_print (print, seq);
create index text_print_receiver on text_print (receiver_id) where receiver_id is not null;

-- Who a rule hit, what it did, and what a person decided about it.
create table rule_hit (
  id uuid primary key default gen_random_uuid(),
  rule_id uuid not null references automatic_rule on delete cascade,
  version int not null,
  account_id uuid not null references account on delete cascade,
  case_id uuid not null references moderation_case on delete cascade,
  report_id uuid not null references report on delete cascade,
  -- The tag that the rule gave; null if the person had it.
  tag_id uuid references user_tag on delete set null,
  hit_at timestamptz not null,
  judged_at timestamptz,
  -- Confirmed or cleared by a person, or undone because no one judged it in time.
  outcome text check (outcome in ('confirmed', 'cleared', 'expired')),
  constraint rule_hit_judged check ((judged_at is null) = (outcome is null))
);
create index rule_hit_account on rule_hit (account_id, rule_id, hit_at desc);
create index rule_hit_rule on rule_hit (rule_id);
create index rule_hit_case on rule_hit (case_id);
create index rule_hit_report on rule_hit (report_id);
create index rule_hit_tag on rule_hit (tag_id) where tag_id is not null;
create index rule_hit_open on rule_hit (hit_at) where judged_at is null;

insert into automatic_rule (name, conditions, actions, expires_on, changed_at, changed_by_name)
select r.name, r.conditions::jsonb,
  jsonb_build_object('problem_type', 'Inappropriate Content', 'priority', r.priority, 'hold', r.hold, 'tagId',
    (select id from user_tag where name = 'Suspected scam' and retired_at is null limit 1)),
  current_date + 180, now(), 'Heartwood'
from (values
  ('Copied scam from new accounts', 'critical', true,
    '[{"fact": "accountAgeHours", "value": 72},
      {"fact": "warnedTextSenders", "value": 5}]'),
  ('Warned texts from new accounts', 'high', true,
    '[{"fact": "accountAgeHours", "value": 72},
      {"fact": "warnedTexts", "value": 3}]'),
  ('Pictures of other accounts', 'high', false,
    '[{"fact": "accountAgeHours", "value": 168},
      {"fact": "pictureDuplicates", "value": 2}]'),
  ('Copied text from new accounts', 'medium', false,
    '[{"fact": "accountAgeHours", "value": 72},
      {"fact": "sameTextSenders", "value": 20},
      {"fact": "sameTextSent", "value": 20}]'),
  ('Likes at machine speed', 'medium', false,
    '[{"fact": "likesPerHour", "value": 240}]')
) r (name, priority, hold, conditions);

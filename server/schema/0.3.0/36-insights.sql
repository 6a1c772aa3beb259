-- Figures of growth.

-- One row for each day and each group of members: '*' stands for all, '' for people who stated nothing and for countries
-- with few members. Every combination has its rows, so that a range of days is one range of the key.
create table insight_day (
  gender text not null,
  age text not null,
  country text not null,
  day date not null,
  members int not null,
  sign_ups int not null,
  confirmed int not null,
  completed int not null,
  likes int not null,
  matches int not null,
  messages int not null,
  conversations int not null,
  daily_active int not null,
  weekly_active int not null,
  monthly_active int not null,
  premium_new int not null,
  premium_lost int not null,
  premium_paused int not null,
  premium_paying int not null,
  reports int not null,
  actions int not null,
  repeat_actions int not null,
  -- Decisions about reports, and the sum of the times from the first of these reports.
  decisions int not null,
  decision_ms bigint not null,
  primary key (gender, age, country, day)
);
create index insight_day_day on insight_day (day);

create table insight_money (
  gender text not null,
  age text not null,
  country text not null,
  day date not null,
  currency text not null,
  payments int not null,
  paid_minor bigint not null,
  refunded_minor bigint not null,
  primary key (gender, age, country, day, currency)
);
create index insight_money_day on insight_money (day);

-- How many members who joined in a month reached a step for the first time on a day. Elapsed is 0 within a week of
-- joining, 1 within 30 days and 2 later; for the step 'active', how many calendar months after the month of joining.
create table insight_cohort (
  month date not null,
  step text not null,
  gender text not null,
  elapsed smallint not null,
  day date not null,
  people int not null,
  primary key (month, step, gender, elapsed, day)
);
create index insight_cohort_day on insight_cohort (day);

-- When a member reached a step for the first time. It stays although the like, the match or the message may go.
create table milestone (
  account_id uuid not null references account on delete cascade,
  step text not null check (step in ('confirmed', 'completed', 'liked', 'matched', 'messaged', 'conversation', 'premium')),
  reached_at timestamptz not null,
  primary key (account_id, step)
);
create index milestone_reached on milestone (reached_at);

-- The days of a month on which a member was here, as bits: the lowest is the first. Kept for three months.
create table active_days (
  account_id uuid not null references account on delete cascade,
  month date not null,
  days int not null,
  primary key (account_id, month)
) with (fillfactor = 80);

-- Staff who get an email about the last week each Monday.
create table insight_mail (
  account_id uuid primary key references account on delete cascade,
  -- The Monday of the newest one.
  sent_on date
);

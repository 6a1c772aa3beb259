-- Accounts whose contacts wait for a decision, and what may hold one.

-- Accounts whose likes, notes and first messages wait until a person has decided, or until the time is over.
create table account_hold (
  id uuid primary key default gen_random_uuid(),
  account_id uuid not null references account on delete cascade,
  case_id uuid not null references moderation_case on delete cascade,
  cause text not null check (cause in ('critical_case', 'ban_trace', 'rule')),
  -- The automatic rule, if one is the cause.
  rule_id uuid,
  since timestamptz not null,
  ends_at timestamptz not null,
  ended_at timestamptz,
  outcome text check (outcome in ('released', 'dropped', 'expired')),
  -- Who of the staff released it without deciding the case.
  released_by_name text,
  -- Since when what the hold withheld is being delivered; null once nothing is left.
  releasing_since timestamptz,
  constraint account_hold_ended check ((ended_at is null) = (outcome is null)),
  constraint account_hold_of_rule check ((cause = 'rule') = (rule_id is not null))
);
create unique index account_hold_open on account_hold (account_id) where ended_at is null;
create index account_hold_account on account_hold (account_id, since desc);
create index account_hold_case on account_hold (case_id, since desc);
create index account_hold_ending on account_hold (ends_at) where ended_at is null;
create index account_hold_releasing on account_hold (releasing_since) where releasing_since is not null;
create index account_hold_rule on account_hold (since, rule_id) where rule_id is not null;

-- Whether a report may hold the person it is about, judged when it is filed. Deleted after 90 days.
create table report_power (
  report_id uuid primary key references report on delete cascade,
  filed_at timestamptz not null,
  -- A keyed hash of the network it came from.
  network bytea not null,
  -- The reporter's address was confirmed, their account older than a day, and none of their reports had been rejected.
  is_credible boolean not null,
  may_hold boolean not null,
  -- When it held the person.
  held_at timestamptz
);
create index report_power_filed on report_power (filed_at);
create index report_power_network on report_power (network, held_at) where held_at is not null;

-- Accounts to compare with what is known about banned people.
create table ban_comparison (
  account_id uuid primary key references account on delete cascade,
  due_since timestamptz not null
);

-- The community rules. A change adds a version; decisions keep the one they were made by.
create table community_rule (
  id uuid primary key default gen_random_uuid(),
  clause text not null,
  version int not null,
  title text not null,
  body text not null,
  created_at timestamptz not null default now(),
  created_by text not null,
  replaced_at timestamptz,
  unique (clause, version)
);
create unique index community_rule_current on community_rule (clause) where replaced_at is null;
insert into community_rule (clause, version, title, body, created_by) values
  ('1', 1, 'Adults only', 'Heartwood is for people who are at least 18 years old.', 'Heartwood'),
  ('2', 1, 'Respect', 'No harassment, threats, hate or insults, in messages, notes or profiles. A no is a no.', 'Heartwood'),
  ('3', 1, 'Consent', 'No sexual messages or pictures that the other person has not asked for.', 'Heartwood'),
  ('4', 1, 'Be yourself', 'Your name, age and pictures are your own. No impersonation.', 'Heartwood'),
  ('5', 1, 'No scams', 'No requests for money, gifts, codes or investments, and no advertising.', 'Heartwood'),
  ('6', 1, 'Privacy', 'No sharing of other people''s pictures, messages or personal details without their consent.', 'Heartwood'),
  ('7', 1, 'Pictures', 'No nudity, violence or children alone in pictures.', 'Heartwood'),
  ('8', 1, 'Fair play', 'No second account to get around a decision, and no misuse of reports.', 'Heartwood');

-- A decision about a case: the reasons, from which the notice, the answers and the audit entry are made. Never changed afterwards.
create table case_decision (
  id uuid primary key default gen_random_uuid(),
  case_id uuid not null references moderation_case on delete cascade,
  kind text not null check (kind in ('full', 'quick')),
  outcome text check (outcome in ('actioned', 'fixed', 'no_violation', 'unfounded')),
  rule_id uuid references community_rule,
  facts text,
  source text not null check (source in ('notice', 'own_initiative', 'authority')),
  is_detection_automated boolean not null default false,
  answer text,
  -- Kept without a reference, so that it outlives the account: an appeal must go to someone else.
  decided_by uuid not null,
  decided_by_name text not null,
  decided_at timestamptz not null,
  undone_at timestamptz,
  constraint case_decision_complete check (kind = 'quick' or (outcome is not null
    and (outcome <> 'actioned' or (rule_id is not null and char_length(facts) >= 40))))
);
create index case_decision_case on case_decision (case_id, decided_at desc);

create table case_decision_report (
  decision_id uuid not null references case_decision on delete cascade,
  report_id uuid not null references report on delete cascade,
  primary key (decision_id, report_id)
);
create index case_decision_report_report on case_decision_report (report_id);

create table sanction (
  id uuid primary key default gen_random_uuid(),
  -- Null once the account is gone.
  account_id uuid references account on delete set null,
  -- Null where an administrator deactivated the account on the users screen.
  decision_id uuid references case_decision on delete set null,
  kind text not null check (kind in ('warn', 'limit_messaging', 'hide_profile', 'suspend', 'ban')),
  reason text not null,
  created_by_name text not null,
  starts_at timestamptz not null,
  ends_at timestamptz,
  ended_at timestamptz,
  acknowledged_at timestamptz,
  revoked_at timestamptz,
  revoked_by_name text,
  revoke_reason text,
  -- As it was valued when it was made.
  strikes smallint not null,
  strikes_until timestamptz not null
);
create index sanction_account on sanction (account_id, starts_at desc) where account_id is not null;
create index sanction_decision on sanction (decision_id) where decision_id is not null;
create index sanction_ending on sanction (ends_at) where ended_at is null and revoked_at is null and ends_at is not null;

-- What live sanctions do to an account; `is_active` is the third.
alter table account add column is_hidden boolean not null default false;
alter table account add column is_messaging_limited boolean not null default false;

-- Accounts that are deactivated already.
insert into sanction (account_id, kind, reason, created_by_name, starts_at, strikes, strikes_until)
select id, 'suspend', coalesce(deactivation_reason, 'Deactivated by staff'), 'Staff', coalesce(deactivated_at, now()), 0, now()
from account where not is_active;

alter table case_event drop constraint case_event_kind_check;
alter table case_event add constraint case_event_kind_check check (kind in ('opened', 'claimed', 'released', 'lease_expired',
  'assigned', 'escalated', 'waiting_reporter', 'waiting_authority', 'resumed', 'raised_critical', 'closed', 'reopened', 'decided',
  'sanction_revoked', 'sanction_ended'));

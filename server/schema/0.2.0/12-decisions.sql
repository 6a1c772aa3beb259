-- The community rules, decisions with reasons, sanctions and appeals.

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

-- A decision about a case: the reasons, from which the notice, the answers and the audit entry are made. Never changed afterwards.
create table case_decision (
  id uuid primary key default gen_random_uuid(),
  case_id uuid not null references moderation_case on delete cascade,
  kind text not null,
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
  -- Appeals against decisions, by the person they act on or by a reporter whose report was not acted on.
  constraint case_decision_decider unique (id, decided_by),
  constraint case_decision_kind_check check (kind in ('full', 'quick', 'interim')),
  constraint case_decision_complete check (kind = 'quick'
  or (kind = 'interim' and outcome is null and rule_id is not null and char_length(facts) >= 40)
  or (kind = 'full' and outcome is not null
    and (outcome <> 'actioned' or (rule_id is not null and char_length(facts) >= 40))))
);
create index case_decision_case on case_decision (case_id, decided_at desc);
create index case_decision_time on case_decision (decided_at desc, id desc);
create index case_decision_decider_time on case_decision (decided_by, decided_at desc, id desc);
create index case_decision_rule_time on case_decision (rule_id, decided_at desc, id desc) where rule_id is not null;

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
  kind text not null,
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
  strikes_until timestamptz not null,
  -- Decisions can remove a picture, a text of the profile, the answer to a prompt or a message.
  -- Of which copy in the evidence it is a part; the copy itself says what it was, and is what an overturned appeal puts back.
  content jsonb,
  search_due_since timestamptz,
  constraint sanction_kind_check check (kind in ('warn', 'remove_content', 'limit_messaging', 'hide_profile',
  'suspend', 'ban')),
  constraint sanction_content check ((kind = 'remove_content') = (content is not null))
);
create index sanction_account on sanction (account_id, starts_at desc) where account_id is not null;
create index sanction_decision on sanction (decision_id) where decision_id is not null;
create index sanction_ending on sanction (ends_at) where ended_at is null and revoked_at is null and ends_at is not null;
create index sanction_live on sanction (account_id) where ended_at is null and revoked_at is null and account_id is not null;
create index sanction_search on sanction (search_due_since) where search_due_since is not null;

-- What is kept of a banned person, so that they are noticed when they come back: keyed digests, never the values. They go with the ban.
create table ban_trace (
  sanction_id uuid not null references sanction on delete cascade,
  kind text not null check (kind in ('address', 'identity', 'card', 'picture')),
  -- A picture has several digests, most of which similar pictures share.
  item smallint not null,
  hash bytea not null,
  kept_since timestamptz not null,
  primary key (sanction_id, kind, item, hash)
);
create index ban_trace_hash on ban_trace (hash);
create index ban_trace_kept_since on ban_trace (kept_since);

-- What an account has in common with a banned person, for staff to review. Members never learn of it.
create table account_link (
  account_id uuid not null references account on delete cascade,
  sanction_id uuid not null references sanction on delete cascade,
  kind text not null check (kind in ('address', 'identity', 'card', 'picture')),
  strength text not null check (strength in ('strong', 'medium', 'weak')),
  found_at timestamptz not null,
  -- When staff decided about it.
  reviewed_at timestamptz,
  primary key (account_id, sanction_id, kind)
);
create index account_link_sanction on account_link (sanction_id);

create table appeal (
  id uuid primary key default gen_random_uuid(),
  decision_id uuid not null,
  case_id uuid not null references moderation_case on delete cascade,
  party text not null check (party in ('person', 'reporter')),
  -- Null once the account is gone.
  account_id uuid references account on delete set null,
  state text not null default 'submitted' check (state in ('submitted', 'under_review', 'upheld', 'overturned', 'partly_overturned',
    'inadmissible', 'withdrawn')),
  plea text not null,
  submitted_at timestamptz not null,
  due_at timestamptz not null,
  -- Who made the decision: the key below refuses anyone else, and the check after it refuses them as the reviewer.
  decided_by uuid not null,
  reviewer_id uuid,
  reviewer_name text,
  answer text,
  answered_at timestamptz,
  withdrawn_at timestamptz,
  reminded_at timestamptz,
  -- Nor does someone review an appeal who opened the case themselves.
  openers uuid[] not null default '{}',
  constraint appeal_decision foreign key (decision_id, decided_by) references case_decision (id, decided_by) on delete cascade,
  constraint appeal_other_reviewer check (reviewer_id <> decided_by),
  constraint appeal_reviewed check (state in ('submitted', 'withdrawn') or reviewer_id is not null),
  constraint appeal_answered check ((answered_at is not null and char_length(answer) >= 40)
    = (state in ('upheld', 'overturned', 'partly_overturned', 'inadmissible'))),
  constraint appeal_not_opener check (reviewer_id <> all (openers))
);
create unique index appeal_one_open on appeal (decision_id, account_id) where state in ('submitted', 'under_review');
create index appeal_queue on appeal (due_at, id) where state in ('submitted', 'under_review');
create index appeal_decided on appeal (answered_at desc, id desc) where answered_at is not null;
create index appeal_case on appeal (case_id, submitted_at desc);
create index appeal_account on appeal (account_id) where account_id is not null;
create index appeal_decision_id on appeal (decision_id);

insert into community_rule (clause, version, title, body, created_by) values
  ('1', 1, 'Adults only', 'Heartwood is for people who are at least 18 years old.', 'Heartwood'),
  ('2', 1, 'Respect', 'No harassment, threats, hate or insults, in messages, notes or profiles. A no is a no.', 'Heartwood'),
  ('3', 1, 'Consent', 'No sexual messages or pictures that the other person has not asked for.', 'Heartwood'),
  ('4', 1, 'Be yourself', 'Your name, age and pictures are your own. No impersonation.', 'Heartwood'),
  ('5', 1, 'No scams', 'No requests for money, gifts, codes or investments, and no advertising.', 'Heartwood'),
  ('6', 1, 'Privacy', 'No sharing of other people''s pictures, messages or personal details without their consent.', 'Heartwood'),
  ('7', 1, 'Pictures', 'No nudity, violence or children alone in pictures.', 'Heartwood'),
  ('8', 1, 'Fair play', 'No second account to get around a decision, and no misuse of reports.', 'Heartwood');

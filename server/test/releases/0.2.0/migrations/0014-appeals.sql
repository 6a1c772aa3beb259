-- Appeals against decisions, by the person they act on or by a reporter whose report was not acted on.
alter table case_decision add constraint case_decision_decider unique (id, decided_by);
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
  constraint appeal_decision foreign key (decision_id, decided_by) references case_decision (id, decided_by) on delete cascade,
  constraint appeal_other_reviewer check (reviewer_id <> decided_by),
  constraint appeal_reviewed check (state in ('submitted', 'withdrawn') or reviewer_id is not null),
  constraint appeal_answered check ((answered_at is not null and char_length(answer) >= 40)
    = (state in ('upheld', 'overturned', 'partly_overturned', 'inadmissible')))
);
create unique index appeal_one_open on appeal (decision_id, account_id) where state in ('submitted', 'under_review');
create index appeal_queue on appeal (due_at, id) where state in ('submitted', 'under_review');
create index appeal_decided on appeal (answered_at desc, id desc) where answered_at is not null;
create index appeal_case on appeal (case_id, submitted_at desc);
create index appeal_account on appeal (account_id) where account_id is not null;

alter table case_event drop constraint case_event_kind_check;
alter table case_event add constraint case_event_kind_check check (kind in ('opened', 'claimed', 'released', 'lease_expired',
  'assigned', 'escalated', 'waiting_reporter', 'waiting_authority', 'resumed', 'raised_critical', 'closed', 'reopened', 'decided',
  'sanction_revoked', 'sanction_ended', 'appeal_submitted', 'appeal_reviewed', 'appeal_decided', 'appeal_withdrawn'));

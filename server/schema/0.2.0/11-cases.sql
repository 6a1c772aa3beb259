-- Reports, and the cases they belong to.

-- A case per reported person: everything reported about them, who handles it and until when. `case` itself is a word of SQL.
create table moderation_case (
  id uuid primary key default gen_random_uuid(),
  -- Null once the account is gone; its reports stay together by `report.case_id`.
  person_id uuid unique references account on delete set null,
  stage text not null default 'open' check (stage in ('open', 'claimed', 'assigned', 'escalated', 'waiting_reporter',
    'waiting_authority', 'decided')),
  priority text not null check (priority in ('critical', 'high', 'medium', 'other')),
  -- Why one click cannot close it.
  critical_because text check (critical_because in ('minor', 'second_reporter', 'confirmed_before', 'raised')),
  holder_id uuid references account on delete set null,
  holder_name text,
  -- When a claim ends by itself; null for other stages.
  lease_until timestamptz,
  opened_at timestamptz not null,
  updated_at timestamptz not null,
  -- When its clock started: at the first open report.
  started_at timestamptz not null,
  paused_at timestamptz,
  paused_ms bigint not null default 0,
  responded_at timestamptz,
  decided_at timestamptz,
  -- The last decision that found a violation.
  confirmed_at timestamptz,
  -- When the next thing is due; null once decided and while paused.
  due_at timestamptz,
  queue_at timestamptz not null generated always as (coalesce(due_at, 'infinity'::timestamptz)) stored,
  report_count int not null default 0,
  open_reports int not null default 0,
  -- When staff were last reminded of what is due.
  reminded_at timestamptz
);
create index moderation_case_queue on moderation_case (queue_at, id) where stage <> 'decided';
create index moderation_case_stage on moderation_case (stage, queue_at, id) where stage <> 'decided';
create index moderation_case_holder on moderation_case (holder_id, queue_at, id)
  where holder_id is not null and stage <> 'decided';
-- For deleting an account: the indexes above leave out decided cases.
create index moderation_case_holders on moderation_case (holder_id) where holder_id is not null;
create index moderation_case_decided on moderation_case (updated_at desc, id desc) where stage = 'decided';
create index moderation_case_lease on moderation_case (lease_until) where lease_until is not null;
create index moderation_case_opened on moderation_case (opened_at, id) where stage <> 'decided';
create index moderation_case_open_person on moderation_case (person_id) where stage <> 'decided' and person_id is not null;

create table case_event (
  id bigint generated always as identity primary key,
  case_id uuid not null references moderation_case on delete cascade,
  at timestamptz not null,
  kind text not null,
  actor_id uuid references account on delete set null,
  actor_role text not null,
  actor_name text,
  -- Of an assignment: the colleague; of a raise: the cause.
  to_value text,
  reason text,
  constraint case_event_actor_role_check check (actor_role in ('analyst', 'support', 'moderator', 'senior',
  'billing', 'auditor', 'admin', 'owner', 'member', 'system')),
  constraint case_event_kind_check check (kind in ('opened', 'claimed', 'released', 'lease_expired',
  'assigned', 'escalated', 'waiting_reporter', 'waiting_authority', 'resumed', 'raised_critical', 'closed', 'reopened', 'decided',
  'sanction_revoked', 'sanction_ended', 'appeal_submitted', 'appeal_reviewed', 'appeal_decided', 'appeal_withdrawn', 'linked',
  'searched', 'held', 'hold_ended', 'rule_hit', 'rule_undone', 'emergency', 'restriction_ended', 'referred', 'legal_hold_set',
  'legal_hold_released', 'age_asked', 'age_answered'))
);
create index case_event_case on case_event (case_id, id);
create index case_event_actor_newest on case_event (actor_id, id desc) where actor_id is not null;

-- How long first answers and decisions took, without pauses: for figures over weeks, read by a range of time.
create table case_time (
  case_id uuid not null references moderation_case on delete cascade,
  what text not null check (what in ('response', 'decision')),
  -- When the clock started, once for each time the case was opened.
  started_at timestamptz not null,
  at timestamptz not null,
  priority text not null check (priority in ('critical', 'high', 'medium', 'other')),
  took_ms bigint not null check (took_ms >= 0),
  primary key (case_id, what, started_at)
);
create index case_time_at on case_time (at) include (what, priority, took_ms, case_id);

create table report (
  id uuid primary key default gen_random_uuid(),
  reporter_id uuid references account on delete set null,
  reported_id uuid references account on delete set null,
  -- Replace people whose account is gone: one random value per person, the same in all reports.
  reporter_alias uuid,
  reported_alias uuid,
  -- The id the reporter gave, and the name they could see there.
  named_id uuid,
  named_name text,
  problem_type text not null check (problem_type in ('Technical Issue', 'Bug Report', 'Inappropriate Content', 'Harassment',
    'Account Issue', 'Payment Problem', 'Other')),
  description text not null,
  may_be_minor boolean not null default false,
  -- From type and age alone: what the reporter may know.
  first_priority text not null check (first_priority in ('critical', 'high', 'medium', 'other')),
  priority text not null check (priority in ('critical', 'high', 'medium', 'other')),
  priority_rank smallint not null generated always as (
    case priority when 'critical' then 0 when 'high' then 1 when 'medium' then 2 else 3 end) stored,
  status text not null default 'pending' check (status in ('pending', 'in_progress', 'resolved', 'closed', 'rejected')),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  due_at timestamptz not null,
  -- The first public reply or the first change of status.
  first_responded_at timestamptz,
  -- When the first response is due; infinity once it was given.
  awaited_at timestamptz not null generated always as (
    case when first_responded_at is null then due_at else 'infinity'::timestamptz end) stored,
  -- The latest public message is the reporter's.
  awaits_staff boolean not null default true,
  reply_count int not null default 0,
  unread_since timestamptz,
  deleted_at timestamptz,
  -- Text, short id and names, lower-cased, for searching.
  search_text text not null default '',
  case_id uuid references moderation_case on delete set null,
  -- Staff open cases on their own initiative, and write to members first: both are rows among reports, because evidence, replies and
  -- decisions belong to these. Only what members wrote is listed and counted.
  source text not null default 'notice',
  -- Who of the staff opened it, and when: an answered message has the time of the answer in created_at.
  opened_by uuid,
  opened_by_name text,
  opened_at timestamptz,
  is_listed boolean not null default true,
  constraint report_source_check
  check (source in ('notice', 'own_initiative', 'staff_message', 'automatic', 'outsider')),
  constraint report_opened_check check ((source = 'notice') = (opened_at is null)
  and (source in ('notice', 'automatic', 'outsider')) = (opened_by is null)
  and (source not in ('own_initiative', 'automatic', 'outsider') or not is_listed))
);
create index report_created on report (created_at desc, id desc) where deleted_at is null;
create index report_status on report (status, created_at desc, id desc) where deleted_at is null;
create index report_type on report (problem_type, created_at desc, id desc) where deleted_at is null;
create index report_priority on report (priority, created_at desc, id desc) where deleted_at is null;
create index report_status_type on report (status, problem_type, created_at desc, id desc) where deleted_at is null;
create index report_status_priority on report (status, priority, created_at desc, id desc) where deleted_at is null;
create index report_type_priority on report (problem_type, priority, created_at desc, id desc) where deleted_at is null;
create index report_all_three on report (status, problem_type, priority, created_at desc, id desc) where deleted_at is null;
create index report_awaited on report (awaited_at, created_at desc, id desc)
  where deleted_at is null and first_responded_at is null;
create index report_search on report using gin (search_text gin_trgm_ops) where deleted_at is null;
create index report_reporter on report (reporter_id, created_at desc, id desc) where reporter_id is not null;
create index report_reported on report (reported_id, created_at desc, id desc) where reported_id is not null;
create index report_unread on report (reporter_id) where unread_since is not null and deleted_at is null;
create index report_case on report (case_id, created_at desc, id desc) where case_id is not null;
create index report_may_be_minor on report (id) where may_be_minor and deleted_at is null;
create index report_opened_by on report (opened_by, created_at desc, id desc) where opened_by is not null;
create index report_own_initiative on report (opened_at) where source = 'own_initiative';
create index report_opened_unfinished on report (opened_by)
  where opened_by is not null and status in ('pending', 'in_progress') and deleted_at is null;

-- A copy of what was reported, as text that is hashed byte by byte. Never updated: see sql/append-only.sql.
create table report_evidence (
  id uuid primary key default gen_random_uuid(),
  report_id uuid not null references report on delete cascade,
  kind text not null,
  captured_at timestamptz not null,
  content text not null,
  hash bytea not null,
  constraint report_evidence_kind_check
  check (kind in ('profile', 'picture', 'message', 'note', 'date'))
);
create index report_evidence_report on report_evidence (report_id);

-- Pictures as a report captured them; the stored bytes are kept as long as this row.
create table evidence_picture (
  evidence_id uuid not null references report_evidence on delete cascade,
  position smallint not null,
  report_id uuid not null references report on delete cascade,
  object_key text not null,
  primary key (evidence_id, position)
);
create index evidence_picture_object on evidence_picture (object_key);

create table report_reply (
  id uuid primary key default gen_random_uuid(),
  seq bigint generated always as identity,
  report_id uuid not null references report on delete cascade,
  message text not null,
  is_internal boolean not null,
  author_id uuid references account on delete set null,
  author_role text not null,
  -- Of staff; a reporter's name is read from their profile.
  author_name text,
  created_at timestamptz not null,
  constraint report_reply_author_role_check check (author_role in ('analyst', 'support', 'moderator', 'senior',
  'billing', 'auditor', 'admin', 'owner', 'reporter'))
);
create index report_reply_report on report_reply (report_id, seq);
create index report_reply_author_newest on report_reply (author_id, seq desc) where author_id is not null;

create table report_event (
  id bigint generated always as identity primary key,
  report_id uuid not null references report on delete cascade,
  at timestamptz not null,
  kind text not null check (kind in ('filed', 'raised', 'status', 'undone', 'priority', 'reply', 'note')),
  actor_id uuid references account on delete set null,
  actor_role text not null,
  actor_name text,
  from_value text,
  to_value text,
  reason text,
  -- Whether it was the first response, so that undoing it undoes that too.
  was_first_response boolean not null default false,
  undone_at timestamptz,
  -- When the outcome was set; null once the reporter was told, or needn't be.
  notice_due_since timestamptz,
  constraint report_event_actor_role_check check (actor_role in ('analyst', 'support', 'moderator', 'senior',
  'billing', 'auditor', 'admin', 'owner', 'reporter', 'system'))
);
create index report_event_report on report_event (report_id, id);
create index report_event_actor on report_event (actor_id) where actor_id is not null;
create index report_event_notice on report_event (notice_due_since) where notice_due_since is not null;

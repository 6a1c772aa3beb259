-- Reports: what was reported, the evidence, and what was said and done.

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
  search_text text not null default ''
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

-- A copy of what was reported, as text that is hashed byte by byte. Never updated: see sql/append-only.sql.
create table report_evidence (
  id uuid primary key default gen_random_uuid(),
  report_id uuid not null references report on delete cascade,
  kind text not null check (kind in ('profile', 'picture', 'message')),
  captured_at timestamptz not null,
  content text not null,
  hash bytea not null
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
  author_role text not null check (author_role in ('reporter', 'admin', 'moderator')),
  -- Of staff; a reporter's name is read from their profile.
  author_name text,
  created_at timestamptz not null
);
create index report_reply_report on report_reply (report_id, seq);
-- Without this index and the one below, deleting an account would scan all replies and all events.
create index report_reply_author on report_reply (author_id) where author_id is not null;

create table report_event (
  id bigint generated always as identity primary key,
  report_id uuid not null references report on delete cascade,
  at timestamptz not null,
  kind text not null check (kind in ('filed', 'raised', 'status', 'undone', 'priority', 'reply', 'note')),
  actor_id uuid references account on delete set null,
  actor_role text not null check (actor_role in ('reporter', 'admin', 'moderator', 'system')),
  actor_name text,
  from_value text,
  to_value text,
  reason text,
  -- Whether it was the first response, so that undoing it undoes that too.
  was_first_response boolean not null default false,
  undone_at timestamptz
);
create index report_event_report on report_event (report_id, id);
create index report_event_actor on report_event (actor_id) where actor_id is not null;

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
  open_reports int not null default 0
);
create index moderation_case_queue on moderation_case (queue_at, id) where stage <> 'decided';
create index moderation_case_stage on moderation_case (stage, queue_at, id) where stage <> 'decided';
create index moderation_case_holder on moderation_case (holder_id, queue_at, id)
  where holder_id is not null and stage <> 'decided';
-- For deleting an account: the indexes above leave out decided cases.
create index moderation_case_holders on moderation_case (holder_id) where holder_id is not null;
create index moderation_case_decided on moderation_case (updated_at desc, id desc) where stage = 'decided';
create index moderation_case_lease on moderation_case (lease_until) where lease_until is not null;

alter table report add column case_id uuid references moderation_case on delete set null;
create index report_case on report (case_id, created_at desc, id desc) where case_id is not null;

create table case_event (
  id bigint generated always as identity primary key,
  case_id uuid not null references moderation_case on delete cascade,
  at timestamptz not null,
  kind text not null check (kind in ('opened', 'claimed', 'released', 'lease_expired', 'assigned', 'escalated', 'waiting_reporter',
    'waiting_authority', 'resumed', 'raised_critical', 'closed', 'reopened')),
  actor_id uuid references account on delete set null,
  actor_role text not null check (actor_role in ('admin', 'moderator', 'system', 'member')),
  actor_name text,
  -- Of an assignment: the colleague; of a raise: the cause.
  to_value text,
  reason text
);
create index case_event_case on case_event (case_id, id);
create index case_event_actor on case_event (actor_id) where actor_id is not null;

-- Reports from before: one case for each person they are about.
with filed as (
  select reported_id, count(*) as total, min(created_at) as first_at, max(updated_at) as last_at,
    count(*) filter (where status in ('pending', 'in_progress')) as open,
    min(created_at) filter (where status in ('pending', 'in_progress')) as open_since,
    bool_or(first_responded_at is not null) filter (where status in ('pending', 'in_progress')) as is_answered,
    min(first_responded_at) filter (where status in ('pending', 'in_progress')) as answered_at,
    min(priority_rank) filter (where status in ('pending', 'in_progress')) as open_rank, min(priority_rank) as rank,
    bool_or(may_be_minor) filter (where status in ('pending', 'in_progress')) as has_minor,
    count(distinct reporter_id) filter (where status <> 'rejected'
      and (may_be_minor or problem_type in ('Harassment', 'Inappropriate Content'))) as safety_reporters
  from report where reported_id is not null and deleted_at is null group by reported_id
), judged as (
  select *, case when open = 0 then null when has_minor then 'minor' when safety_reporters > 1 then 'second_reporter' end as because
  from filed
), ranked as (
  select *, case when because is not null then 0 else coalesce(open_rank, rank) end as final_rank from judged
)
insert into moderation_case (person_id, stage, priority, critical_because, opened_at, updated_at, started_at, responded_at, decided_at,
  due_at, report_count, open_reports)
select reported_id, case when open > 0 then 'open' else 'decided' end,
  (array['critical', 'high', 'medium', 'other'])[final_rank + 1], because, first_at, last_at, coalesce(open_since, first_at),
  answered_at, case when open = 0 then last_at end,
  case when open > 0 then open_since + make_interval(hours => case when is_answered
    then (array[4, 24, 72, 168])[final_rank + 1] else (array[1, 4, 24, 72])[final_rank + 1] end) end,
  total, open
from ranked;
update report r set case_id = c.id from moderation_case c where c.person_id = r.reported_id;
insert into case_event (case_id, at, kind, actor_role) select id, opened_at, 'opened', 'system' from moderation_case;

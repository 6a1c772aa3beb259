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

insert into case_time (case_id, what, started_at, at, priority, took_ms)
select c.id, v.what, c.started_at, v.at, c.priority,
  greatest(0, extract(epoch from v.at - c.started_at) * 1000 - case v.what when 'decision' then c.paused_ms else 0 end)::bigint
from moderation_case c cross join lateral (values
  ('response', coalesce(c.responded_at, c.decided_at)), ('decision', c.decided_at)) as v (what, at)
where v.at >= c.started_at;

-- When staff were last reminded of what is due.
alter table moderation_case add column reminded_at timestamptz;
alter table appeal add column reminded_at timestamptz;

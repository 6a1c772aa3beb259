-- Reports: what was filed, what it was about, what was said and done, and the counters their screens show.
create table report (
  id uuid primary key default gen_random_uuid(),
  reporter_id uuid references account on delete set null,
  reported_id uuid references account on delete set null,
  -- Stand in for people who are gone: one random value a person, the same in all reports.
  reporter_alias uuid,
  reported_alias uuid,
  -- What the reporter named, and the name they could read there.
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
  -- The first answer that is no note, or the first change of status.
  first_responded_at timestamptz,
  -- When an answer is due that nobody has given; never for the others.
  awaited_at timestamptz not null generated always as (
    case when first_responded_at is null then due_at else 'infinity'::timestamptz end) stored,
  -- The last public word is the reporter's.
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

-- A copy of what was reported, as text that is hashed byte by byte.
create table report_evidence (
  id uuid primary key default gen_random_uuid(),
  report_id uuid not null references report on delete cascade,
  kind text not null check (kind in ('profile')),
  captured_at timestamptz not null,
  content text not null,
  hash bytea not null
);
create index report_evidence_report on report_evidence (report_id);
create function report_evidence_is_frozen() returns trigger language plpgsql as $$
begin
  raise exception 'report_evidence is frozen';
end $$;
create trigger report_evidence_frozen before update on report_evidence
  for each statement execute function report_evidence_is_frozen();

create table report_reply (
  id uuid primary key default gen_random_uuid(),
  seq bigint generated always as identity,
  report_id uuid not null references report on delete cascade,
  message text not null,
  is_internal boolean not null,
  author_id uuid references account on delete set null,
  author_role text not null check (author_role in ('reporter', 'admin', 'moderator')),
  -- Of staff; a reporter's is read where it stands.
  author_name text,
  created_at timestamptz not null
);
create index report_reply_report on report_reply (report_id, seq);

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
  -- It was the first response, so that taking it back takes that back too.
  was_first_response boolean not null default false,
  undone_at timestamptz
);
create index report_event_report on report_event (report_id, id);

create function report_search_text(r report) returns text language sql stable as $$
  select lower(concat_ws(E'\n', r.description, r.id::text,
    (select concat_ws(' ', first_name, last_name) from profile where account_id = r.reporter_id),
    (select concat_ws(' ', first_name, last_name) from profile where account_id = r.reported_id)) collate "und-x-icu")
$$;
create function report_before_insert() returns trigger language plpgsql as $$
begin
  new.search_text := report_search_text(new);
  return new;
end $$;
create trigger report_insert before insert on report for each row execute function report_before_insert();
create function report_after_rename() returns trigger language plpgsql as $$
begin
  update report r set search_text = report_search_text(r)
    where r.reporter_id = new.account_id or r.reported_id = new.account_id;
  return null;
end $$;
create trigger report_rename after update of first_name, last_name on profile for each row
  when ((old.first_name, old.last_name) is distinct from (new.first_name, new.last_name))
  execute function report_after_rename();

-- A person who goes leaves a random value behind: reports about one person still belong together, and tell nobody's name.
create function report_before_account_delete() returns trigger language plpgsql as $$
declare alias uuid := gen_random_uuid();
begin
  update report r set reporter_id = null, reporter_alias = alias, search_text = lower(r.description || E'\n' || r.id::text)
    where reporter_id = old.id;
  update report r set reported_id = null, reported_alias = alias, named_id = null, named_name = null,
    search_text = lower(r.description || E'\n' || r.id::text) where reported_id = old.id;
  return old;
end $$;
create trigger report_account_delete before delete on account
  for each row execute function report_before_account_delete();

-- Durations are counted in classes 5 % wide: class n holds what takes 1.05^n to 1.05^(n+1) milliseconds.
create function report_statistic_keys(r report) returns table (kind text, key text, amount bigint) language sql immutable as $$
  select v.kind, v.key, v.amount from (values
    ('report', r.status || '|' || r.problem_type || '|' || r.priority, 1::bigint, true),
    ('reportResponse', coalesce(to_char(floor(ln(greatest(1,
      extract(epoch from r.first_responded_at - r.created_at) * 1000)) / ln(1.05)), 'FM0000'), ''), 1::bigint,
      r.first_responded_at is not null),
    ('reportResponseMs', 'sum', (extract(epoch from r.first_responded_at - r.created_at) * 1000)::bigint,
      r.first_responded_at is not null)
  ) as v (kind, key, amount, counts) where v.counts and r.deleted_at is null
$$;
create function report_statistic_after_insert() returns trigger language plpgsql as $$
begin
  insert into statistic_delta
    select k.kind, k.key, sum(k.amount) from new_rows r cross join lateral report_statistic_keys(r) k group by 1, 2;
  return null;
end $$;
create function report_statistic_after_delete() returns trigger language plpgsql as $$
begin
  insert into statistic_delta
    select k.kind, k.key, -sum(k.amount) from old_rows r cross join lateral report_statistic_keys(r) k group by 1, 2;
  return null;
end $$;
create function report_statistic_after_update() returns trigger language plpgsql as $$
begin
  insert into statistic_delta
    select kind, key, sum(n) from (
      select k.kind, k.key, k.amount as n from new_rows r cross join lateral report_statistic_keys(r) k
      union all
      select k.kind, k.key, -k.amount from old_rows r cross join lateral report_statistic_keys(r) k
    ) both_sides group by 1, 2 having sum(n) <> 0;
  return null;
end $$;
create trigger report_statistic_insert after insert on report
  referencing new table as new_rows for each statement execute function report_statistic_after_insert();
create trigger report_statistic_delete after delete on report
  referencing old table as old_rows for each statement execute function report_statistic_after_delete();
create trigger report_statistic_update after update on report
  referencing old table as old_rows new table as new_rows
  for each statement execute function report_statistic_after_update();

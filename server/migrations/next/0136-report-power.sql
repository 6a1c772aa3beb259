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

-- People who are held at the upgrade because of reports stay held.
insert into report_power (report_id, filed_at, network, is_credible, may_hold)
  select r.id, r.created_at, '', false, true from account_hold h join report r on r.case_id = h.case_id
  where h.ended_at is null and h.cause = 'critical_case' and r.source in ('notice', 'staff_message') and r.deleted_at is null
    and r.status in ('pending', 'in_progress')
on conflict do nothing;

-- An emergency that is paged together with others, because reports noted many within an hour.
alter table emergency add column is_grouped boolean not null default false;
create index emergency_reported on emergency (marked_at) where marked_by_name is null;
create index emergency_grouped on emergency (marked_at) where is_grouped;

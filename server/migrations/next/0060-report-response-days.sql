-- First responses by their day, so that the figures can say how the team answered lately. From here on `logic.report_statistic_keys`
-- counts them. A response in the seconds between is missing, until its day is no longer shown.
insert into statistic (kind, key, value)
select 'reportResponseOn', to_char(first_responded_at at time zone 'UTC', 'YYYY-MM-DD') || to_char(floor(ln(greatest(1,
  extract(epoch from first_responded_at - created_at) * 1000)) / ln(1.05)), 'FM"|"0000'), count(*)
from report where first_responded_at is not null and deleted_at is null group by 2
union all
select 'reportResponseMsOn', to_char(first_responded_at at time zone 'UTC', 'YYYY-MM-DD'),
  sum((extract(epoch from first_responded_at - created_at) * 1000)::bigint)
from report where first_responded_at is not null and deleted_at is null group by 2;

-- Figures that are counted from now on, of what 0.2.0 has seen. What happens in the seconds between is missing in them.

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

-- Who joined by day, for the comparison with the same days of last month. From here on `logic.statistic_keys` counts them. Someone who joins
-- in the seconds between is missing in that comparison.
insert into statistic (kind, key, value)
select 'joinedOn', to_char(created_at at time zone 'UTC', 'YYYY-MM-DD'), count(*) from directory
where created_at >= (date_trunc('month', now() at time zone 'UTC') - interval '1 month') at time zone 'UTC' group by 2;

-- The decisions of each day.
insert into case_decision_day
select (d.decided_at at time zone 'UTC')::date, coalesce(r.clause, ''), d.decided_by, count(*), count(a.is_overturned),
  count(*) filter (where a.is_overturned), count(t.took_ms), coalesce(sum(t.took_ms), 0)
from case_decision d left join community_rule r on r.id = d.rule_id
  left join (select decision_id, bool_or(state in ('overturned', 'partly_overturned')) as is_overturned
    from appeal group by 1) a on a.decision_id = d.id
  left join case_time t on t.case_id = d.case_id and t.what = 'decision' and t.at = d.decided_at
where d.kind = 'full' group by 1, 2, 3;

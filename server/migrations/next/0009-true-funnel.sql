-- The funnel counts those who came as far as a step, with all steps before it. Until now it counted each step by itself, so someone
-- could be counted in a step again. Those who left meanwhile stay counted as joined only.
delete from insight_cohort where step not in ('joined', 'active');
insert into insight_cohort (month, step, gender, elapsed, day, people)
  select date_trunc('month', d.created_at at time zone 'UTC')::date, m.step, coalesce(d.gender, ''),
    case when m.at < d.created_at + interval '7 days' then 0 when m.at < d.created_at + interval '30 days' then 1 else 2 end,
    (m.at at time zone 'UTC')::date, count(*)::int
  from (
    select account_id, step, nth, max(reached_at) over so_far as at, count(*) over so_far as reached
    from milestone join unnest(array['confirmed', 'completed', 'liked', 'matched', 'messaged', 'conversation', 'premium'])
      with ordinality s (step, nth) using (step)
    window so_far as (partition by account_id order by nth)
  ) m join directory d using (account_id)
  where m.reached = m.nth
  group by 1, 2, 3, 4, 5;

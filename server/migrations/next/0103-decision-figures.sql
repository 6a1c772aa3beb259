-- The decisions with reasons of each day, counted by the roll-up, so that their figures are not counted when they are asked for. An
-- appeal changes the figures of an earlier day, which is then counted again.
create table case_decision_day (
  day date not null,
  -- Empty for decisions that named no rule.
  clause text not null,
  decided_by uuid not null,
  decided int not null,
  appealed int not null,
  overturned int not null,
  -- Those of which the time is known, and the sum of these times.
  timed int not null,
  took_ms bigint not null,
  primary key (day, clause, decided_by)
);

insert into case_decision_day
select (d.decided_at at time zone 'UTC')::date, coalesce(r.clause, ''), d.decided_by, count(*), count(a.is_overturned),
  count(*) filter (where a.is_overturned), count(t.took_ms), coalesce(sum(t.took_ms), 0)
from case_decision d left join community_rule r on r.id = d.rule_id
  left join (select decision_id, bool_or(state in ('overturned', 'partly_overturned')) as is_overturned
    from appeal group by 1) a on a.decision_id = d.id
  left join case_time t on t.case_id = d.case_id and t.what = 'decision' and t.at = d.decided_at
where d.kind = 'full' group by 1, 2, 3;

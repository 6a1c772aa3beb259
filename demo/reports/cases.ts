import type pg from 'pg';
import { demoId } from '../members/id.ts';

const administratorNumber = 0;
const moderatorNumber = 1;

/** What staff have done with some of the open cases: their place among those with reports, and the stage they are in. */
const handled = [
  { place: 2, stage: 'claimed', by: moderatorNumber },
  { place: 4, stage: 'escalated', by: null },
  { place: 5, stage: 'assigned', by: administratorNumber },
  { place: 7, stage: 'waiting_reporter', by: moderatorNumber },
  { place: 8, stage: 'waiting_authority', by: administratorNumber },
] as const;

/** Opens the cases of all demo reports, as filing them would have, and has staff take some of them in hand. */
export async function openCases(client: pg.ClientBase, now: Date): Promise<void> {
  await client.query(`
    with filed as (
      select reported_id, count(*) as total, min(created_at) as first_at, max(updated_at) as last_at,
        count(*) filter (where is_open) as open, min(created_at) filter (where is_open) as open_since,
        min(first_responded_at) filter (where is_open) as answered_at,
        min(priority_rank) filter (where is_open) as open_rank, min(priority_rank) as rank,
        bool_or(may_be_minor) filter (where is_open) as has_minor,
        count(distinct reporter_id) filter (where status <> 'rejected'
          and (may_be_minor or problem_type in ('Harassment', 'Inappropriate Content'))) as safety_reporters
      from (select *, status in ('pending', 'in_progress') as is_open from report where reported_id is not null) r
      group by reported_id
    ), judged as (
      select *, case when open = 0 then null when has_minor then 'minor' when safety_reporters > 1 then 'second_reporter' end as because
      from filed
    ), ranked as (
      select *, 1 + case when because is not null then 0 else coalesce(open_rank, rank) end as place from judged
    )
    insert into moderation_case (person_id, stage, priority, critical_because, opened_at, updated_at, started_at, responded_at,
      decided_at, due_at, report_count, open_reports)
    select reported_id, case when open > 0 then 'open' else 'decided' end,
      (array['critical', 'high', 'medium', 'other'])[place], because, first_at, last_at, coalesce(open_since, first_at),
      answered_at, case when open = 0 then last_at end,
      case when open > 0 then open_since + make_interval(hours => case when answered_at is not null
        then (array[4, 24, 72, 168])[place] else (array[1, 4, 24, 72])[place] end) end, total, open
    from ranked`);
  await client.query('update report r set case_id = c.id from moderation_case c where c.person_id = r.reported_id');
  await client.query(`insert into case_event (case_id, at, kind, actor_role)
    select id, opened_at, 'opened', 'system' from moderation_case order by opened_at`);
  await client.query(`insert into case_event (case_id, at, kind, actor_role, to_value)
    select id, started_at, 'raised_critical', 'system', critical_because from moderation_case where critical_because is not null`);
  for (const { place, stage, by } of handled) {
    const isPaused = stage === 'waiting_reporter' || stage === 'waiting_authority';
    await client.query(
      `with chosen as (
         select id from moderation_case where open_reports > 0 order by started_at desc, id offset $1 limit 1
       ), changed as (
         update moderation_case c set stage = $2, holder_id = a.id, holder_name = nullif(concat_ws(' ', p.first_name, p.last_name), ''),
           lease_until = case when $2 = 'claimed' then $4::timestamptz + interval '10 minutes' end,
           paused_at = case when $5 then $4::timestamptz end, due_at = case when $5 then null else c.due_at end
         from chosen left join account a on a.id = $3::uuid left join profile p on p.account_id = a.id
         where c.id = chosen.id returning c.id
       )
       insert into case_event (case_id, at, kind, actor_id, actor_role, actor_name, to_value, reason)
         select changed.id, $4::timestamptz, $2, a.id, a.staff_role, concat_ws(' ', p.first_name, p.last_name),
           case when $2 = 'assigned' then concat_ws(' ', p.first_name, p.last_name) end,
           case $2 when 'escalated' then 'A second look, please: the messages contain a threat.'
             when 'waiting_authority' then 'Sent the frozen messages to the local police, reference 4711.' end
         from changed join account a on a.id = coalesce($3::uuid, $6::uuid) join profile p on p.account_id = a.id`,
      [place, stage, by === null ? null : demoId(by), now, isPaused, demoId(moderatorNumber)],
    );
  }
}

/** What staff decided about some of the closed cases: their place among those, and what was done. */
const decided = [
  { place: 0, outcome: 'actioned', clause: '2', kind: 'warn', days: null },
  { place: 1, outcome: 'actioned', clause: '5', kind: 'suspend', days: 1 },
  { place: 2, outcome: 'unfounded', clause: null, kind: null, days: null },
  { place: 3, outcome: 'no_violation', clause: null, kind: null, days: null },
] as const;

const facts = 'Kept writing after being asked to stop, with insults in several messages.';
const answer = 'Thank you for your report. We looked at it carefully and have decided.';

/** Gives some closed cases a decision with reasons, and each deactivated account the sanction behind it. */
export async function decideCases(client: pg.ClientBase, now: Date): Promise<void> {
  await client.query(
    `insert into sanction (account_id, kind, reason, created_by_name, starts_at, strikes, strikes_until)
     select id, 'suspend', coalesce(deactivation_reason, 'Deactivated'), 'Staff', coalesce(deactivated_at, $1::timestamptz), 0,
       $1::timestamptz from account where not is_active`,
    [now],
  );
  for (const { place, outcome, clause, kind, days } of decided) {
    await client.query(
      `with chosen as (
         select id, person_id, greatest(decided_at, $4::timestamptz - interval '40 days') as at from moderation_case
         where stage = 'decided' and person_id is not null order by decided_at desc, id offset $1 limit 1
       ), made as (
         insert into case_decision (case_id, kind, outcome, rule_id, facts, source, answer, decided_by, decided_by_name, decided_at)
         select chosen.id, 'full', $2, (select id from community_rule where clause = $3 and replaced_at is null),
           case when $2 = 'actioned' then $7 end, 'notice', $8, p.account_id, concat_ws(' ', p.first_name, p.last_name), chosen.at
         from chosen join profile p on p.account_id = $9::uuid returning id, case_id, decided_by, decided_by_name, decided_at
       ), answered as (
         insert into case_decision_report (decision_id, report_id)
         select made.id, r.id from made join report r on r.case_id = made.case_id
       ), noted as (
         insert into case_event (case_id, at, kind, actor_id, actor_role, actor_name, to_value)
         select case_id, decided_at, 'decided', decided_by, 'moderator', decided_by_name, $2 from made
       ), confirmed as (
         update moderation_case c set confirmed_at = made.decided_at from made where made.case_id = c.id and $2 = 'actioned'
       )
       insert into sanction (account_id, decision_id, kind, reason, created_by_name, starts_at, ends_at, ended_at, strikes, strikes_until)
       select chosen.person_id, made.id, $5, $7, made.decided_by_name, made.decided_at,
         made.decided_at + make_interval(days => $6), made.decided_at + make_interval(days => $6),
         case $5 when 'warn' then 1 else 3 end, made.decided_at + interval '365 days'
       from made join chosen on chosen.id = made.case_id where $5::text is not null`,
      [place, outcome, clause, now, kind, days, facts, answer, demoId(moderatorNumber)],
    );
  }
}

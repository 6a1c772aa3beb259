import type pg from 'pg';
import { demoId } from '../members/id.ts';

const administratorNumber = 0;
const moderatorNumber = 1;

/** The open cases that staff have handled: their place among those with reports, and their stage. */
const handled = [
  // The first critical one, which is the emergency.
  { place: 0, stage: 'escalated', by: null },
  { place: 2, stage: 'claimed', by: moderatorNumber },
  { place: 5, stage: 'assigned', by: administratorNumber },
  { place: 7, stage: 'waiting_reporter', by: moderatorNumber },
  { place: 8, stage: 'waiting_authority', by: administratorNumber },
] as const;

/** Opens the cases of all demo reports as filing them would have, and lets staff handle some of them. */
export async function openCases(client: pg.ClientBase, now: Date): Promise<void> {
  await client.query(`
    with filed as (
      select reported_id, count(*) as total, min(created_at) as first_at, max(updated_at) as last_at,
        count(*) filter (where is_open) as open, min(created_at) filter (where is_open) as open_since,
        min(first_responded_at) filter (where is_open) as answered_at,
        min(priority_rank) filter (where is_open) as open_rank, min(priority_rank) as rank,
        bool_or(may_be_minor) filter (where is_open) as has_minor,
        bool_or(exists (select from report_event e where e.report_id = r.id and e.kind = 'priority')) as is_raised,
        count(distinct reporter_id) filter (where status <> 'rejected'
          and (may_be_minor or problem_type in ('Harassment', 'Inappropriate Content'))) as safety_reporters
      from (select *, status in ('pending', 'in_progress') as is_open from report where reported_id is not null) r
      group by reported_id
    ), judged as (
      select *, case when open = 0 then null when has_minor then 'minor' when safety_reporters > 1 then 'second_reporter'
        when is_raised then 'raised' end as because
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
  await client.query(`
    insert into case_time (case_id, what, started_at, at, priority, took_ms)
    select c.id, ended.what, c.started_at, ended.at, c.priority, extract(epoch from ended.at - c.started_at) * 1000
    from moderation_case c cross join lateral (select min(first_responded_at) as at from report where case_id = c.id) answered
      cross join lateral (values ('response', coalesce(answered.at, c.decided_at)), ('decision', c.decided_at)) as ended (what, at)
    where ended.at >= c.started_at`);
  await client.query(`insert into case_event (case_id, at, kind, actor_role)
    select id, opened_at, 'opened', 'system' from moderation_case order by opened_at`);
  await client.query(`insert into case_event (case_id, at, kind, actor_role, to_value)
    select id, started_at, 'raised_critical', 'system', critical_because from moderation_case where critical_because is not null`);
  for (const { place, stage, by } of handled) {
    const isPaused = stage === 'waiting_reporter' || stage === 'waiting_authority';
    await client.query(
      `with chosen as (
         select id from moderation_case where open_reports > 0 order by critical_because is distinct from 'raised', started_at desc, id offset $1 limit 1
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
           case $2 when 'escalated' then 'A threat to life: someone senior has to see this now.'
             when 'waiting_authority' then 'Sent the frozen messages to the local police, reference 4711.' end
         from changed join account a on a.id = coalesce($3::uuid, $6::uuid) join profile p on p.account_id = a.id`,
      [place, stage, by === null ? null : demoId(by), now, isPaused, demoId(moderatorNumber)],
    );
  }
}

/** The moderator's decisions about closed cases; each is about the newest undecided case of this age and source. */
const decided = [
  { daysAgo: 0, outcome: 'no_violation', clause: null, kind: null, days: null, source: 'own_initiative' },
  {
    daysAgo: 3,
    outcome: 'actioned',
    clause: '5',
    kind: 'warn',
    days: null,
    source: 'own_initiative',
    facts: 'The profile offers an investment and asks for money.',
  },
  { daysAgo: 0, outcome: 'actioned', clause: '2', kind: 'warn', days: null },
  { daysAgo: 0, outcome: 'actioned', clause: '5', kind: 'suspend', days: 1 },
  { daysAgo: 0, outcome: 'unfounded', clause: null, kind: null, days: null },
  { daysAgo: 0, outcome: 'no_violation', clause: null, kind: null, days: null },
  { daysAgo: 3, outcome: 'actioned', clause: '3', kind: 'limit_messaging', days: 30 },
  { daysAgo: 5, outcome: 'actioned', clause: '2', kind: 'remove_content', days: null },
  { daysAgo: 10, outcome: 'no_violation', clause: null, kind: null, days: null },
  { daysAgo: 20, outcome: 'actioned', clause: '6', kind: 'limit_messaging', days: 90 },
] as const;

const usualFacts = 'Kept writing after being asked to stop, with insults in several messages.';
const answer = 'Thank you for your report. We looked at it carefully and have decided.';

/** Selects the frozen profiles that have a bio. */
const frozenBio = `select e.id from report r join report_evidence e on e.report_id = r.id and e.content::jsonb #>> '{profile,bio}' <> ''`;

/** Gives some closed cases a decision with reasons, and each deactivated account the sanction behind it. */
export async function decideCases(client: pg.ClientBase, now: Date): Promise<void> {
  await client.query(
    `insert into sanction (account_id, kind, reason, created_by_name, starts_at, strikes, strikes_until)
     select id, 'suspend', coalesce(deactivation_reason, 'Deactivated'), 'Staff', coalesce(deactivated_at, $1::timestamptz), 0,
       $1::timestamptz from account where not is_active`,
    [now],
  );
  for (const { daysAgo, outcome, clause, kind, days, ...more } of decided) {
    const { source, facts } = { source: 'notice', facts: usualFacts, ...more };
    await client.query(
      `with chosen as (
         select id, person_id, greatest(decided_at, $4::timestamptz - interval '40 days') as at from moderation_case
         where stage = 'decided' and person_id is not null and decided_at <= $4::timestamptz - make_interval(days => $1)
           and not exists (select from case_decision d where d.case_id = moderation_case.id)
           and $10 = (select min(source) from report r where r.case_id = moderation_case.id)
           and ($5::text is distinct from 'remove_content' or exists (${frozenBio} where r.case_id = moderation_case.id))
         order by decided_at desc, id limit 1
       ), made as (
         insert into case_decision (case_id, kind, outcome, rule_id, facts, source, answer, decided_by, decided_by_name, decided_at)
         select chosen.id, 'full', $2, (select id from community_rule where clause = $3 and replaced_at is null),
           case when $2 = 'actioned' then $7 end, $10, $8, p.account_id, concat_ws(' ', p.first_name, p.last_name), chosen.at
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
       insert into sanction (account_id, decision_id, kind, content, reason, created_by_name, starts_at, ends_at, ended_at, strikes,
         strikes_until)
       select chosen.person_id, made.id, $5,
         case when $5 = 'remove_content' then (select jsonb_build_object('evidenceId', id, 'type', 'text', 'key', 'bio', 'isGone', false)
           from (${frozenBio} where r.case_id = chosen.id limit 1) e) end,
         $7, made.decided_by_name, made.decided_at,
         made.decided_at + make_interval(days => $6),
         case when made.decided_at + make_interval(days => $6) <= $4 then made.decided_at + make_interval(days => $6) end,
         case $5 when 'suspend' then 3 else 1 end, made.decided_at + interval '365 days'
       from made join chosen on chosen.id = made.case_id where $5::text is not null`,
      [daysAgo, outcome, clause, now, kind, days, facts, answer, demoId(moderatorNumber), source],
    );
  }
  await client.query(
    `update profile set bio = null where account_id in (select account_id from sanction where kind = 'remove_content')`,
  );
}

/** Lets a banned person return: the newest member without a case gets the same card and a similar picture, and is held. */
export async function bringBackBanned(client: pg.ClientBase, now: Date): Promise<void> {
  await client.query(
    `update sanction set kind = 'ban', strikes = 6 where id = (
       select s.id from sanction s join account a on a.id = s.account_id left join moderation_case c on c.person_id = a.id
       where not a.is_active and s.decision_id is null order by c.id is null, s.starts_at desc limit 1)`,
  );
  await client.query(
    `with back as (
       select a.id, s.id as sanction_id, greatest(a.created_at, $1::timestamptz - interval '2 hours') as at
       from account a cross join sanction s
       where s.kind = 'ban' and a.is_active and a.leaving_since is null and a.staff_role is null and a.email not like '%@heartwood.test'
         and not exists (select from moderation_case c where c.person_id = a.id)
       order by a.created_at desc limit 1
     ), opened as (
       insert into moderation_case (person_id, priority, opened_at, updated_at, started_at, due_at)
       select id, 'high', at, at, at, at + interval '4 hours' from back returning id, opened_at
     ), noted as (
       insert into case_event (case_id, at, kind, actor_role, to_value)
       select id, opened_at, kind, 'system', what from opened
         cross join (values ('opened', null), ('linked', 'card'), ('linked', 'picture')) as e (kind, what)
     )
     insert into account_link (account_id, sanction_id, kind, strength, found_at)
     select id, sanction_id, kind, strength, at from back cross join (values ('card', 'strong'), ('picture', 'medium')) as l (kind, strength)`,
    [now],
  );
  await client.query(`
    with held as (
      insert into account_hold (account_id, case_id, cause, since, ends_at)
      select c.person_id, c.id, 'ban_trace', c.opened_at, c.opened_at + interval '72 hours'
      from account_link k join moderation_case c on c.person_id = k.account_id where k.strength = 'strong' returning *
    )
    insert into case_event (case_id, at, kind, actor_role, to_value) select case_id, since, 'held', 'system', cause from held`);
}

/** Three appeals: a new one, a late one by a reporter, and one that overturned the decision. */
const appeals = [
  {
    party: 'person',
    daysAgo: 2,
    state: 'submitted',
    plea: 'Please read the whole conversation: I only answered what I had been asked.',
  },
  {
    party: 'reporter',
    daysAgo: 9,
    state: 'under_review',
    plea: 'Please read the last messages, not only the first ones.',
  },
  {
    party: 'person',
    daysAgo: 15,
    state: 'overturned',
    plea: 'The place I named is a public museum, not where anyone lives.',
  },
] as const;
const reasons = 'The messages show a public place, which is no personal detail. The first decision overlooked that.';

/** Adds appeals against decisions of the moderator, some of which the administrator has reviewed. */
export async function appealDecisions(client: pg.ClientBase, now: Date): Promise<void> {
  for (const { party, daysAgo, state, plea } of appeals) {
    await client.query(
      `with chosen as (
         select d.id, d.case_id, d.decided_by, case when $1 = 'person' then c.person_id else r.reporter_id end as account_id
         from case_decision d join moderation_case c on c.id = d.case_id
           join lateral (select r.reporter_id from case_decision_report l join report r on r.id = l.report_id
             where l.decision_id = d.id order by r.created_at limit 1) r on r.reporter_id is not null
         where d.decided_at <= $2::timestamptz - make_interval(days => $3 + 1) and (d.outcome = 'actioned') = ($1 = 'person')
         order by d.decided_at desc limit 1
       ), made as (
         insert into appeal (decision_id, case_id, party, account_id, state, plea, submitted_at, due_at, decided_by, reviewer_id,
           reviewer_name, answer, answered_at)
         select chosen.id, case_id, $1, chosen.account_id, $4, $5, at, at + interval '7 days', decided_by,
           case when $4 <> 'submitted' then p.account_id end,
           case when $4 <> 'submitted' then concat_ws(' ', p.first_name, p.last_name) end,
           case when $4 = 'overturned' then $6 end, case when $4 = 'overturned' then at + interval '2 days' end
         from chosen cross join (select $2::timestamptz - make_interval(days => $3) as at) t join profile p on p.account_id = $7::uuid
         returning *
       ), undone as (
         update case_decision d set undone_at = made.answered_at from made where made.decision_id = d.id and made.state = 'overturned'
       ), revoked as (
         update sanction s set revoked_at = made.answered_at, revoked_by_name = made.reviewer_name,
           revoke_reason = 'Overturned by an appeal'
         from made where made.decision_id = s.decision_id and made.state = 'overturned'
       ), unconfirmed as (
         update moderation_case c set confirmed_at = null from made where made.case_id = c.id and made.state = 'overturned'
       )
       insert into case_event (case_id, at, kind, actor_id, actor_role, actor_name, to_value)
       select case_id, submitted_at, 'appeal_submitted', account_id, 'member',
         case party when 'person' then 'The reported person' else 'A reporter' end, null from made
       union all
       select case_id, answered_at, 'appeal_decided', reviewer_id, 'admin', reviewer_name, state from made where answered_at is not null`,
      [party, now, daysAgo, state, plea, reasons, demoId(administratorNumber)],
    );
  }
  await client.query(`update account set is_messaging_limited = true where id in (select account_id from sanction
    where kind = 'limit_messaging' and ended_at is null and revoked_at is null)`);
}

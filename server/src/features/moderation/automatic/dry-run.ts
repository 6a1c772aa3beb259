import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { ageBuckets } from '#contract/statistics.ts';
import { dryRunDimensions, dryRunExamples } from '#contract/moderation/automatic-rules.ts';
import type { RuleCondition, RuleFactValues } from '#contract/moderation/rule-words.ts';
import type { Db } from '#platform/db/db.ts';
import { addJob } from '#platform/jobs/jobs.ts';
import { startPiece } from '#platform/jobs/pieces.ts';
import { ageOn, dayOf } from '#platform/process/clock.ts';
import type { StaffContext } from '../work/case-row.ts';
import { factsSince } from './facts.ts';
import { matches } from './policy.ts';
import { lockRule, recorded } from './rules.ts';
import type { DryRunState, GroupCount } from '#platform/db/json.ts';

const examinedAtOnce = 1000;

const queue = (tx: Db, id: string, run: string) =>
  addJob(tx, 'rules.dryRun', { id, run }, { jobKey: `rules.dryRun ${id}` });

/** Starts a dry run of a rule, which replaces an earlier one. 404. */
export async function startDryRun(context: StaffContext, { id }: { id: string }): ReturnType<typeof recorded> {
  const { tx, now } = context;
  const { name } = await lockRule(tx, id);
  const run = randomUUID();
  const counts = { total: 0, examined: 0, hits: 0, groups: [] };
  const state: DryRunState = { run, startedAt: now, finishedAt: null, ...counts };
  await tx
    .updateTable('automatic_rule')
    .set({ dry_run: JSON.stringify(state) })
    .where('id', '=', id)
    .execute();
  await tx.deleteFrom('dry_run_example').where('rule_id', '=', id).execute();
  await queue(tx, id, run);
  return await recorded(context, id, { action: 'automaticRule.dryRun', reason: name });
}

interface Person {
  id: string;
  gender: string | null;
  birth_date: string | null;
  country: string | null;
  /** The facts of each day on which they were active. */
  days: RuleFactValues[];
}

/** The next people in the order of their ids, with their facts of the last 30 days. */
async function peopleAfter(db: Db, after: string, now: Date): Promise<Person[]> {
  const since = dayOf(factsSince(now));
  const { rows } = await sql<Person>`
    select p.account_id as id, d.gender, d.birth_date::text as birth_date, d.country, f.days
    from (
      select distinct account_id from rule_fact where account_id > ${after}::uuid and day >= ${since}::date
      order by account_id limit ${examinedAtOnce}
    ) p left join directory d on d.account_id = p.account_id cross join lateral (
      select jsonb_agg(facts) as days from rule_fact where account_id = p.account_id and day >= ${since}::date
    ) f order by p.account_id`.execute(db);
  return rows;
}

function groupOf({ gender, birth_date, country }: Person, now: Date): Record<GroupCount['by'], string> {
  const age = birth_date === null ? null : ageOn(birth_date, now);
  const band = ageBuckets.findLast(({ from }) => age !== null && age >= from);
  return { gender: gender ?? '', age: band?.bucket ?? '', country: country ?? '' };
}

/** The state with these people counted, and those of them the rule would have hit. */
function counted(state: DryRunState, conditions: readonly RuleCondition[], people: readonly Person[], now: Date) {
  const groups = new Map(state.groups.map((group) => [`${group.by} ${group.group}`, { ...group }]));
  const hits: string[] = [];
  for (const person of people) {
    const isHit = person.days.some((facts) => matches(conditions, facts));
    if (isHit) hits.push(person.id);
    const own = groupOf(person, now);
    for (const by of dryRunDimensions) {
      const key = `${by} ${own[by]}`;
      const group = groups.get(key) ?? { by, group: own[by], people: 0, hits: 0 };
      groups.set(key, { ...group, people: group.people + 1, hits: group.hits + Number(isHit) });
    }
  }
  const examined = state.examined + people.length;
  return { hits, state: { ...state, examined, hits: state.hits + hits.length, groups: [...groups.values()] } };
}

const noId = '00000000-0000-0000-0000-000000000000';

/**
 * The job that counts who a rule would have hit in the last 30 days. The facts of a day are its highest values, so it counts a few people
 * more than the rule would have hit, never fewer. Progress is stored with the last person, so that it resumes there after a crash. It ends
 * if a colleague has changed the rule or started another run.
 */
export async function continueDryRun(db: Db, { id, run }: { id: string; run: string }, now: Date): Promise<void> {
  const isOver = startPiece();
  for (;;) {
    const rule = await db
      .selectFrom('automatic_rule')
      .select(['conditions', 'dry_run'])
      .where('id', '=', id)
      .executeTakeFirst();
    if (rule?.dry_run?.run !== run || rule.dry_run.finishedAt !== null) return;
    if (isOver()) return await queue(db, id, run);
    const { after = noId, ...before } = rule.dry_run;
    const total = before.total > 0 ? before.total : await countPeople(db, now);
    const people = await peopleAfter(db, after, now);
    const { hits, state } = counted({ ...before, total }, rule.conditions, people, now);
    const last = people.at(-1);
    const stored =
      last === undefined || people.length < examinedAtOnce
        ? { ...state, total: state.examined, finishedAt: now }
        : { ...state, after: last.id };
    const wanted = Math.max(0, dryRunExamples - before.hits);
    await sql`
      with stored as (
        update automatic_rule set dry_run = ${JSON.stringify(stored)}::jsonb
        where id = ${id}::uuid and dry_run ->> 'run' = ${run} and coalesce(dry_run ->> 'after', ${noId}) = ${after}
        returning id
      )
      insert into dry_run_example (rule_id, account_id)
      select stored.id, a.id from stored, account a where a.id = any (${hits.slice(0, wanted)}::uuid[])
      on conflict do nothing`.execute(db);
  }
}

async function countPeople(db: Db, now: Date): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(distinct account_id)::int as count from rule_fact where day >= ${dayOf(factsSince(now))}::date`.execute(
    db,
  );
  return rows[0]?.count ?? 0;
}

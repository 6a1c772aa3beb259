import { sql } from 'kysely';
import * as z from 'zod/mini';
import type { Deps } from '../../../deps.ts';
import type { Reactions } from '../../../events.ts';
import { inTransaction } from '#platform/db/db.ts';
import { job } from '#platform/jobs/job.ts';
import { eachInTurn, eachPage } from '#platform/jobs/turns.ts';
import { forgetJob } from '#platform/people/forget.ts';
import { dayOf, secondsAfter } from '#platform/process/clock.ts';
import { userById } from '../../profiles/public.ts';
import { freeze } from '../reports/evidence.ts';
import { continueDryRun } from './dry-run.ts';
import { noteFirstWords, refreshFacts } from './facts.ts';
import { applyRules, rulesOn, undoHits } from './hits.ts';
import { judgeHits } from './judge.ts';
import { matches } from './policy.ts';

/** Longer than the minute between two runs, so that no activity is missed in between. */
const watchedSeconds = 180;
const watchedAtOnce = 500;

/** For this long after a picture was added, checks may find the same picture on another account. */
const pictureSeconds = 3600;

/** Whether the facts of a recently active member `p` may differ from the stored ones, or a rule is new. */
const hasNews = (since: Date, now: Date) => sql`(
  exists (select from automatic_rule where (is_on or is_watching) and changed_at > ${since})
  or not exists (select from rule_fact f where f.account_id = p.account_id and f.day = ${dayOf(now)}::date)
  or exists (select from decision d where d.viewer_id = p.account_id and d.decided_at > ${since})
  or exists (select from account_link l where l.account_id = p.account_id and l.found_at > ${since})
  or exists (select from picture own where own.account_id = p.account_id
    and own.claimed_at > ${secondsAfter(now, -pictureSeconds)})
  or exists (select from directory d where d.account_id = p.account_id and d.country <> (
    select f.country from rule_fact f where f.account_id = p.account_id order by f.day desc limit 1)))`;

/** Updates the facts of recently active members that may have changed, or who were reported, and applies the rules to them. */
async function watch(deps: Deps): Promise<void> {
  const { db } = deps;
  const now = deps.clock.now();
  const since = secondsAfter(now, -watchedSeconds);
  const rules = await rulesOn(db, now);
  const read = async (after: { id: string } | undefined) => {
    const { rows } = await sql<{ id: string }>`
      select id from (
        select account_id as id from presence p where last_active_at > ${since}::timestamptz and ${hasNews(since, now)}
        union select reported_id from report where created_at > ${since}::timestamptz and deleted_at is null
      ) watched
      where ${after === undefined ? sql`id is not null` : sql`id > ${after.id}::uuid`} order by id limit ${watchedAtOnce}`.execute(
      db,
    );
    return rows;
  };
  const work = async (rows: { id: string }[]) => {
    const ids = rows.map(({ id }) => id);
    const found = await refreshFacts(db, ids, now);
    const hit = found.filter(({ facts }) => rules.some(({ conditions }) => matches(conditions, facts)));
    await eachInTurn(hit, (one) => inTransaction(db, (tx) => applyRules({ tx, deps, now }, rules, one)));
  };
  await eachPage(read, work, { round: 'rules.watch', keyOf: ({ id }) => id });
}

const copySchema = z.object({ reportId: z.string(), accountId: z.string() });

/** Copies the profile of a person hit by a rule as evidence. This is separate from the hit, which must not delay the sender. */
async function copyProfile(deps: Deps, { reportId, accountId }: z.infer<typeof copySchema>): Promise<void> {
  await inTransaction(deps.db, async (tx) => {
    const user = await userById(tx, accountId);
    const { rows } = await sql`select from report where id = ${reportId}::uuid and deleted_at is null
      and not exists (select from report_evidence where report_id = ${reportId}::uuid) for update`.execute(tx);
    if (user !== undefined && rows.length > 0) await freeze({ tx, deps, now: deps.clock.now() }, reportId, user, []);
  });
}

/** Unreviewed reports by rules that lack the copy of the profile. */
const uncopied = sql`select report_id::text as key,
    jsonb_build_object('reportId', report_id, 'accountId', account_id) as payload, hit_at as since
  from rule_hit h where judged_at is null and not exists (select from report_evidence e where e.report_id = h.report_id)
    and exists (select from report r where r.id = h.report_id and r.deleted_at is null)`;

const unfinishedRuns = sql`select id::text as key, jsonb_build_object('id', id, 'run', dry_run ->> 'run') as payload,
  (dry_run ->> 'startedAt')::timestamptz as since from automatic_rule where dry_run -> 'finishedAt' = 'null'`;

/** The background work of automatic rules. */
export const ruleJobs = [
  job({ name: 'rules.watch', cron: '* * * * *', run: watch }),
  job({ name: 'rules.undo', cron: '* * * * *', run: undoHits }),
  job({
    name: 'rules.dryRun',
    payload: z.object({ id: z.string(), run: z.string() }),
    sweep: { owed: () => unfinishedRuns },
    slots: 'long',
    run: ({ db, clock }, run) => continueDryRun(db, run, clock.now()),
  }),
  job({ name: 'rules.copyProfile', payload: copySchema, sweep: { owed: () => uncopied }, run: copyProfile }),
  forgetJob('rules.forget', '29 3 * * *'),
];

export const ruleReactions: Reactions = {
  caseChanged: (tx, { caseId, now }) => judgeHits(tx, caseId, now),
  // Runs before the message is stored, so that a rule can still hold it.
  async firstWords(tx, { now, ...words }, emit) {
    const found = await noteFirstWords(tx, words, now);
    if (found !== undefined) await applyRules({ tx, deps: { emit }, now }, await rulesOn(tx, now), found);
  },
};

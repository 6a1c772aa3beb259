import { sql } from 'kysely';
import type { Deps } from '../../../deps.ts';
import { type RuleActions, ruleHitHours, ruleHoldsPerHour } from '#contract/moderation/automatic-rules.ts';
import { conditionWords, factWords, type RuleCondition } from '#contract/moderation/rule-words.ts';
import { tagsOfUserMax } from '#contract/moderation/tags.ts';
import { type Db, inTransaction } from '#platform/db/db.ts';
import { type Actor, writeAudit } from '#platform/db/audit.ts';
import { addJob } from '#platform/jobs/jobs.ts';
import { eachInTurn, pagesOf } from '#platform/jobs/turns.ts';
import { dayOf, secondsAfter } from '#platform/process/clock.ts';
import { textOf } from '#platform/texts.ts';
import { type CaseContext, caseOf, insertCaseEvent, syncCase, system, tellStaff } from '../work/case-row.ts';
import { insertCaseReport } from '../reports/file-report.ts';
import { insertEvent, updateReport } from '../reports/report-row.ts';
import { tagsOf } from '../user-file/tags.reads.ts';
import { factsSince, type Found } from './facts.ts';
import { removeRuleTag } from './judge.ts';
import { matches } from './policy.ts';

/** A rule that is switched on, or only watches. */
export interface RuleOn {
  id: string;
  name: string;
  version: number;
  conditions: RuleCondition[];
  actions: RuleActions;
  is_watching: boolean;
}

/** The rules that are on or watching and have not expired. */
export function rulesOn(db: Db, now: Date): Promise<RuleOn[]> {
  return db
    .selectFrom('automatic_rule')
    .select(['id', 'name', 'version', 'conditions', 'actions', 'is_watching'])
    .where((is) => is.or([is('is_on', '=', true), is('is_watching', '=', true)]))
    .where('retired_at', 'is', null)
    .where('expires_on', '>=', dayOf(now))
    .orderBy('id')
    .execute();
}

/** Applies rules to the facts of one account, within the current transaction. */
export async function applyRules(context: CaseContext, rules: readonly RuleOn[], found: Found): Promise<void> {
  for (const rule of rules) {
    if (!matches(rule.conditions, found.facts)) continue;
    if (rule.is_watching) await noteSighting(context, rule, found);
    else await hit(context, rule, found);
  }
}

/** Records that a watching rule would have hit a member. */
async function noteSighting({ tx, now }: CaseContext, rule: RuleOn, { accountId }: Found): Promise<void> {
  await sql`insert into rule_sighting (rule_id, account_id, seen_at)
    select ${rule.id}::uuid, id, ${now}::timestamptz from account where id = ${accountId}::uuid and staff_role is null
    on conflict do nothing`.execute(tx);
}

const actorOfRule = ({ name }: RuleOn): Actor => ({ ...system, name: `Rule “${name}”` });

/** Adds the tag of a rule, or the one it was merged into, to a person who doesn't have it; returns the tag if it was added. */
async function giveTag(tx: Db, rule: RuleOn, accountId: string, now: Date): Promise<string | null> {
  const { tagId } = rule.actions;
  const tags = (await tagsOf(tx, accountId)).map(({ _id }) => _id);
  if (tagId === null || tags.length >= tagsOfUserMax) return null;
  const { rows } = await sql<{ tag_id: string }>`
    insert into account_tag (account_id, tag_id, added_at, added_by_name, added_by_role)
    select ${accountId}::uuid, g.id, ${now}::timestamptz, ${actorOfRule(rule).name}::text, 'system'
    from user_tag t join user_tag g on g.id = coalesce(t.merged_into, t.id)
    where t.id = ${tagId}::uuid and g.retired_at is null and g.id <> all (${tags}::uuid[])
    on conflict do nothing returning tag_id`.execute(tx);
  return rows[0]?.tag_id ?? null;
}

/** Locks a member the rule has not hit lately, so that two processes don't both open the case. */
async function lockUnhit(tx: Db, rule: RuleOn, accountId: string, now: Date): Promise<boolean> {
  const { rows } = await sql`select from account where id = ${accountId}::uuid and staff_role is null
    and leaving_since is null for no key update`.execute(tx);
  if (rows.length === 0) return false;
  const known = await sql`select from rule_hit where account_id = ${accountId}::uuid and rule_id = ${rule.id}::uuid
    and hit_at > ${factsSince(now)}::timestamptz limit 1`.execute(tx);
  return known.rows.length === 0;
}

/** The rules that have already held the maximum number of people within the last hour. */
async function rulesAtLimit(db: Db, now: Date): Promise<string[]> {
  const { rows } = await sql<{ rule_id: string }>`select rule_id from account_hold
    where rule_id is not null and since > ${secondsAfter(now, -3600)}::timestamptz
    group by rule_id having count(*) >= ${ruleHoldsPerHour}`.execute(db);
  return rows.map(({ rule_id }) => rule_id);
}

/** How many rules have already held the maximum number of people within the last hour. */
export const countRulesAtLimit = async (db: Db, now: Date): Promise<number> => (await rulesAtLimit(db, now)).length;

/**
 * Whether a hit of this rule holds the account. From here on its hits wait for each other, so that they can't exceed the limit together.
 */
async function mayHold(tx: Db, { id, actions }: RuleOn, now: Date): Promise<boolean> {
  if (!actions.hold) return false;
  await sql`select pg_advisory_xact_lock(hashtextextended(${id}::text, 15))`.execute(tx);
  return !(await rulesAtLimit(tx, now)).includes(id);
}

/**
 * Applies a rule: opens the person's case or adds to it, tags them, and holds what they send unless the rule has held many within the hour.
 * Everything is marked as automatic and waits for a review. Hits the same person once in 30 days.
 */
async function hit(context: CaseContext, rule: RuleOn, { accountId, facts }: Found): Promise<void> {
  const { tx, deps, now } = context;
  const { problem_type } = rule.actions;
  if (!(await lockUnhit(tx, rule, accountId, now))) return;
  const isHolding = await mayHold(tx, rule, now);
  const isOverLimit = rule.actions.hold && !isHolding;
  // A critical report of a rule always holds the account.
  const priority = isOverLimit && rule.actions.priority === 'critical' ? 'high' : rule.actions.priority;
  const words = factWords(rule.conditions, facts, textOf);
  const found = isOverLimit ? `${words}. Not held: the rule held ${ruleHoldsPerHour} people within an hour` : words;
  const caseId = await caseOf(tx, accountId, priority, now);
  const report = {
    reported_id: accountId,
    problem_type,
    description: `The automatic rule “${rule.name}” found that ${conditionWords(rule.conditions, textOf)}. ${found}.`,
    priority,
    case_id: caseId,
    source: 'automatic' as const,
    opened_by_name: rule.name,
  };
  const reportId = await insertCaseReport(tx, report, {}, now);
  const tag_id = await giveTag(tx, rule, accountId, now);
  const target = { rule_id: rule.id, version: rule.version, account_id: accountId, case_id: caseId };
  await tx
    .insertInto('rule_hit')
    .values({ ...target, report_id: reportId, tag_id, hit_at: now })
    .execute();
  await insertCaseEvent(tx, { case_id: caseId, at: now, kind: 'rule_hit', to_value: rule.name, reason: found });
  if (isHolding) await deps.emit(tx, 'heldByRule', { accountId, caseId, ruleId: rule.id, now });
  await syncCase(context, caseId);
  await writeAudit(
    tx,
    {
      actor: actorOfRule(rule),
      action: 'automaticRule.hit',
      target: { type: 'user', id: accountId },
      reason: found,
      changes: { rule: { from: null, to: rule.id }, version: { from: null, to: rule.version } },
    },
    now,
  );
  await addJob(tx, 'rules.copyProfile', { reportId, accountId }, { jobKey: `rules.copyProfile ${reportId}` });
  await tellStaff(tx, null);
}

interface DueHit {
  id: string;
  at: string;
  account_id: string;
  case_id: string;
  report_id: string;
  tag_id: string | null;
  name: string;
  /** No one has changed the priority that the rule gave. */
  isUnchanged: boolean;
}

const undoneAtOnce = 500;
const noId = '00000000-0000-0000-0000-000000000000';

/**
 * Undoes the effects of hits from 72 hours ago that no one has reviewed: the tag and the priority. A hold ends by itself after the same
 * time.
 */
export async function undoHits({ db, emit, clock }: Deps): Promise<void> {
  const now = clock.now();
  // The time as text, exact to the microsecond.
  const due = pagesOf<DueHit>(async (after) => {
    const { rows } = await sql<DueHit>`
    select h.id, h.hit_at::text as at, h.account_id, h.case_id, h.report_id, h.tag_id, r.name, p.priority = p.first_priority as "isUnchanged"
    from rule_hit h join automatic_rule r on r.id = h.rule_id join report p on p.id = h.report_id
    where h.judged_at is null and h.hit_at <= ${secondsAfter(now, -ruleHitHours * 3600)}::timestamptz
      and (h.hit_at, h.id) > (${after?.at ?? '-infinity'}::timestamptz, ${after?.id ?? noId}::uuid)
    order by h.hit_at, h.id limit ${undoneAtOnce}`.execute(db);
    return rows;
  });
  const turn = { round: 'rules.undo', keyOf: ({ id }: DueHit) => id };
  await eachInTurn(due, (one) => inTransaction(db, (tx) => undo({ tx, deps: { emit }, now }, one)), turn);
}

async function undo(
  context: CaseContext,
  { id, account_id, case_id, report_id, tag_id, name, isUnchanged }: DueHit,
): Promise<void> {
  const { tx, now } = context;
  // In the order of all commands on cases: the person, the case, the report.
  await sql`select from account where id = ${account_id}::uuid for no key update`.execute(tx);
  await sql`select from moderation_case where id = ${case_id}::uuid for update`.execute(tx);
  const undone = await tx
    .updateTable('rule_hit')
    .set({ judged_at: now, outcome: 'expired' })
    .where('id', '=', id)
    .where('judged_at', 'is', null)
    .executeTakeFirst();
  if (undone.numUpdatedRows === 0n) return;
  await removeRuleTag(tx, account_id, tag_id);
  if (isUnchanged) {
    await updateReport(tx, report_id, { priority: 'other', updated_at: now });
    await insertEvent(tx, { report_id, at: now, kind: 'priority', actor_role: 'system', to_value: 'other' });
  }
  await insertCaseEvent(tx, { case_id, at: now, kind: 'rule_undone', to_value: name });
  await syncCase(context, case_id);
  const target = { type: 'user' as const, id: account_id };
  await writeAudit(tx, { actor: system, action: 'automaticRule.undone', target, reason: name }, now);
}

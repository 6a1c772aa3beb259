import { msg } from '@lingui/core/runtime-macro';
import { sql } from 'kysely';
import {
  type addAutomaticRule,
  automaticRulesMax,
  dryRunDays,
  type changeAutomaticRule,
  ruleDaysMax,
  type switchAutomaticRule,
  unevenReasonMin,
} from '#contract/moderation/automatic-rules.ts';
import type { BodyOf, ParamsOf } from '#contract/endpoint.ts';
import { visibleLength } from '#contract/text.ts';
import { actorOf, audit, type AuditEntry, given as givenValues } from '#platform/db/audit.ts';
import type { Db } from '#platform/db/db.ts';
import { AppError, invalid, notFound } from '#platform/http/app-error.ts';
import { dayOf, secondsAfter } from '#platform/process/clock.ts';
import type { StaffContext } from '../work/case-row.ts';
import { countsAs } from '../user-file/tags.reads.ts';
import { readRules } from './rules.reads.ts';

type Given = BodyOf<typeof addAutomaticRule>;

/** An existing rule, locked until the transaction ends. 404. */
export async function lockRule(tx: Db, id: string) {
  const query = tx.selectFrom('automatic_rule').selectAll().where('retired_at', 'is', null).forUpdate();
  const rule = await query.where('id', '=', id).executeTakeFirst();
  if (rule === undefined) throw notFound();
  return rule;
}

/** Writes an audit row about a rule; returns the rule as it is now. */
export async function recorded(
  context: StaffContext,
  id: string,
  { action, ...details }: Omit<AuditEntry, 'actor' | 'target'>,
) {
  await audit(context, { type: 'rule', id }, action, details);
  const [rule] = await readRules(context.tx, context.caller, context.now, id);
  if (rule === undefined) throw notFound();
  return rule;
}

/**
 * The rule with the tag that replaced its own, and the list locked. Throws 400 for a day or tag that can't be used and 409 for a name that
 * another rule has.
 */
async function checked(tx: Db, given: Given, id: string | null, now: Date): Promise<Given> {
  const { name, actions, expiresOn } = given;
  await sql`lock table automatic_rule in share row exclusive mode`.execute(tx);
  if (expiresOn <= dayOf(now) || expiresOn > dayOf(secondsAfter(now, ruleDaysMax * 86_400)))
    throw invalid('expiresOn', msg`Choose a day within a year, after today`);
  const { rows } = await sql<{ isTaken: boolean; tagId: string | null }>`
    select exists (select from automatic_rule where retired_at is null and folded(name) = folded(${name})
      and id is distinct from ${id}::uuid) as "isTaken",
      (select id from user_tag where id = ${countsAs(actions.tagId)} and retired_at is null) as "tagId"`.execute(tx);
  const { isTaken = false, tagId = null } = rows[0] ?? {};
  if (isTaken) throw invalid('name', msg`There is a rule with this name`, 'CONFLICT');
  if (actions.tagId !== null && tagId === null)
    throw invalid('actions', msg`A colleague has retired or merged this tag`);
  return { ...given, actions: { ...actions, tagId } };
}

const columnsOf = ({ name, conditions, actions, expiresOn }: Given, { caller, now }: StaffContext) => ({
  name,
  conditions: JSON.stringify(conditions),
  actions: JSON.stringify(actions),
  expires_on: expiresOn,
  changed_at: now,
  changed_by_name: actorOf(caller).name,
});

/** Adds a rule, switched off. 400; 409 for a name in use and a full list. */
export async function addRule(context: StaffContext, asked: Given): ReturnType<typeof recorded> {
  const { tx, now } = context;
  const given = await checked(tx, asked, null, now);
  const known = await tx.selectFrom('automatic_rule').select('id').where('retired_at', 'is', null).execute();
  if (known.length >= automaticRulesMax)
    throw new AppError(
      'CONFLICT',
      msg`There are already ${{ automaticRulesMax }} rules. Remove one that is not needed.`,
    );
  const rule = tx.insertInto('automatic_rule').values(columnsOf(given, context)).returning('id');
  const { id } = await rule.executeTakeFirstOrThrow();
  return await recorded(context, id, { action: 'automaticRule.added', changes: givenValues(given) });
}

/**
 * Gives a rule a new version, which is off or watching as before, and needs a dry run of its own. 400; 404; 409 for a name in use, and if a
 * colleague has just changed it.
 */
export async function changeAutomatic(
  context: StaffContext,
  { id, version, ...asked }: ParamsOf<typeof changeAutomaticRule> & BodyOf<typeof changeAutomaticRule>,
): ReturnType<typeof recorded> {
  const { tx, now } = context;
  const given = await checked(tx, asked, id, now);
  const { name, conditions, actions, expires_on: expiresOn, ...before } = await lockRule(tx, id);
  if (before.version !== version) throw new AppError('CONFLICT', msg`A colleague has just changed this rule`);
  await tx
    .updateTable('automatic_rule')
    .set({ ...columnsOf(given, context), version: version + 1, is_on: false, dry_run: null })
    .where('id', '=', id)
    .execute();
  await forgetPeople(tx, id);
  const changes = { rule: { from: { name, conditions, actions, expiresOn }, to: given } };
  return await recorded(context, id, { action: 'automaticRule.changed', changes });
}

/** Removes a rule for good. Its hits still wait for a review. 404. */
export async function retireRule(context: StaffContext, { id }: { id: string }): Promise<void> {
  const { tx, now } = context;
  const { name } = await lockRule(tx, id);
  await tx
    .updateTable('automatic_rule')
    .set({ is_on: false, is_watching: false, retired_at: now })
    .where('id', '=', id)
    .execute();
  await forgetPeople(tx, id);
  await audit(context, { type: 'rule', id }, 'automaticRule.retired', { reason: name });
}

/** Deletes the records about people that an earlier version of a rule would have hit. */
async function forgetPeople(tx: Db, id: string): Promise<void> {
  await tx.deleteFrom('dry_run_example').where('rule_id', '=', id).execute();
  await tx.deleteFrom('rule_sighting').where('rule_id', '=', id).execute();
}

/** How many people a rule may hold in 30 days by its dry run: one in a hundred of those examined, at least 5 and at most 100. */
const heldMost = (examined: number) => Math.max(5, Math.min(100, Math.floor(examined / 100)));

/**
 * Switches a rule on or off, or lets it watch only. 404; 409 without a finished dry run of this version that examined someone in the last week,
 * for a rule that has expired, and for one that would hold many people; 400 without a reason if a group is hit unevenly.
 */
export async function switchRule(
  context: StaffContext,
  {
    id,
    isOn,
    isWatching = false,
    reason = '',
  }: ParamsOf<typeof switchAutomaticRule> & BodyOf<typeof switchAutomaticRule>,
): ReturnType<typeof recorded> {
  const { tx, caller, now } = context;
  const { is_on: wasOn, is_watching: wasWatching } = await lockRule(tx, id);
  const watches = isWatching && !isOn;
  if (isOn) {
    const [shown] = await readRules(tx, caller, now, id);
    if (shown?.dryRun?.isDone !== true)
      throw new AppError('CONFLICT', msg`Run a dry run first, and wait until it has finished`);
    if (shown.dryRun.examined === 0)
      throw new AppError(
        'CONFLICT',
        msg`The dry run found no facts to examine. Run it again once members have been here.`,
      );
    if (new Date(shown.dryRun.startedAt) < secondsAfter(now, -dryRunDays * 86_400))
      throw new AppError('CONFLICT', msg`The dry run is older than ${{ dryRunDays }} days. Run it again.`);
    if (shown.isExpired) throw new AppError('CONFLICT', msg`This rule has expired. Change it to give it a later day.`);
    const most = heldMost(shown.dryRun.examined);
    if (shown.actions.hold && shown.dryRun.hits > most)
      throw new AppError(
        'CONFLICT',
        msg`This rule would hold more than ${{ most }} people. Narrow it, or let it hold no one.`,
      );
    if (shown.dryRun.needsReason && visibleLength(reason) < unevenReasonMin)
      throw invalid('reason', msg`This hits a group unevenly: say why in ${{ unevenReasonMin }} characters or more`);
  }
  const by = { switched_at: now, switched_by_name: actorOf(caller).name, switch_reason: reason === '' ? null : reason };
  await tx
    .updateTable('automatic_rule')
    .set({ is_on: isOn, is_watching: watches, ...by })
    .where('id', '=', id)
    .execute();
  const changes = {
    isOn: { from: wasOn, to: isOn },
    ...(wasWatching !== watches && { isWatching: { from: wasWatching, to: watches } }),
  };
  return await recorded(context, id, { action: 'automaticRule.switched', changes, reason: reason || undefined });
}

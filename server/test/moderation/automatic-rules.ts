import { randomUUID } from 'node:crypto';
import type { BodyInput } from '#contract/endpoint.ts';
import type { addAutomaticRule } from '#contract/moderation/automatic-rules.ts';
import { emit } from '../../src/features.ts';
import { inTransaction } from '#platform/db/db.ts';
import { secondsAfter } from '#platform/process/clock.ts';
import { makeMember } from '../factories.ts';
import type { TestApp } from '../harness.ts';

type Given = BodyInput<typeof addAutomaticRule>;

/** A rule that hits everyone who sends a long first text. */
export const ruleBody = (test: TestApp, given: Partial<Given> = {}): Given => ({
  name: `Rule ${randomUUID()}`,
  conditions: [{ fact: 'sameTextSent', value: 1 }],
  actions: { tagId: null, problem_type: 'Inappropriate Content', priority: 'high', hold: false },
  expiresOn: secondsAfter(test.clock.now(), 30 * 86_400)
    .toISOString()
    .slice(0, 10),
  ...given,
});

/** Stores a rule, switched off unless `isOn`; returns its id. */
export async function newRule(test: TestApp, given: Partial<Given> = {}, isOn = false): Promise<string> {
  const { name, conditions, actions, expiresOn } = ruleBody(test, given);
  const { id } = await test.db
    .insertInto('automatic_rule')
    .values({
      name,
      conditions: JSON.stringify(conditions),
      actions: JSON.stringify(actions),
      expires_on: expiresOn,
      is_on: isOn,
      changed_at: test.clock.now(),
      changed_by_name: 'Ada Min',
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

export const longText =
  'Hello my dear, I am an engineer on an oil rig far from home and your smile gives me hope every lonely night';

/** Notifies the rules that someone is about to send a first message to a person. */
export async function sayFirst(test: TestApp, { id: accountId }: { id: string }, text = longText, to?: { id: string }) {
  const { id: receiverId } = to ?? (await makeMember(test));
  await inTransaction(test.db, (tx) => emit(tx, 'firstWords', { accountId, receiverId, text, now: test.clock.now() }));
}

/** Makes a rule hit someone, who is also an example of its dry run: this adds a row to every table of the rules. Returns the rule's id. */
export async function hitByRule(test: TestApp, person: { id: string }, given: Partial<Given> = {}): Promise<string> {
  const id = await newRule(test, given, true);
  await sayFirst(test, person);
  await test.db
    .insertInto('rule_sighting')
    .values({ rule_id: id, account_id: person.id, seen_at: test.clock.now() })
    .execute();
  await test.db.insertInto('dry_run_example').values({ rule_id: id, account_id: person.id }).execute();
  await test.db.updateTable('automatic_rule').set({ is_on: false }).where('id', '=', id).execute();
  return id;
}

import { sql } from 'kysely';
import { holdReleaseHours } from '#contract/moderation/holds.ts';
import { caseOf } from '../../src/features/moderation/work/case-row.ts';
import { endHold as endLockedHold, holdFor, lockHold } from '../../src/features/moderation/holds/hold.ts';
import { inTransaction } from '#platform/db/db.ts';
import type { TestMember } from '../factories.ts';
import type { TestApp } from '../harness.ts';

type Person = Pick<TestMember, 'id'>;

/** Holds an account because of a critical case; returns the case's id. */
export async function holdAccount(test: TestApp, { id: accountId }: Person): Promise<string> {
  const now = test.clock.now();
  return await inTransaction(test.db, async (tx) => {
    const caseId = await caseOf(tx, accountId, 'critical', now);
    await holdFor(tx, { accountId, caseId, cause: 'critical_case' }, now);
    return caseId;
  });
}

/** Ends the hold of an account; withheld items are delivered within two hours. */
export async function endHold(test: TestApp, { id }: Person): Promise<void> {
  const now = test.clock.now();
  await inTransaction(test.db, async (tx) => {
    const hold = await lockHold(tx, id);
    if (hold !== undefined) await endLockedHold(tx, hold, {}, now);
  });
}

/** Ends the hold of an account, with a sanction if the items should be dropped, and runs the resulting jobs. */
export async function endHoldOf(test: TestApp, person: Person, outcome: 'released' | 'dropped'): Promise<void> {
  const now = test.clock.now();
  if (outcome === 'dropped')
    await sql`insert into sanction (account_id, kind, reason, created_by_name, starts_at, strikes, strikes_until)
      values (${person.id}::uuid, 'warn', 'A test', 'Mo', ${now}, 0, ${now})`.execute(test.db);
  await endHold(test, person);
  await deliverReleased(test);
}

/** Delivers everything from ended holds, as happens within two hours. */
export async function deliverReleased(test: TestApp): Promise<void> {
  await sql`update account_hold set releasing_since = releasing_since - ${holdReleaseHours} * interval '1 hour'
    where releasing_since is not null`.execute(test.db);
  await test.app.background.tasks['holds.release']?.({}, undefined as never);
  await test.drain();
}

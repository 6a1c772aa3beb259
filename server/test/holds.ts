import { sql } from 'kysely';
import { caseOf } from '../src/features/moderation/cases/case-row.ts';
import { endHold, holdFor, lockHold } from '../src/features/moderation/holds/hold.ts';
import { inTransaction } from '../src/platform/db/db.ts';
import type { TestMember } from './factories.ts';
import type { TestApp } from './harness.ts';

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

/** Ends the hold of an account, after a sanction if it is to be dropped, and runs what follows. */
export async function endHoldOf(test: TestApp, { id }: Person, outcome: 'released' | 'dropped'): Promise<void> {
  const now = test.clock.now();
  if (outcome === 'dropped')
    await sql`insert into sanction (account_id, kind, reason, created_by_name, starts_at, strikes, strikes_until)
      values (${id}::uuid, 'warn', 'A test', 'Mo', ${now}, 0, ${now})`.execute(test.db);
  await inTransaction(test.db, async (tx) => {
    const hold = await lockHold(tx, id);
    if (hold !== undefined) await endHold(tx, hold, {}, now);
  });
  await deliverReleased(test);
}

/** Runs what delivers the words of holds that have ended. */
export async function deliverReleased(test: TestApp): Promise<void> {
  await test.app.background.tasks['holds.release']?.({}, undefined as never);
  await test.drain();
}

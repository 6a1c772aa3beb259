import { caseOf } from '../../src/features/moderation/work/case-row.ts';
import { inTransaction } from '#platform/db/db.ts';
import type { TestMember } from '../factories.ts';
import type { TestApp } from '../harness.ts';

/** Sets a legal hold on an account; returns the ids of the hold and of its case. */
export async function setPreservationOf(
  test: TestApp,
  { id: accountId }: Pick<TestMember, 'id'>,
  reason = 'An order',
): Promise<{ id: string; caseId: string }> {
  const now = test.clock.now();
  return await inTransaction(test.db, async (tx) => {
    const caseId = await caseOf(tx, accountId, 'other', now);
    const { id } = await tx
      .insertInto('legal_hold')
      .values({
        account_id: accountId,
        case_id: caseId,
        reason,
        set_at: now,
        set_by_name: 'Mo',
        review_on: '2099-01-01',
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    return { id, caseId };
  });
}

/** Releases a legal hold. */
export async function endPreservation(test: TestApp, { id }: { id: string }): Promise<void> {
  const released = { released_at: test.clock.now(), released_by_names: ['Mo', 'Ada'] };
  await test.db.updateTable('legal_hold').set(released).where('id', '=', id).execute();
}

import { randomUUID } from 'node:crypto';
import { decisionAbout } from './decisions.ts';
import type { TestApp } from '../harness.ts';

/** Stores a decision about someone that was drawn and that this member of staff has taken; returns the id of the second look. */
export async function takenLook(test: TestApp, reviewerId: string, personId: string): Promise<string> {
  const now = test.clock.now();
  const by = { id: randomUUID(), name: 'Zoe Quill' };
  const { decisionId } = await decisionAbout(test, personId, { by, at: now, clause: '2' });
  return await storeLook(test, { decisionId, reviewerId });
}

/** Stores a second look at a decision, taken if there is a reviewer; returns its id. */
export async function storeLook(
  test: TestApp,
  { decisionId, reviewerId = null }: { decisionId: string; reviewerId?: string | null },
): Promise<string> {
  const now = test.clock.now();
  const taken = { reviewer_id: reviewerId, taken_at: reviewerId === null ? null : now };
  const { id } = await test.db
    .insertInto('second_look')
    .values({ decision_id: decisionId, golden_id: null, drawn_at: now, ...taken })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Stores a training case; returns its id. */
export async function goldenCase(test: TestApp): Promise<string> {
  const { id } = await test.db
    .insertInto('golden_case')
    .values({
      problem_type: 'Harassment',
      story: 'Someone wrote forty insults in a row to a person who had asked for silence.',
      outcome: 'actioned',
      clause: '2',
      added_at: test.clock.now(),
      added_by: randomUUID(),
      added_by_name: 'Sam Ek',
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

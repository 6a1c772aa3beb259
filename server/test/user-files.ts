import { randomUUID } from 'node:crypto';
import type { TestApp } from './harness.ts';

/** A new tag of the list; its id. */
export async function newTag(test: TestApp, name = `Tag ${randomUUID()}`.slice(0, 40)): Promise<string> {
  const { id } = await test.db.insertInto('user_tag').values({ name }).returning('id').executeTakeFirstOrThrow();
  return id;
}

/** A note about a person that was written just now; its id. */
export async function noteAbout(test: TestApp, accountId: string, authorId: string, text = 'Seen before.') {
  const author = { author_id: authorId, author_name: 'Mo Ek', author_role: 'moderator' };
  const { id } = await test.db
    .insertInto('staff_note')
    .values({ account_id: accountId, ...author, text, created_at: test.clock.now() })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** An act on many people that a member of staff has just started; its id. */
export async function bulkActOf(test: TestApp, accountId: string): Promise<string> {
  const act = { kind: 'endSessions' as const, reason: 'A stolen laptop', total: 0 };
  const { id } = await test.db
    .insertInto('bulk_act')
    .values({ ...act, payload: JSON.stringify(act), made_by: accountId, started_at: test.clock.now() })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** A request for approval of an export of everyone; its id. */
export async function approvalOf(test: TestApp, accountId: string): Promise<string> {
  const request = { kind: 'users.export' as const, reason: 'For the yearly figures', requested_by_name: 'Ada Min' };
  const { id } = await test.db
    .insertInto('approval')
    .values({
      ...request,
      payload: JSON.stringify({ rows: 2000, columns: ['id'], filters: {} }),
      requested_by: accountId,
      requested_at: test.clock.now(),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** An approval to send a message to this person that its requester can use; its id. */
export async function messageApprovalOf(test: TestApp, accountId: string, personId: string): Promise<string> {
  const request = { kind: 'users.bulk' as const, reason: 'The holidays', requested_by_name: 'Ada Min' };
  const now = test.clock.now();
  const payload = { rows: 1, columns: [], filters: {}, ids: [personId], text: 'We are closed on Monday.' };
  const { id } = await test.db
    .insertInto('approval')
    .values({
      ...request,
      payload: JSON.stringify(payload),
      requested_by: accountId,
      requested_at: now,
      usable_from: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

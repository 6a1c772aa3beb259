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

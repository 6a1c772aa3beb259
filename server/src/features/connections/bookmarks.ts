import { msg } from '@lingui/core/runtime-macro';
import { sql } from 'kysely';
import { bookmarksMax, type listBookmarks } from '#contract/bookmarks.ts';
import { defaultPageLimit } from '#contract/constants.ts';
import type { AnswerInput, QueryOf } from '#contract/endpoint.ts';
import type { Db } from '#platform/db/db.ts';
import { afterPlace, cutPage, readCursor } from '#platform/db/page-cursor.ts';
import { invalid, notFound } from '#platform/http/app-error.ts';
import type { CommandContext } from '#platform/http/mount.ts';
import { requireMember } from '#platform/session/caller.ts';
import { type Reader, toPerson, userShownTo, visibleTo } from '../profiles/public.ts';
import { withUsers } from './lists.reads.ts';

/**
 * Bookmarks someone the caller may see. Throws 403 for staff, 404 for anyone the caller can't see, and 400 for their own profile and for
 * too many bookmarks.
 */
export async function addBookmark({ tx, caller, now }: CommandContext, { userId }: { userId: string }): Promise<void> {
  requireMember(caller);
  const { accountId } = caller;
  if (userId === accountId) throw invalid('userId', msg`This is your own profile`);
  if ((await userShownTo(tx, caller, userId)) === undefined) throw notFound();
  // Orders concurrent requests of the caller, which would otherwise exceed the limit together.
  await tx.selectFrom('profile').select('account_id').where('account_id', '=', accountId).forNoKeyUpdate().execute();
  await sql`
    insert into bookmark (account_id, target_id, created_at) values (${accountId}::uuid, ${userId}::uuid, ${now})
    on conflict do nothing`.execute(tx);
  const { rows } = await sql`
    select from bookmark where account_id = ${accountId}::uuid limit ${bookmarksMax + 1}`.execute(tx);
  if (rows.length > bookmarksMax)
    throw invalid('userId', msg`You can keep ${{ bookmarksMax }} bookmarks. Remove one first.`);
}

/** Removes the caller's bookmark of someone, if there is one. Throws 403 for staff. */
export async function removeBookmark({ tx, caller }: CommandContext, { userId }: { userId: string }): Promise<void> {
  requireMember(caller);
  await tx.deleteFrom('bookmark').where('account_id', '=', caller.accountId).where('target_id', '=', userId).execute();
}

/** A page of the people the caller bookmarked and can still see, newest first. Throws 403 for staff, 400 for an invalid cursor. */
export async function bookmarksPage(
  reader: Reader,
  { cursor, limit = defaultPageLimit }: QueryOf<typeof listBookmarks>,
): Promise<AnswerInput<typeof listBookmarks>['data']> {
  const { db, caller, now, pictures } = reader;
  requireMember(caller);
  const found = await sql<{ user_id: string; created_at: Date }>`
    select b.target_id as user_id, b.created_at from bookmark b
    where b.account_id = ${caller.accountId}::uuid and ${visibleTo(sql`b.account_id`, sql`b.target_id`)}
      ${afterPlace(readCursor(cursor), sql`b.created_at`, sql`b.target_id`)}
    order by b.created_at desc, b.target_id desc limit ${limit + 1}`.execute(db);
  const { rows, nextCursor } = cutPage(found.rows, limit, ({ created_at, user_id }) => ({
    at: created_at,
    id: user_id,
  }));
  const bookmarks = await withUsers(reader, rows, (user, row) => ({
    user: toPerson(user, caller, now, pictures),
    bookmarkedAt: row.created_at,
  }));
  return { bookmarks, nextCursor };
}

/** A member's bookmarks for their data export, oldest first; with the first name of people they can still see. */
export async function bookmarksData(db: Db, accountId: string): Promise<{ name: string | null; bookmarkedAt: Date }[]> {
  const { rows } = await sql<{ name: string | null; bookmarkedAt: Date }>`
    select p.first_name as name, b.created_at as "bookmarkedAt" from bookmark b
      left join profile p on p.account_id = b.target_id and ${visibleTo(sql`b.account_id`, sql`b.target_id`)}
    where b.account_id = ${accountId}::uuid order by b.created_at, b.target_id`.execute(db);
  return rows;
}

import type { FastifyInstance } from 'fastify';
import * as bookmarks from '#contract/bookmarks.ts';
import * as calls from '#contract/connections.ts';
import * as known from '#contract/known-people.ts';
import type { Deps } from '../../deps.ts';
import { paginationOf, windowOf } from '#platform/db/page-cursor.ts';
import { mount } from '#platform/http/mount.ts';
import { type Caller, requireMember } from '#platform/session/caller.ts';
import type { Reader } from '../profiles/public.ts';
import { block, unblock, unmatch } from './block.ts';
import { addBookmark, bookmarksPage, removeBookmark } from './bookmarks.ts';
import { addKnownPeople, knownPeople, removeKnownPeople } from './known-people.ts';
import {
  blocksPage,
  countLikers,
  countReceived,
  matchesPage,
  patternsFor,
  receivedLikes,
  sentLikes,
} from './lists.reads.ts';
import { like, pass, remainingLikes, withdraw } from './like.ts';
import { undo } from './undo.ts';

/** What the caller reads with. Throws 403 for staff. */
function readerOf({ db, pictures }: Deps, { caller, now }: { caller: Caller; now: Date }): Reader {
  requireMember(caller);
  return { db, pictures, caller, now };
}

/** Mounts likes, passes, undo, matches and blocks. */
export function mountConnections(app: FastifyInstance, deps: Deps): void {
  const { db } = deps;

  mount(app, deps, calls.likeUser).to(async (context) => ({
    data: await like(context, { ...context.params, ...context.body }),
  }));
  mount(app, deps, calls.passUser).to(async (context) => {
    await pass(context, context.params);
    return { data: { outcome: 'passed' as const } };
  });
  mount(app, deps, calls.withdrawLike).to(async (context) => {
    const withdrawn = await withdraw(context, context.params);
    return { data: { withdrawn, remainingLikes: await remainingLikes(context.tx, context.caller, context.now) } };
  });
  mount(app, deps, calls.undoDecision).to(async (context) => {
    const undone = await undo(context, context.body);
    return { data: { ...undone, remainingLikes: await remainingLikes(context.tx, context.caller, context.now) } };
  });
  mount(app, deps, calls.unmatchUser).to(async (context) => {
    await unmatch(context, context.params);
    return { message: 'Match ended', data: { unmatched: true } };
  });
  mount(app, deps, calls.blockUser).to(async (context) => {
    await block(context, context.params);
    return { message: 'You no longer see each other', data: { blocked: true } };
  });
  mount(app, deps, calls.unblockUser).to(async (context) => {
    await unblock(context, context.params);
    return { message: 'Unblocked', data: { blocked: false } };
  });

  mount(app, deps, calls.likesReceived).to(async (context) => {
    const { caller, query, now } = context;
    const reader = readerOf(deps, context);
    if (!caller.isVip) {
      const count = await countLikers(db, caller.accountId);
      const patterns = patternsFor(caller.accountId, count, now);
      return { data: { count, patterns, likes: [], pagination: paginationOf(query, count, null) } };
    }
    const count = await countReceived(db, caller.accountId);
    const { likes, nextCursor } = await receivedLikes(reader, windowOf(query));
    return { data: { count, patterns: [], likes, pagination: paginationOf(query, count, nextCursor) } };
  });
  mount(app, deps, calls.likesSent).to(async (context) => {
    const { caller, query, now } = context;
    const { likes, total, nextCursor } = await sentLikes(readerOf(deps, context), windowOf(query));
    const left = await remainingLikes(db, caller, now);
    return { data: { likes, pagination: paginationOf(query, total, nextCursor), remainingLikes: left } };
  });
  mount(app, deps, calls.listMatches).to(async (context) => {
    const { matches, total, nextCursor } = await matchesPage(readerOf(deps, context), windowOf(context.query));
    return { data: { matches, pagination: paginationOf(context.query, total, nextCursor) } };
  });
  mount(app, deps, calls.listBlocks).to(async (context) => {
    const { caller } = readerOf(deps, context);
    const { blocks, total, nextCursor } = await blocksPage(db, caller.accountId, windowOf(context.query));
    return { data: { blocks, pagination: paginationOf(context.query, total, nextCursor) } };
  });
}

/** Mounts what members keep about others: bookmarks, and the addresses of people they hide from. */
export function mountKeptPeople(app: FastifyInstance, deps: Deps): void {
  const { db } = deps;
  mount(app, deps, known.getKnownPeople).to(async ({ caller, now }) => ({ data: await knownPeople(db, caller, now) }));
  mount(app, deps, known.putKnownPeople).to(async (context) => ({
    message: 'Saved. People with these addresses no longer see you here.',
    data: await addKnownPeople(context, context.body),
  }));
  mount(app, deps, known.removeKnownPerson).to(async (context) => ({
    data: await removeKnownPeople(context, context.body.address),
  }));
  mount(app, deps, known.clearKnownPeople).to(async (context) => ({ data: await removeKnownPeople(context, null) }));

  mount(app, deps, bookmarks.addBookmark).to(async (context) => {
    await addBookmark(context, context.params);
    return { data: { isBookmarked: true } };
  });
  mount(app, deps, bookmarks.removeBookmark).to(async (context) => {
    await removeBookmark(context, context.params);
    return { data: { isBookmarked: false } };
  });
  mount(app, deps, bookmarks.listBookmarks).to(async (context) => ({
    data: await bookmarksPage(readerOf(deps, context), context.query),
  }));
}

import type { FastifyInstance } from 'fastify';
import { defaultPageLimit } from '#contract/constants.ts';
import * as blocks from '#contract/connections/blocks.ts';
import * as calls from '#contract/connections/likes.ts';
import { paginate, type Pagination } from '#contract/paging.ts';
import type { Deps } from '../../deps.ts';
import { readCursor } from '../../platform/db/page-cursor.ts';
import { mount } from '../../platform/http/mount.ts';
import { block, unblock, unmatch } from './blocks.ts';
import {
  blocksPage,
  countLikers,
  countReceived,
  matchesPage,
  patternsFor,
  receivedLikes,
  sentLikes,
} from './lists.reads.ts';
import { like, pass, remainingLikes, undo, withdraw } from './likes.ts';
import { type PageWindow } from './pair.ts';
import { requireMember } from '../../platform/session/caller.ts';

interface PageQuery {
  page?: number | undefined;
  limit?: number | undefined;
  cursor?: string | undefined;
}

/** The part of a list that a query requests; 400 for an invalid cursor. */
function windowOf({ page = 1, limit = defaultPageLimit, cursor }: PageQuery): PageWindow {
  const after = readCursor(cursor);
  return { page, limit, offset: after === null ? (page - 1) * limit : 0, after };
}

/** The pagination of a list: with the next cursor, unless a page number was requested. */
function paginationOf(
  query: PageQuery,
  { page, limit }: PageWindow,
  total: number,
  nextCursor: string | null,
): Pagination {
  const pagination = paginate(page, limit, total);
  return query.page === undefined ? { ...pagination, nextCursor } : pagination;
}

/** Likes, passes, undoing them, matches and blocks. */
export function mountConnections(app: FastifyInstance, deps: Deps): void {
  const { db, pictures } = deps;

  mount(app, deps, calls.likeUser).to(({ caller, params, body, now, once }) =>
    once(async (tx) => ({ data: await like(tx, deps, caller, params.userId, body, now) })),
  );
  mount(app, deps, calls.passUser).to(({ caller, params, now, once }) =>
    once(async (tx) => {
      await pass(tx, caller, params.userId, now);
      return { data: { outcome: 'passed' as const } };
    }),
  );
  mount(app, deps, calls.withdrawLike).to(async ({ caller, params, now }) => {
    const withdrawn = await withdraw(db, caller, params.userId);
    return { data: { withdrawn, remainingLikes: await remainingLikes(db, caller, now) } };
  });
  mount(app, deps, calls.undoDecision).to(async ({ caller, body, now }) => {
    const undone = await undo(db, caller, body.userId, now);
    return { data: { ...undone, remainingLikes: await remainingLikes(db, caller, now) } };
  });

  mount(app, deps, calls.likesReceived).to(async ({ caller, query, now }) => {
    requireMember(caller);
    const window = windowOf(query);
    if (!caller.isVip) {
      const count = await countLikers(db, caller.accountId);
      const patterns = patternsFor(caller.accountId, count, now);
      return { data: { count, patterns, likes: [], pagination: paginationOf(query, window, count, null) } };
    }
    const count = await countReceived(db, caller.accountId);
    const { likes, nextCursor } = await receivedLikes(db, caller, window, now, pictures);
    return { data: { count, patterns: [], likes, pagination: paginationOf(query, window, count, nextCursor) } };
  });
  mount(app, deps, calls.likesSent).to(async ({ caller, query, now }) => {
    requireMember(caller);
    const window = windowOf(query);
    const { likes, total, nextCursor } = await sentLikes(db, caller, window, now, pictures);
    const left = await remainingLikes(db, caller, now);
    return { data: { likes, pagination: paginationOf(query, window, total, nextCursor), remainingLikes: left } };
  });
  mount(app, deps, calls.listMatches).to(async ({ caller, query, now }) => {
    requireMember(caller);
    const window = windowOf(query);
    const { matches, total, nextCursor } = await matchesPage(db, caller, window, now, pictures);
    return { data: { matches, pagination: paginationOf(query, window, total, nextCursor) } };
  });
  mount(app, deps, calls.unmatchUser).to(async ({ caller, params, now }) => {
    await unmatch(deps, caller, params.id, now);
    return { message: 'Match ended', data: { unmatched: true } };
  });

  mount(app, deps, blocks.blockUser).to(({ caller, params, now, once }) =>
    once(async (tx) => {
      await block(tx, deps.emit, caller, params.userId, now);
      return { message: 'You no longer see each other', data: { blocked: true } };
    }),
  );
  mount(app, deps, blocks.unblockUser).to(async ({ caller, params }) => {
    await unblock(db, caller, params.userId);
    return { message: 'Unblocked', data: { blocked: false } };
  });
  mount(app, deps, blocks.listBlocks).to(async ({ caller, query }) => {
    requireMember(caller);
    const window = windowOf(query);
    const { blocks, total, nextCursor } = await blocksPage(db, caller.accountId, window);
    return { data: { blocks, pagination: paginationOf(query, window, total, nextCursor) } };
  });
}

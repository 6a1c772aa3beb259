import type { FastifyInstance } from 'fastify';
import { defaultPageLimit, memberLimitMax } from '#contract/constants.ts';
import * as blocks from '#contract/connections/blocks.ts';
import * as calls from '#contract/connections/likes.ts';
import { paginate } from '#contract/paging.ts';
import { invalid } from '../../platform/http/app-error.ts';
import type { Deps } from '../../deps.ts';
import { mount } from '../../platform/http/mount.ts';
import { block, unblock } from './blocks/block.ts';
import { blocksPage } from './blocks/blocks.reads.ts';
import { like, pass, remainingLikes } from './likes/like.ts';
import { countLikers, countReceived, patternsFor, receivedLikes, sentLikes } from './likes/likes.reads.ts';
import { undo, withdraw } from './likes/undo.ts';
import { matchesPage } from './matches/matches.reads.ts';
import { unmatch } from './matches/unmatch.ts';
import { requireMember } from './pair.ts';

/** The window of a page; 400 for more than members may ask for. */
function windowOf({ page = 1, limit = defaultPageLimit }: { page?: number | undefined; limit?: number | undefined }) {
  if (limit > memberLimitMax) throw invalid('limit', `Use ${memberLimitMax} or less`);
  return { page, limit, offset: (page - 1) * limit };
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
    const { page, limit, offset } = windowOf(query);
    if (!caller.isVip) {
      const count = await countLikers(db, caller.accountId);
      const patterns = patternsFor(caller.accountId, count, now);
      return { data: { count, patterns, likes: [], pagination: paginate(page, limit, count) } };
    }
    const count = await countReceived(db, caller.accountId);
    const likes = await receivedLikes(db, caller, limit, offset, now, pictures);
    return { data: { count, patterns: [], likes, pagination: paginate(page, limit, count) } };
  });
  mount(app, deps, calls.likesSent).to(async ({ caller, query, now }) => {
    requireMember(caller);
    const { page, limit, offset } = windowOf(query);
    const { likes, total } = await sentLikes(db, caller, limit, offset, now, pictures);
    const left = await remainingLikes(db, caller, now);
    return { data: { likes, pagination: paginate(page, limit, total), remainingLikes: left } };
  });
  mount(app, deps, calls.listMatches).to(async ({ caller, query, now }) => {
    requireMember(caller);
    const { page, limit, offset } = windowOf(query);
    const { matches, total } = await matchesPage(db, caller, limit, offset, now, pictures);
    return { data: { matches, pagination: paginate(page, limit, total) } };
  });
  mount(app, deps, calls.unmatchUser).to(async ({ caller, params, now }) => {
    await unmatch(deps, caller, params.id, now);
    return { message: 'The match is ended', data: { unmatched: true } };
  });

  mount(app, deps, blocks.blockUser).to(({ caller, params, now, once }) =>
    once(async (tx) => {
      await block(tx, deps.emit, caller, params.userId, now);
      return { message: 'You no longer see each other', data: { blocked: true } };
    }),
  );
  mount(app, deps, blocks.unblockUser).to(async ({ caller, params }) => {
    await unblock(db, caller, params.userId);
    return { message: 'The block is taken back', data: { blocked: false } };
  });
  mount(app, deps, blocks.listBlocks).to(async ({ caller, query }) => {
    requireMember(caller);
    const { page, limit } = windowOf(query);
    return { data: await blocksPage(db, caller.accountId, page, limit) };
  });
}

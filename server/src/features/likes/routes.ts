import type { FastifyInstance } from 'fastify';
import { defaultPageLimit, memberLimitMax } from '#contract/constants.ts';
import * as calls from '#contract/connections/likes.ts';
import { paginate } from '#contract/paging.ts';
import { invalid } from '../../platform/http/app-error.ts';
import type { Deps } from '../../deps.ts';
import { mount } from '../../platform/http/mount.ts';
import { countReceived, countLikers, matchesPage, patternsFor, receivedLikes, sentLikes } from './reads.ts';
import { demandMember, like, pass, remainingLikes, unmatch, withdraw } from './likes.ts';
import { undo } from './undo.ts';

/** The window of a page; 400 for more than members may ask for. */
function windowOf({ page = 1, limit = defaultPageLimit }: { page?: number | undefined; limit?: number | undefined }) {
  if (limit > memberLimitMax) throw invalid('limit', `Use ${memberLimitMax} or less`);
  return { page, limit, offset: (page - 1) * limit };
}

/** Likes, passes, taking them back, and matches. */
export function mountLikes(app: FastifyInstance, deps: Deps): void {
  const { db, pictures } = deps;

  mount(app, deps, calls.likeUser).to(({ caller, params, body, now, once }) =>
    once(async (tx) => ({ data: await like(tx, caller, params.userId, body, now, pictures) })),
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
    demandMember(caller);
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
    demandMember(caller);
    const { page, limit, offset } = windowOf(query);
    const { likes, total } = await sentLikes(db, caller, limit, offset, now, pictures);
    const left = await remainingLikes(db, caller, now);
    return { data: { likes, pagination: paginate(page, limit, total), remainingLikes: left } };
  });
  mount(app, deps, calls.listMatches).to(async ({ caller, query, now }) => {
    demandMember(caller);
    const { page, limit, offset } = windowOf(query);
    const { matches, total } = await matchesPage(db, caller, limit, offset, now, pictures);
    return { data: { matches, pagination: paginate(page, limit, total) } };
  });
  mount(app, deps, calls.unmatchUser).to(async ({ caller, params, now }) => {
    await unmatch(db, caller, params.id, now);
    return { message: 'The match is ended', data: { unmatched: true } };
  });
}

import type { FastifyInstance } from 'fastify';
import * as calls from '#contract/connections/blocks.ts';
import { defaultPageLimit, memberLimitMax } from '#contract/constants.ts';
import { invalid } from '../../platform/http/app-error.ts';
import type { Deps } from '../../deps.ts';
import { mount } from '../../platform/http/mount.ts';
import { blocksPage } from './reads.ts';
import { block, demandMember, unblock } from './blocks.ts';

/** Whom a member does not want to see, nor be seen by. */
export function mountBlocks(app: FastifyInstance, deps: Deps): void {
  const { db } = deps;

  mount(app, deps, calls.blockUser).to(({ caller, params, now, once }) =>
    once(async (tx) => {
      await block(tx, caller, params.userId, now);
      return { message: 'You no longer see each other', data: { blocked: true } };
    }),
  );
  mount(app, deps, calls.unblockUser).to(async ({ caller, params }) => {
    await unblock(db, caller, params.userId);
    return { message: 'The block is taken back', data: { blocked: false } };
  });
  mount(app, deps, calls.listBlocks).to(async ({ caller, query }) => {
    demandMember(caller);
    const limit = query.limit ?? defaultPageLimit;
    if (limit > memberLimitMax) throw invalid('limit', `Use ${memberLimitMax} or less`);
    return { data: await blocksPage(db, caller.accountId, query.page ?? 1, limit) };
  });
}

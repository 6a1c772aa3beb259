import type { FastifyInstance } from 'fastify';
import { getStart, markStartSeen } from '#contract/moderation/start.ts';
import type { Deps } from '../../../deps.ts';
import { mount } from '#platform/http/mount.ts';
import { startPage } from './start.reads.ts';
import { markSeen } from './visit.ts';

/** Mounts the start page of staff. */
export function mountStart(app: FastifyInstance, deps: Deps): void {
  mount(app, deps, getStart).to(async ({ caller, read, now }) => ({
    data: await read((db) => startPage({ db, viewer: { ...caller, isMasked: true }, now })),
  }));
  mount(app, deps, markStartSeen).to(async (context) => ({ data: await markSeen(context, context.body) }));
}

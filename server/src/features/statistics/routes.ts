import type { FastifyInstance } from 'fastify';
import { getStatistics } from '#contract/statistics.ts';
import type { Deps } from '../../deps.ts';
import { mount } from '../../platform/http/mount.ts';
import { readStatistics } from './reads.ts';

/** Dashboard figures. */
export function mountStatistics(app: FastifyInstance, deps: Deps): void {
  mount(app, deps, getStatistics).to(async ({ caller, now }) => ({
    data: await readStatistics(deps.db, caller, now, deps.pictures),
  }));
}

import type { FastifyInstance } from 'fastify';
import * as calls from '#contract/moderation/cases.ts';
import type { Deps } from '../../../deps.ts';
import { mount } from '../../../platform/http/mount.ts';
import { claim, handle, renew } from './handling.ts';
import { casesPage, recentTimes } from './list.reads.ts';
import { openCaseFile } from './reads.ts';

/** Cases: everything reported about a person, handled by one member of staff at a time. */
export function mountCases(app: FastifyInstance, deps: Deps): void {
  const { db } = deps;

  mount(app, deps, calls.listCases).to(async ({ caller, query, now }) => ({
    data: await casesPage(db, { ...caller, isMasked: true }, query, now),
  }));
  mount(app, deps, calls.getCaseTimes).to(async ({ caller, now }) => ({ data: await recentTimes(db, caller, now) }));
  mount(app, deps, calls.getCase).to(async ({ caller, params, now }) => ({
    data: await openCaseFile(db, caller, params.id, deps.mediaAddresses, now),
  }));
  mount(app, deps, calls.claimCase).to(async ({ caller, params, now }) => ({
    data: { case: await claim(db, caller, params.id, now) },
  }));
  mount(app, deps, calls.renewClaim).to(async ({ caller, params, now }) => ({
    data: { case: await renew(db, caller, params.id, now) },
  }));
  mount(app, deps, calls.handleCase).to(async ({ caller, params, body, now }) => ({
    data: { case: await handle(db, caller, params.id, body, now) },
  }));
}

import type { FastifyInstance } from 'fastify';
import * as calls from '#contract/moderation/emergencies.ts';
import type { Deps } from '../../../deps.ts';
import { mount } from '../../../platform/http/mount.ts';
import { askRelease, hold } from './legal-hold.ts';
import { end, mark } from './mark.ts';
import { refer } from './referral.ts';
import { safetyOf } from './safety.reads.ts';

/** Mounts emergencies, referrals to authorities and legal holds, all on a case. */
export function mountEmergencies(app: FastifyInstance, deps: Deps): void {
  mount(app, deps, calls.getCaseSafety).to(async ({ caller, params, now }) => ({
    data: { safety: await safetyOf(deps.db, caller, params.id, now) },
  }));
  mount(app, deps, calls.markEmergency).to(async (context) => ({
    data: { safety: await mark(context, { ...context.params, ...context.body }) },
  }));
  mount(app, deps, calls.endRestriction).to(async (context) => ({
    data: { safety: await end(context, { ...context.params, ...context.body }) },
  }));
  mount(app, deps, calls.recordReferral).to(async (context) => ({
    data: { safety: await refer(context, { ...context.params, ...context.body }) },
  }));
  mount(app, deps, calls.setLegalHold).to(async (context) => ({
    data: { safety: await hold(context, { ...context.params, ...context.body }) },
  }));
  mount(app, deps, calls.askForHoldRelease).to(async (context) => ({
    data: { safety: await askRelease(context, { ...context.params, ...context.body }) },
  }));
}

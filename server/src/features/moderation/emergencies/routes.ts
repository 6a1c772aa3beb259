import type { FastifyInstance } from 'fastify';
import * as calls from '#contract/moderation/emergencies.ts';
import type { Deps } from '../../../deps.ts';
import { inTransaction } from '#platform/db/db.ts';
import { mount } from '#platform/http/mount.ts';
import { askRelease, preserve, readCopy } from './preservation.ts';
import { end, mark, refer } from './mark.ts';

/** Mounts emergencies, referrals to authorities and legal holds, all on a case. */
export function mountEmergencies(app: FastifyInstance, deps: Deps): void {
  mount(app, deps, calls.markEmergency).to(async (context) => {
    await mark(context, { ...context.params, ...context.body });
    return {};
  });
  mount(app, deps, calls.endRestriction).to(async (context) => {
    await end(context, { ...context.params, ...context.body });
    return {};
  });
  mount(app, deps, calls.recordReferral).to(async (context) => {
    await refer(context, { ...context.params, ...context.body });
    return {};
  });
  mount(app, deps, calls.setPreservation).to(async (context) => {
    await preserve(context, { ...context.params, ...context.body });
    return {};
  });
  mount(app, deps, calls.askForPreservationRelease).to(async (context) => {
    await askRelease(context, { ...context.params, ...context.body });
    return {};
  });
  mount(app, deps, calls.getPreservedCopies).to(async (context) => ({
    data: { copies: await inTransaction(deps.db, (tx) => readCopy({ ...context, tx }, context.params)) },
  }));
}

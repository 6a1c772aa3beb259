import type { FastifyInstance } from 'fastify';
import * as calls from '#contract/moderation/outsider-reports.ts';
import type { Deps } from '../../../deps.ts';
import { mount } from '#platform/http/mount.ts';
import { noteReading } from '../../media/public.ts';
import { appealOutsiderReport } from './appeal.ts';
import { assignWaiting, closeWaiting } from './handle.ts';
import { confirmAddress, forgetAuthor } from './links.ts';
import { outsiderReportsFrom } from './own.reads.ts';
import { outsiderReports } from './staff.reads.ts';
import { checkOutsiderReport, newChallenge, submitOutsiderReport } from './submit.ts';

/** Mounts outsider reports: filed and followed without an account, handled by staff. */
export function mountOutsiderReports(app: FastifyInstance, deps: Deps): void {
  const { db, appealKey } = deps;

  mount(app, deps, calls.getOutsiderChallenge).to(({ now }) =>
    Promise.resolve({ data: { challenge: newChallenge(appealKey, now), bits: calls.proofBits } }),
  );
  mount(app, deps, calls.fileOutsiderReport)
    .before(({ body, now }) => checkOutsiderReport(deps, body, now))
    .to(async ({ tx, body, now }) => {
      await submitOutsiderReport(tx, body, now);
      return { message: 'Thank you, we received your notice', data: {} };
    });
  mount(app, deps, calls.openOutsiderLink).to(async ({ tx, body, now }) => {
    const email = await confirmAddress(tx, appealKey, body.token, now);
    return { data: { notices: await outsiderReportsFrom(tx, email, now) } };
  });
  mount(app, deps, calls.appealOutsiderReport).to(async ({ tx, body: { token, ...given }, now }) => {
    const email = await confirmAddress(tx, appealKey, token, now);
    await appealOutsiderReport(tx, { email, ...given }, now);
    return { data: { notices: await outsiderReportsFrom(tx, email, now) } };
  });
  mount(app, deps, calls.forgetOutsider).to(async ({ tx, body, now }) => {
    await forgetAuthor(tx, appealKey, body.token, now);
    return { message: 'Your name and address are erased', data: {} };
  });

  mount(app, deps, calls.listOutsiderReports).to(async ({ caller, query, now }) => {
    const data = await outsiderReports(db, caller, query);
    if (data.notices.length > 0) await noteReading(db, caller, { action: 'notices.read', now });
    return { data };
  });
  mount(app, deps, calls.closeOutsiderReport).to(async (context) => ({
    data: { closed: await closeWaiting(context, { ...context.params, ...context.body }) },
  }));
  mount(app, deps, calls.assignOutsiderReport).to(async (context) => ({
    data: { caseId: await assignWaiting(context, { ...context.params, ...context.body }) },
  }));
}

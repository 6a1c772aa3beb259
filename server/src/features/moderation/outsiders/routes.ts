import type { FastifyInstance } from 'fastify';
import * as calls from '#contract/moderation/outsider-notices.ts';
import type { Deps } from '../../../deps.ts';
import { mount } from '#platform/http/mount.ts';
import { noteReading } from '../../media/public.ts';
import { appealNotice } from './appeal.ts';
import { assignNotice, closeNotice } from './handle.ts';
import { confirmAddress, forgetAuthor } from './links.ts';
import { noticesFrom } from './own.reads.ts';
import { outsiderNotices } from './staff.reads.ts';
import { checkNotice, newChallenge, submitNotice } from './submit.ts';

/** Mounts notices by people who are not members: filed and followed without an account, handled by staff. */
export function mountOutsiderNotices(app: FastifyInstance, deps: Deps): void {
  const { db, appealKey } = deps;

  mount(app, deps, calls.getNoticeChallenge).to(({ now }) =>
    Promise.resolve({ data: { challenge: newChallenge(appealKey, now), bits: calls.proofBits } }),
  );
  mount(app, deps, calls.fileNotice)
    .before(({ body, now }) => checkNotice(deps, body, now))
    .to(async ({ tx, body, now }) => {
      await submitNotice(tx, body, now);
      return { message: 'Thank you, we received your notice', data: {} };
    });
  mount(app, deps, calls.openNoticeLink).to(async ({ tx, body, now }) => {
    const email = await confirmAddress(tx, appealKey, body.token, now);
    return { data: { notices: await noticesFrom(tx, email, now) } };
  });
  mount(app, deps, calls.appealNotice).to(async ({ tx, body: { token, ...given }, now }) => {
    const email = await confirmAddress(tx, appealKey, token, now);
    await appealNotice(tx, { email, ...given }, now);
    return { data: { notices: await noticesFrom(tx, email, now) } };
  });
  mount(app, deps, calls.forgetNoticeAuthor).to(async ({ tx, body, now }) => {
    await forgetAuthor(tx, appealKey, body.token, now);
    return { message: 'Your name and address are erased', data: {} };
  });

  mount(app, deps, calls.listOutsiderNotices).to(async ({ caller, query, now }) => {
    const data = await outsiderNotices(db, caller, query);
    if (data.notices.length > 0) await noteReading(db, caller, { action: 'notices.read', now });
    return { data };
  });
  mount(app, deps, calls.closeOutsiderNotice).to(async (context) => ({
    data: { closed: await closeNotice(context, { ...context.params, ...context.body }) },
  }));
  mount(app, deps, calls.assignOutsiderNotice).to(async (context) => ({
    data: { caseId: await assignNotice(context, { ...context.params, ...context.body }) },
  }));
}

import type { FastifyInstance } from 'fastify';
import * as calls from '#contract/moderation/appeals.ts';
import type { Deps } from '../../../deps.ts';
import { inTransaction } from '#platform/db/db.ts';
import { notFound } from '#platform/http/app-error.ts';
import { mount } from '#platform/http/mount.ts';
import { addJob } from '#platform/jobs/jobs.ts';
import { presentOf, startRefund, withdrawContract } from '../../subscriptions/public.ts';
import { statementOf } from '../decisions/decisions.reads.ts';
import { decideAppeal } from './decide-appeal.ts';
import { readAppealToken } from '../decisions/links.ts';
import { lockedAccount, openLink } from './locked.ts';
import { rightOfReporter } from '../decisions/own-appeals.reads.ts';
import { appealsPage, openAppealFile } from './reads.ts';
import { review } from './review.ts';
import { submit, withdraw } from './submit.ts';

/** Mounts appeals of members, signed in or with a link, and their review by staff. */
export function mountAppeals(app: FastifyInstance, deps: Deps): void {
  const { db, appealKey } = deps;

  mount(app, deps, calls.submitAppeal).to(async (context) => ({
    data: { right: await submit(context, { accountId: context.caller.accountId, ...context.body }) },
  }));
  mount(app, deps, calls.getReportAppeal).to(async ({ caller, params, now }) => ({
    data: { right: await rightOfReporter(db, caller.accountId, params.id, now) },
  }));
  mount(app, deps, calls.withdrawAppeal).to(async (context) => ({
    data: { right: await withdraw(context, context.params) },
  }));
  mount(app, deps, calls.openAppealLink).to(async ({ body, now }) => ({
    data: await openLink(deps, await readAppealToken(db, appealKey, body.token, now), now),
  }));
  mount(app, deps, calls.requestAppealLink).to(async ({ tx, body }) => {
    await addJob(tx, 'appeals.mailLink', { email: body.email });
    return { message: 'If the address belongs to a closed account, we sent an email', data: {} };
  });
  mount(app, deps, calls.refundByLink)
    .before(() => presentOf(deps))
    .to(async ({ tx, body, now }, present) => {
      const { accountId } = await readAppealToken(tx, appealKey, body.token, now);
      return { data: { refund: await startRefund({ tx, deps, now }, accountId, present) } };
    });
  mount(app, deps, calls.withdrawByLink)
    .before(() => presentOf(deps))
    .to(async ({ tx, body, now }, present) => {
      const { accountId } = await readAppealToken(tx, appealKey, body.token, now);
      if ((await lockedAccount(tx, accountId)) === undefined) throw notFound();
      const { refund } = await withdrawContract({ tx, deps, now }, accountId, present);
      return { data: { refund } };
    });
  mount(app, deps, calls.appealByLink).to(async ({ tx, body: { token, text }, now }) => {
    const named = await readAppealToken(tx, appealKey, token, now);
    await submit({ tx, now }, { ...named, text });
    return { data: { notice: await statementOf(tx, named, now) } };
  });

  mount(app, deps, calls.listAppeals).to(async ({ caller, query, read, now }) => ({
    data: await read((from) => appealsPage(from, { ...caller, isMasked: true }, query, now)),
  }));
  mount(app, deps, calls.getAppeal).to(async (context) => ({
    data: await inTransaction(db, (tx) => openAppealFile({ ...context, tx }, context.params)),
  }));
  mount(app, deps, calls.reviewAppeal).to(async (context) => {
    await review(context, context.params);
    return { data: await openAppealFile(context, context.params) };
  });
  mount(app, deps, calls.decideAppeal).to(async (context) => {
    await decideAppeal(context, { ...context.params, ...context.body });
    return { data: await openAppealFile(context, context.params) };
  });
}

import type { FastifyInstance } from 'fastify';
import * as calls from '#contract/moderation/appeals.ts';
import type { Deps } from '../../../deps.ts';
import { inTransaction } from '../../../platform/db/db.ts';
import { mount } from '../../../platform/http/mount.ts';
import { noticeOf } from '../decisions/decisions.reads.ts';
import { readAppealToken } from './links.ts';
import { rightOfReporter } from './own.reads.ts';
import { appealsPage, openAppealFile } from './reads.ts';
import { decideReview, review } from './review.ts';
import { submit, withdraw } from './submit.ts';

/** Appeals of members, signed in or by a link, and their review by staff. */
export function mountAppeals(app: FastifyInstance, deps: Deps): void {
  const { db, appealKey, mediaAddresses } = deps;

  mount(app, deps, calls.submitAppeal).to(async ({ tx, caller: { accountId }, body, now }) => ({
    data: { right: await submit(tx, { accountId, ...body }, now) },
  }));
  mount(app, deps, calls.getReportAppeal).to(async ({ caller, params, now }) => ({
    data: { right: await rightOfReporter(db, caller.accountId, params.id, now) },
  }));
  mount(app, deps, calls.withdrawAppeal).to(async ({ caller, params, now }) => ({
    data: { right: await withdraw(db, caller.accountId, params.id, now) },
  }));
  mount(app, deps, calls.openAppealLink).to(async ({ body, now }) => ({
    data: { notice: await noticeOf(db, await readAppealToken(db, appealKey, body.token, now), now) },
  }));
  mount(app, deps, calls.appealByLink).to(async ({ tx, body: { token, text }, now }) => {
    const named = await readAppealToken(tx, appealKey, token, now);
    await submit(tx, { ...named, text }, now);
    return { data: { notice: await noticeOf(tx, named, now) } };
  });

  mount(app, deps, calls.listAppeals).to(async ({ caller, query, read, now }) => ({
    data: await read((from) => appealsPage(from, { ...caller, isMasked: true }, query, now)),
  }));
  mount(app, deps, calls.getAppeal).to(async ({ caller, params, now }) => ({
    data: await inTransaction(db, (tx) => openAppealFile(tx, caller, params.id, mediaAddresses, now)),
  }));
  mount(app, deps, calls.reviewAppeal).to(async ({ tx, caller, params: { id }, now }) => {
    await review(tx, caller, id, now);
    return { data: await openAppealFile(tx, caller, id, mediaAddresses, now) };
  });
  mount(app, deps, calls.decideAppeal).to(async ({ tx, caller, params: { id }, body, now }) => {
    await decideReview(tx, caller, id, body, now);
    return { data: await openAppealFile(tx, caller, id, mediaAddresses, now) };
  });
}

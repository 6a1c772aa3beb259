import type { FastifyInstance } from 'fastify';
import * as calls from '#contract/moderation/cases.ts';
import type { Deps } from '../../../deps.ts';
import { mount } from '../../../platform/http/mount.ts';
import { claim, handle, renew } from './handling.ts';
import { casesPage, recentTimes } from './list.reads.ts';
import { openCaseSchema } from '#contract/realtime.ts';
import { reply } from '../reports/handling.ts';
import { caseViewer, colleagues, newestReport, openCaseFile, staffCase } from './reads.ts';
import { changeView, deleteView, savedViews, saveView } from './views.ts';

/** Cases: everything reported about a person, handled by one member of staff at a time. */
export function mountCases(app: FastifyInstance, deps: Deps): void {
  const { db } = deps;

  mount(app, deps, calls.listCases).to(async ({ caller, query, read, now }) => ({
    data: await read((from) => casesPage(from, { ...caller, isMasked: true }, query, now)),
  }));
  mount(app, deps, calls.listCaseViews).to(async ({ caller, read, now }) => ({
    data: { views: await read((from) => savedViews(from, caller, now)) },
  }));
  mount(app, deps, calls.saveCaseView).to(async ({ tx, caller, body, now }) => ({
    data: { view: await saveView(tx, caller, body, now) },
  }));
  mount(app, deps, calls.changeCaseView).to(async ({ caller, params, body, now }) => ({
    data: { view: await changeView(db, caller, params.id, body, now) },
  }));
  mount(app, deps, calls.deleteCaseView).to(async ({ caller, params, now }) => {
    await deleteView(db, caller, params.id, now);
    return {};
  });
  mount(app, deps, calls.getCaseTimes).to(async ({ caller, read, now }) => ({
    data: await read((from) => recentTimes(from, caller, now)),
  }));
  mount(app, deps, calls.getCase).to(async ({ caller, params, now }) => ({
    data: await openCaseFile(db, caller, params.id, deps.mediaAddresses, now),
  }));
  mount(app, deps, calls.noteOnCase).to(async ({ tx, caller, params, body, now }) => {
    const message = { message: body.text, isInternal: true };
    await reply(tx, caller, await newestReport(tx, caller, params.id), message, now);
    return { data: { case: await staffCase(tx, caller, params.id, now) } };
  });
  mount(app, deps, calls.listColleagues).to(async ({ query }) => ({ data: await colleagues(db, query.search ?? '') }));
  mount(app, deps, calls.claimCase).to(async ({ caller, params, now }) => ({
    data: { case: await claim(db, caller, params.id, now) },
  }));
  mount(app, deps, calls.renewClaim).to(async ({ caller, params, now }) => ({
    data: { case: await renew(db, caller, params.id, now) },
  }));
  mount(app, deps, calls.handleCase).to(async ({ caller, params, body, now }) => ({
    data: { case: await handle(db, caller, params.id, body, now) },
  }));

  deps.realtime.on({
    openCase: async (accountId, payload, enter) => {
      const { data } = openCaseSchema.safeParse(payload);
      const viewer = data && (await caseViewer(db, accountId, data.caseId));
      const room = data === undefined || viewer === null || viewer === undefined ? null : `case:${data.caseId}`;
      await enter(room, async () => data !== undefined && (await caseViewer(db, accountId, data.caseId)) !== null);
      if (room !== null && data && viewer)
        deps.realtime.emitTo(room, { kind: 'caseViewer', caseId: data.caseId, viewer });
    },
  });
}

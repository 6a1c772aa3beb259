import type { FastifyInstance } from 'fastify';
import * as calls from '#contract/moderation/cases.ts';
import { listCaseViews, listCases } from '#contract/moderation/case-list.ts';
import { changeCaseView, deleteCaseView, saveCaseView } from '#contract/moderation/case-views.ts';
import { exportDecidedCases, getDecisionFigures } from '#contract/moderation/decided-cases.ts';
import { listOwnCases, openCase } from '#contract/moderation/own-cases.ts';
import { openCaseSchema } from '#contract/realtime.ts';
import type { Deps } from '../../../deps.ts';
import { askForAge } from '#contract/moderation/age.ts';
import { inTransaction } from '#platform/db/db.ts';
import { mount } from '#platform/http/mount.ts';
import { countAtLimit } from '#platform/session/act-limits.ts';
import { askForAge as ask } from './age.ts';
import { decide } from '../decisions/decide.ts';
import { releaseHold } from '../holds/release-hold.ts';
import { reply } from '../reports/reply.ts';
import { changeView, deleteView, saveView } from '../saved-views/saved-views.ts';
import { decisionFigures } from './decision-figures.reads.ts';
import { exportDecided } from './export.ts';
import { claim, handle, renew } from './handle.ts';
import { caseScreen } from './list.reads.ts';
import { openOwnCase } from './open.ts';
import { ownCaseFigures } from './own-cases.reads.ts';
import { casesPage } from './page.reads.ts';
import { caseViewer, colleagues, newestReport, openCaseFile, staffCase } from './reads.ts';
import { recentTimes } from './times.reads.ts';
import { caseListAfter, caseLists } from './views.ts';

/** Mounts cases: everything reported about a person, handled by one member of staff at a time. */
export function mountCases(app: FastifyInstance, deps: Deps): void {
  const { db } = deps;
  deps.metrics.gauge('staff_at_hourly_limit', 'Staff who have done a limited act as often as an hour allows', () =>
    countAtLimit(db, deps.clock.now()),
  );

  mount(app, deps, listCases).to(async ({ caller, query, read, now }) => ({
    data: await read((from) => casesPage(from, { ...caller, isMasked: true }, query, now)),
  }));
  mount(app, deps, listCaseViews).to(async ({ caller, read, now }) => ({
    data: { views: await read((from) => caseLists(from, caller, now)) },
  }));
  mount(app, deps, saveCaseView).to(async (context) => ({
    data: { view: await caseListAfter(context, await saveView(context, caseScreen, context.body)) },
  }));
  mount(app, deps, changeCaseView).to(async (context) => ({
    data: {
      view: await caseListAfter(context, await changeView(context, caseScreen, { ...context.params, ...context.body })),
    },
  }));
  mount(app, deps, deleteCaseView).to(async (context) => {
    await deleteView(context, caseScreen, context.params);
    return {};
  });
  mount(app, deps, calls.getCaseTimes).to(async ({ caller, read, now }) => ({
    data: await read((from) => recentTimes(from, caller, now)),
  }));
  mount(app, deps, getDecisionFigures).to(async ({ caller, read, now }) => ({
    data: await read((from) => decisionFigures(from, caller, now)),
  }));
  mount(app, deps, exportDecidedCases).to((context) => exportDecided(context, context.query));
  mount(app, deps, calls.getCase).to(async (context) => ({
    data: await inTransaction(db, (tx) => openCaseFile({ ...context, tx }, context.params)),
  }));
  mount(app, deps, calls.noteOnCase).to(async (context) => {
    const { tx, caller, params, body, now } = context;
    const id = await newestReport(tx, caller, params.id);
    await reply(context, { id, message: body.text, isInternal: true });
    return { data: { case: await staffCase(tx, caller, params.id, now) } };
  });
  mount(app, deps, openCase).to(async (context) => ({
    data: await openOwnCase(context, { ...context.params, ...context.body }),
  }));
  mount(app, deps, listOwnCases).to(async ({ caller, read, now }) => ({
    data: { openers: await read((from) => ownCaseFigures(from, caller, now)) },
  }));
  mount(app, deps, calls.listColleagues).to(async ({ query }) => ({ data: await colleagues(db, query.search ?? '') }));
  mount(app, deps, calls.claimCase).to(async (context) => ({
    data: { case: await claim(context, context.params) },
  }));
  mount(app, deps, calls.renewClaim).to(async (context) => ({
    data: { case: await renew(context, context.params) },
  }));
  mount(app, deps, calls.handleCase).to(async (context) => ({
    data: { case: await handle(context, { ...context.params, ...context.body }) },
  }));
  mount(app, deps, calls.decideCase).to(async (context) => {
    const { tx, caller, params, body, now } = context;
    const decision = await decide(context, { ...params, ...body });
    return { data: { case: await staffCase(tx, caller, params.id, now), decision } };
  });
  mount(app, deps, askForAge).to(async (context) => {
    await ask(context, context.params);
    return { message: 'Asked by mail' };
  });
  mount(app, deps, calls.releaseHold).to(async (context) => {
    const { tx, caller, params, body, now } = context;
    await releaseHold(context, { ...params, ...body });
    return { data: { case: await staffCase(tx, caller, params.id, now) } };
  });
  showViewers(deps);
}

/** Shows who else has a case open. */
function showViewers({ db, realtime }: Deps): void {
  realtime.on({
    openCase: async (accountId, payload, enter) => {
      const { data } = openCaseSchema.safeParse(payload);
      const viewer = data && (await caseViewer(db, accountId, data.caseId));
      const room = data === undefined || viewer === null || viewer === undefined ? null : `case:${data.caseId}`;
      await enter(room, async () => data !== undefined && (await caseViewer(db, accountId, data.caseId)) !== null);
      if (room !== null && data && viewer) realtime.emitTo(room, { kind: 'caseViewer', caseId: data.caseId, viewer });
    },
  });
}

import type { FastifyInstance } from 'fastify';
import * as calls from '#contract/moderation/reports.ts';
import * as templates from '#contract/moderation/templates.ts';
import type { Deps } from '../../../deps.ts';
import { mount } from '../../../platform/http/mount.ts';
import { changedForStaff } from './events.reads.ts';
import { fileReport } from './filing.ts';
import { countOverdue, ownReportsPage, reportsPage } from './list.reads.ts';
import { openConversation, openReport, openReportFile, ownReport } from './reads.ts';

import { changePriority, changeStatus, markRead, removeReport, reply, undoStatus } from './handling.ts';
import { reportStatistics } from './statistics.reads.ts';
import { addTemplate, changeTemplate, currentTemplates, retireTemplate } from './templates.ts';

/** Reports: filed and followed by members, handled by staff. */
export function mountReports(app: FastifyInstance, deps: Deps): void {
  const { db } = deps;
  deps.realtime.readForStaff(changedForStaff);
  deps.metrics.gauge('reports_overdue', 'Reports whose first response is overdue, at most 1000', () =>
    countOverdue(db, deps.clock.now()),
  );

  mount(app, deps, calls.createReport).to(async ({ tx, caller, body, now }) => {
    const id = await fileReport(tx, deps, caller, body, now);
    return { message: 'Thank you, we received your report', data: { report: await ownReport(tx, caller, id) } };
  });
  mount(app, deps, calls.listReports).to(async ({ caller, query, read, now }) => ({
    data: await read((from) => reportsPage(from, caller, query, now)),
  }));
  mount(app, deps, calls.listMyReports).to(async ({ caller, query }) => ({
    data: await ownReportsPage(db, caller, query),
  }));
  mount(app, deps, calls.getReportStatistics).to(async ({ caller, read, now }) => ({
    data: await read((from) => reportStatistics(from, caller, now)),
  }));
  mount(app, deps, calls.getReport).to(async ({ caller, params, now }) => ({
    data: { report: await openReport(db, caller, params.id, now) },
  }));
  mount(app, deps, calls.markReportRead).to(async ({ caller, params, now }) => ({
    data: { report: await markRead(db, caller, params.id, now) },
  }));
  mount(app, deps, calls.getReportConversation).to(async ({ caller, params, now }) => ({
    data: { conversation: await openConversation(db, caller, params.id, now) },
  }));
  mount(app, deps, calls.getReportReplies).to(async ({ caller, params, now }) => ({
    data: { replies: (await openConversation(db, caller, params.id, now)).slice(1) },
  }));
  mount(app, deps, calls.replyToReport).to(async ({ tx, caller, params, body, now }) => {
    const { message, isInternal = false } = body;
    return { data: { report: await reply(tx, caller, params.id, { message, isInternal }, now) } };
  });
  mountStaffCommands(app, deps);
}

function mountStaffCommands(app: FastifyInstance, deps: Deps): void {
  const { db } = deps;

  mount(app, deps, templates.listReplyTemplates).to(async () => ({ data: { templates: await currentTemplates(db) } }));
  mount(app, deps, templates.addReplyTemplate).to(async ({ tx, caller, body, now }) => ({
    data: { template: await addTemplate(tx, caller, body, now) },
  }));
  mount(app, deps, templates.changeReplyTemplate).to(async ({ caller, params, body, now }) => ({
    data: { template: await changeTemplate(db, caller, params.id, body, now) },
  }));
  mount(app, deps, templates.retireReplyTemplate).to(async ({ caller, params, now }) => {
    await retireTemplate(db, caller, params.id, now);
    return {};
  });
  mount(app, deps, calls.getReportFile).to(async ({ caller, params, now }) => ({
    data: await openReportFile(db, caller, params.id, deps.mediaAddresses, now),
  }));
  mount(app, deps, calls.changeReportStatus).to(async ({ caller, params, body, now }) => ({
    data: { report: await changeStatus(db, caller, params.id, body.status, now) },
  }));
  mount(app, deps, calls.undoReportStatus).to(async ({ caller, params, now }) => ({
    data: { report: await undoStatus(db, caller, params.id, now) },
  }));
  mount(app, deps, calls.changeReport).to(async ({ caller, params, body, now }) => ({
    data: { report: await changePriority(db, caller, params.id, body, now) },
  }));
  mount(app, deps, calls.deleteReport).to(async ({ caller, params, now }) => {
    await removeReport(db, caller, params.id, now);
    return { message: 'Report deleted', data: { deleted: true } };
  });
}

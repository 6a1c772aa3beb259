import type { FastifyInstance } from 'fastify';
import * as own from '#contract/moderation/reports.ts';
import * as calls from '#contract/moderation/staff-reports.ts';
import { getReportFile } from '#contract/moderation/report-file.ts';
import * as templates from '#contract/moderation/templates.ts';
import { writeToMember } from '#contract/moderation/staff-messages.ts';
import type { Deps } from '../../../deps.ts';
import { inTransaction } from '#platform/db/db.ts';
import { mount } from '#platform/http/mount.ts';
import { requireOwnLinks } from '#platform/http/own-links.ts';
import { changePriority, deleteReport, markRead } from './change-report.ts';
import { noteAddresses } from '../../profiles/public.ts';
import { changeStatus, undoStatus } from './change-status.ts';
import { fileReport } from './file-report.ts';
import { changedForStaff } from './events.reads.ts';
import { countOverdue, ownReportsPage, reportsPage } from './list.reads.ts';
import { openConversation, openReport, openReportFile, ownReport } from './reads.ts';
import { reply } from './reply.ts';
import { reportStatistics } from './statistics.reads.ts';
import { addTemplate, changeTemplate, currentTemplates, retireTemplate } from './templates.ts';
import { writeFirst } from './write-first.ts';

/** Mounts reports: filed and followed by members, handled by staff. */
export function mountReports(app: FastifyInstance, deps: Deps): void {
  const { db } = deps;
  deps.realtime.readForStaff(changedForStaff);
  deps.metrics.gauge('reports_overdue', 'Reports whose first response is overdue, at most 1000', () =>
    countOverdue(db, deps.clock.now()),
  );

  mount(app, deps, own.createReport).to(async (context) => {
    const report = await ownReport(context.tx, context.caller, await fileReport(context, context.body));
    return { message: 'Thank you, we received your report', data: { report } };
  });
  mount(app, deps, calls.listReports).to(async ({ caller, query, read, now }) => ({
    data: await read((from) =>
      reportsPage(
        { db: from, viewer: caller, now, shownTo: (people) => noteAddresses({ db, caller, now }, people) },
        query,
      ),
    ),
  }));
  mount(app, deps, own.listMyReports).to(async ({ caller, query }) => ({
    data: await ownReportsPage(db, caller, query),
  }));
  mount(app, deps, calls.getReportStatistics).to(async ({ caller, read, now }) => ({
    data: await read((from) => reportStatistics(from, caller, now)),
  }));
  mount(app, deps, calls.getReport).to(async ({ caller, params, now }) => ({
    data: { report: await openReport(db, caller, params.id, now) },
  }));
  mount(app, deps, own.markReportRead).to(async (context) => ({
    data: { report: await markRead(context, context.params) },
  }));
  mount(app, deps, calls.getReportConversation).to(async ({ caller, params, now }) => ({
    data: { conversation: await openConversation(db, caller, params.id, now) },
  }));
  mount(app, deps, calls.getReportReplies).to(async ({ caller, params, now }) => ({
    data: { replies: (await openConversation(db, caller, params.id, now)).slice(1) },
  }));
  mount(app, deps, calls.replyToReport).to(async (context) => ({
    data: { report: await reply(context, { ...context.params, ...context.body }) },
  }));
  mountStaffCommands(app, deps);
}

function mountStaffCommands(app: FastifyInstance, deps: Deps): void {
  const { db } = deps;

  mount(app, deps, templates.listReplyTemplates).to(async () => ({ data: { templates: await currentTemplates(db) } }));
  mount(app, deps, templates.addReplyTemplate).to(async (context) => ({
    data: { template: await addTemplate(context, context.body) },
  }));
  mount(app, deps, templates.changeReplyTemplate).to(async (context) => ({
    data: { template: await changeTemplate(context, { ...context.params, ...context.body }) },
  }));
  mount(app, deps, templates.retireReplyTemplate).to(async (context) => {
    await retireTemplate(context, context.params);
    return {};
  });
  mount(app, deps, getReportFile).to(async (context) => ({
    data: await inTransaction(db, (tx) => openReportFile({ ...context, tx }, context.params)),
  }));
  mount(app, deps, writeToMember).to(async (context) => {
    requireOwnLinks('text', context.body.text, deps.config);
    return { data: await writeFirst(context, { ...context.params, ...context.body }) };
  });
  mount(app, deps, calls.changeReportStatus).to(async (context) => ({
    data: { report: await changeStatus(context, { ...context.params, ...context.body }) },
  }));
  mount(app, deps, calls.undoReportStatus).to(async (context) => ({
    data: { report: await undoStatus(context, context.params) },
  }));
  mount(app, deps, calls.changeReport).to(async (context) => ({
    data: { report: await changePriority(context, { ...context.params, ...context.body }) },
  }));
  mount(app, deps, calls.deleteReport).to(async (context) => {
    await deleteReport(context, context.params);
    return { message: 'Report deleted', data: { deleted: true } };
  });
}

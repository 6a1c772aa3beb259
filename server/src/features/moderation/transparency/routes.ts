import type { FastifyInstance } from 'fastify';
import type { TaskList } from 'graphile-worker';
import * as calls from '#contract/moderation/transparency.ts';
import type { Deps } from '../../../deps.ts';
import type { Actor } from '../../../platform/db/audit.ts';
import { notFound } from '../../../platform/http/app-error.ts';
import { mount } from '../../../platform/http/mount.ts';
import type { Schedule } from '../../../platform/jobs/jobs.ts';
import { publishLastYear, publishReport, requestReport } from './make.ts';
import { publishedFile, publishedReports } from './published.reads.ts';

const endings: Record<calls.TransparencyFile, string> = { report: 'json', figures: 'csv', statements: 'ndjson' };

/** Yearly reports, open to everyone, with the files that they consist of. */
export function mountTransparency(app: FastifyInstance, deps: Deps): void {
  mount(app, deps, calls.listTransparency).to(async ({ read }) => ({
    data: { reports: await read((from) => publishedReports(from)) },
  }));
  mount(app, deps, calls.getTransparencyFile).to(async ({ reply, params: { year, file: name } }) => {
    const file = calls.transparencyFileNames.find((one) => one === name);
    if (file === undefined || !/^\d{4}$/.test(year)) throw notFound();
    return reply
      .type(calls.transparencyFiles[file])
      .header('content-disposition', `attachment; filename="heartwood-${year}-${file}.${endings[file]}"`)
      .send(await publishedFile(deps.db, year, file));
  });
  mount(app, deps, calls.getTransparencySchema).to(async ({ reply }) =>
    reply
      .type(calls.getTransparencySchema.streams)
      .send(`${JSON.stringify(calls.transparencyJsonSchema(), null, 2)}\n`),
  );
  mount(app, deps, calls.makeTransparencyReport).to(async (context) => {
    await requestReport(context, context.body);
    return {};
  });
}

/** Makes reports: on request, and in January that of the last year. */
export const transparencyTasks = ({ db, clock }: Deps): TaskList => ({
  'transparency.make': (payload) => {
    const { year, actor } = payload as { year: number; actor: Actor };
    return publishReport(db, year, actor, clock.now());
  },
  'transparency.makeLastYear': () => publishLastYear(db, clock.now()),
});

/** Every day of January after the first, so that a day on which the server was off is made up for. */
export const transparencySchedules: Schedule[] = [{ cron: '25 5 2-31 1 *', task: 'transparency.makeLastYear' }];

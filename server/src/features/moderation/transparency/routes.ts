import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import * as calls from '#contract/moderation/transparency.ts';
import type { Deps } from '../../../deps.ts';
import { notFound } from '#platform/http/app-error.ts';
import { mount } from '#platform/http/mount.ts';
import { job } from '#platform/jobs/job.ts';
import { asFile } from '#platform/service/brand.ts';
import { publishLastYear, publishReport, reportRequest, requestReport } from './make.ts';
import { publishedFile, publishedReports } from './published.reads.ts';
import { noteSeals } from './verify.ts';

/** How long a file may be cached, because a year's report is seldom created again. */
const keptSeconds = 3600;

/** Whether the client already has the file; a compressing proxy weakens its ETag. */
const namesTag = (header: string | undefined, tag: string) =>
  header?.split(',').some((one) => [tag, '*'].includes(one.trim().replace(/^W\//, ''))) === true;

const endings: Record<calls.TransparencyFile, string> = { report: 'json', figures: 'csv', statements: 'ndjson' };

/** The public yearly reports with their files. */
export function mountTransparency(app: FastifyInstance, deps: Deps): void {
  mount(app, deps, calls.listTransparency).to(async ({ read }) => ({
    data: { reports: await read((from) => publishedReports(from)) },
  }));
  mount(app, deps, calls.getTransparencyFile).to(async ({ reply, params: { year, file: name } }) => {
    const file = calls.transparencyFileNames.find((one) => one === name);
    if (file === undefined || !/^\d{4}$/.test(year)) throw notFound();
    const { sha256, parts } = await publishedFile(deps.db, year, file);
    const tag = `"${sha256}"`;
    reply.header('etag', tag).header('cache-control', `public, max-age=${keptSeconds}`);
    if (namesTag(reply.request.headers['if-none-match'], tag)) return reply.code(304).send();
    return reply
      .type(calls.getTransparencyFile.streams)
      .header('content-disposition', asFile(`${year}-${file}.${endings[file]}`))
      .send(Readable.from(parts(), { objectMode: false, highWaterMark: 1 }));
  });
  mount(app, deps, calls.getTransparencySchema).to(async ({ reply }) =>
    reply
      .type(calls.getTransparencySchema.streams)
      .send(`${JSON.stringify(calls.transparencyJsonSchema(), null, 2)}\n`),
  );
  mount(app, deps, calls.makeTransparencyReport).to(async (context) => {
    await requestReport(context);
    return {};
  });
}

/** Creates reports on request and in January for the last year, and records their seals. */
export const transparencyJobs = [
  job({
    name: 'transparency.make',
    payload: reportRequest,
    sweep: { harmless: 'The page shows that there is no new version, and its administrator asks again.' },
    slots: 'long',
    run: ({ db, clock }, request) => publishReport(db, request, clock.now()),
  }),
  job({
    name: 'transparency.makeLastYear',
    // Runs every day of January after the first, so that a day on which the server was off doesn't matter.
    cron: '25 5 2-31 1 *',
    run: ({ db, clock }) => publishLastYear(db, clock.now()),
  }),
  job({ name: 'transparency.noteSeals', cron: '2,12,22,32,42,52 * * * *', run: ({ db }) => noteSeals(db) }),
];

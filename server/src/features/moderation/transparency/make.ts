import { createHash, randomInt, randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import * as z from 'zod/mini';
import { csvLines, csvMark } from '#contract/csv.ts';
import type { TransparencyReport } from '#contract/moderation/transparency.ts';
import { actorOf, audit, given, writeAudit } from '#platform/db/audit.ts';
import { type Db, inTransaction } from '#platform/db/db.ts';
import { addJob } from '#platform/jobs/jobs.ts';
import { system } from '../work/case-event.ts';
import type { StaffContext } from '../work/case-row.ts';
import { figureCounts, statementRows, timesOf } from './figures.reads.ts';
import { figuresOf, statementsOf } from './policy.ts';

/** The SHA-256 of a file in hexadecimal digits. */
export const hashOf = (bytes: Buffer | string): string => createHash('sha256').update(bytes).digest('hex');

const tooFew = '1-9';

/**
 * The figures as CSV: each group, the others, and the total. Column titles are always in English, because the file is sealed once, and
 * programs find the figures of each year by them.
 */
function csvOf({ figures, shares, times }: Pick<TransparencyReport, 'figures' | 'shares' | 'times'>): string {
  const number = (value: number | null) => (value === null ? tooFew : String(value));
  const rows = figures.flatMap(({ figure, total, groups, other }) => [
    ...groups.map(({ name, count }) => [figure, name, String(count)]),
    ...(other > 0 ? [[figure, 'other', String(other)]] : []),
    [figure, 'total', number(total)],
  ]);
  const ofShares = shares.map(({ share, percent }) => [share, 'percent', percent === null ? '' : String(percent)]);
  const ofTimes = times.flatMap(({ what, cases, medianMinutes, p90Minutes }) => [
    [`time.${what}`, 'cases', number(cases)],
    [`time.${what}`, 'median minutes', medianMinutes === null ? '' : String(medianMinutes)],
    [`time.${what}`, 'minutes of nine in ten', p90Minutes === null ? '' : String(p90Minutes)],
  ]);
  return csvMark + csvLines([['Figure', 'Group', 'Value'], ...rows, ...ofShares, ...ofTimes]);
}

/** The approximate number of characters in a part, in which reports are created and sent. */
const partLength = 256 * 1024;

interface Kept {
  lines: number;
  bytes: number;
  sha256: string;
}

/** Stores the statements of reasons in parts. */
async function keepStatements(tx: Db, year: number, version: number): Promise<Kept> {
  const hash = createHash('sha256');
  const kept = { lines: 0, bytes: 0, position: 0 };
  let body = '';
  async function keepPart(): Promise<void> {
    if (body === '') return;
    hash.update(body);
    kept.bytes += Buffer.byteLength(body);
    await tx.insertInto('transparency_part').values({ year, version, position: kept.position, body }).execute();
    kept.position += 1;
    body = '';
  }
  const statements = statementsOf(await statementRows(tx, year), year, { newId: randomUUID, below: randomInt });
  for (const statement of statements) {
    body += `${JSON.stringify(statement)}\n`;
    kept.lines += 1;
    if (body.length >= partLength) await keepPart();
  }
  await keepPart();
  return { lines: kept.lines, bytes: kept.bytes, sha256: hash.digest('hex') };
}

/** The report to create, and who requested it. */
export const reportRequest = z.object({
  year: z.number(),
  version: z.number(),
  actor: z.object({ accountId: z.nullable(z.string()), name: z.string(), role: z.string() }),
});
type ReportRequest = z.infer<typeof reportRequest>;

/**
 * Publishes a version of a year's report, unless there is one already, and records the hashes of its files in the audit trail, where the
 * next seal covers them.
 */
export async function publishReport(db: Db, { year, version, actor }: ReportRequest, now: Date): Promise<void> {
  const counted = figuresOf(await figureCounts(db, year), await timesOf(db, year));
  await inTransaction(db, async (tx) => {
    const earlier = tx.selectFrom('transparency_report').where('year', '=', year).where('version', '=', version);
    if ((await earlier.select('version').executeTakeFirst()) !== undefined) return;
    const { bytes, ...statements } = await keepStatements(tx, year, version);
    const made = { format: 1, year, version, madeAt: now, ...counted, statements };
    const files = { report: `${JSON.stringify(made, null, 2)}\n`, figures: csvOf(made) };
    await tx
      .insertInto('transparency_report')
      .values({ year, version, made_at: now, ...files, statements_bytes: bytes })
      .execute();
    const hashes = { report: hashOf(files.report), figures: hashOf(files.figures), statements: statements.sha256 };
    const target = { type: 'transparency', id: null } as const;
    const changes = given({ year, version, ...hashes });
    await writeAudit(tx, { actor, action: 'transparency.made', target, changes }, now);
  });
}

/** In January: creates the report of the last year, unless there is one or nothing happened in that year. */
export async function publishLastYear(db: Db, now: Date): Promise<void> {
  const year = now.getUTCFullYear() - 1;
  const { rows } = await sql`
    select from report where created_at < make_timestamptz(${year} + 1, 1, 1, 0, 0, 0, 'UTC')
      and not exists (select from transparency_report where year = ${year}) limit 1`.execute(db);
  if (rows.length > 0) await publishReport(db, { year, version: 1, actor: system }, now);
}

/** Requests the next version of last year's report, which is created in the background. */
export async function requestReport({ tx, caller, now }: StaffContext): Promise<void> {
  const year = now.getUTCFullYear() - 1;
  const { rows } = await sql<{ version: number }>`
    select coalesce(max(version), 0) + 1 as version from transparency_report where year = ${year}`.execute(tx);
  const next = { year, version: rows[0]?.version ?? 1 };
  const request: ReportRequest = { ...next, actor: actorOf(caller) };
  const changes = given(next);
  await audit({ tx, caller, now }, { type: 'transparency', id: null }, 'transparency.requested', { changes });
  await addJob(tx, 'transparency.make', request, { jobKey: `transparency.make ${year}` });
}

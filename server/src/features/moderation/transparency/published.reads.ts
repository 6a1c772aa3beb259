import { sql } from 'kysely';
import type { PublishedReport, TransparencyFile, TransparencyReport } from '#contract/moderation/transparency.ts';
import type { Db } from '#platform/db/db.ts';
import { notFound } from '#platform/http/app-error.ts';
import { hashOf } from './make.ts';

/** All years with a report, newest first, each in its newest version. */
export async function publishedReports(db: Db): Promise<PublishedReport[]> {
  const { rows } = await sql<{
    report: string;
    figures: string;
    statements_bytes: number;
    seal: PublishedReport['seal'];
  }>`
    select distinct on (year) report, figures, statements_bytes::float8 as statements_bytes,
      case when seal_batch is not null then json_build_object('batch', seal_batch, 'hash', seal_hash) end as seal
    from transparency_report order by year desc, version desc`.execute(db);
  return rows.map(({ report: text, figures, statements_bytes, seal }) => {
    const report = JSON.parse(text) as TransparencyReport;
    return {
      report,
      files: [
        { file: 'report', bytes: Buffer.byteLength(text), sha256: hashOf(text) },
        { file: 'figures', bytes: Buffer.byteLength(figures), sha256: hashOf(figures) },
        { file: 'statements', bytes: statements_bytes, sha256: report.statements.sha256 },
      ],
      seal,
    };
  });
}

interface PublishedFile {
  sha256: string;
  /** Its parts, one after another, byte by byte as it was sealed. */
  parts: () => AsyncIterable<string> | Iterable<string>;
}

/** The parts of the statements of a report; the next one is read once the last one was sent. */
async function* statementParts(db: Db, year: number, version: number): AsyncGenerator<string> {
  for (let position = 0; ; position += 1) {
    const part = await db
      .selectFrom('transparency_part')
      .select('body')
      .where('year', '=', year)
      .where('version', '=', version)
      .where('position', '=', position)
      .executeTakeFirst();
    if (part === undefined) return;
    yield part.body;
  }
}

/** A file of the newest report of a year. 404 without one. */
export async function publishedFile(db: Db, year: string, file: TransparencyFile): Promise<PublishedFile> {
  const row = await db
    .selectFrom('transparency_report')
    .select(['year', 'version', 'report', 'figures'])
    .where('year', '=', Number(year))
    .orderBy('version', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (row === undefined) throw notFound();
  if (file !== 'statements') return { sha256: hashOf(row[file]), parts: () => [row[file]] };
  const { statements } = JSON.parse(row.report) as TransparencyReport;
  return { sha256: statements.sha256, parts: () => statementParts(db, row.year, row.version) };
}

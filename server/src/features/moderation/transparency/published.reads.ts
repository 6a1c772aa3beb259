import { sql } from 'kysely';
import type { PublishedReport, TransparencyFile, TransparencyReport } from '#contract/moderation/transparency.ts';
import type { Db } from '../../../platform/db/db.ts';
import { notFound } from '../../../platform/http/app-error.ts';
import { hashOf } from './make.ts';

/** All years with a report, the newest first, each in its newest version. */
export async function publishedReports(db: Db): Promise<PublishedReport[]> {
  const { rows } = await sql<{
    report: string;
    figures: string;
    statements_bytes: number;
    seal: PublishedReport['seal'];
  }>`
    select distinct on (year) report, figures, octet_length(statements) as statements_bytes,
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

/** A file of the newest report of a year, byte by byte. 404 without one. */
export async function publishedFile(db: Db, year: string, file: TransparencyFile): Promise<string> {
  const row = await db
    .selectFrom('transparency_report')
    .select(file)
    .where('year', '=', Number(year))
    .orderBy('version', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (row === undefined) throw notFound();
  return row[file];
}

import { sql } from 'kysely';
import {
  type PublishedReport,
  type TransparencyFile,
  transparencyFileNames,
  type TransparencyReport,
} from '#contract/moderation/transparency.ts';
import type { Db } from '../../../platform/db/db.ts';
import { notFound } from '../../../platform/http/app-error.ts';
import { hashOf } from './make.ts';

interface SealRow {
  sealed_batch: number | null;
  sealed_hash: string | null;
}

/** The newest event with the hash of a file, and the batch that seals it; undefined if no published file has this hash. */
export async function sealOf(
  db: Db,
  hash: string,
): Promise<(SealRow & { year: number; version: number; file: TransparencyFile }) | undefined> {
  const { rows } = await sql<SealRow & { year: number; version: number; file: TransparencyFile }>`
    select (e.changes -> 'year' ->> 'to')::int as year, (e.changes -> 'version' ->> 'to')::int as version, f.file,
      s.batch::int as sealed_batch, encode(s.hash, 'hex') as sealed_hash
    from audit_event e cross join unnest(${transparencyFileNames}::text[]) f (file)
      left join lateral (select batch, hash from audit_seal where last_id >= e.id order by batch limit 1) s on true
    where e.action = 'transparency.made' and e.changes -> f.file ->> 'to' = ${hash} order by e.id desc limit 1`.execute(
    db,
  );
  return rows[0];
}

/** All years with a report, the newest first, each in its newest version. */
export async function publishedReports(db: Db): Promise<PublishedReport[]> {
  const { rows } = await sql<{ report: string; figures: string; statements_bytes: number }>`
    select distinct on (year) report, figures, octet_length(statements) as statements_bytes
    from transparency_report order by year desc, version desc`.execute(db);
  const published: PublishedReport[] = [];
  for (const { report: text, figures, statements_bytes } of rows) {
    const report = JSON.parse(text) as TransparencyReport;
    const seal = await sealOf(db, hashOf(text));
    published.push({
      report,
      files: [
        { file: 'report', bytes: Buffer.byteLength(text), sha256: hashOf(text) },
        { file: 'figures', bytes: Buffer.byteLength(figures), sha256: hashOf(figures) },
        { file: 'statements', bytes: statements_bytes, sha256: report.statements.sha256 },
      ],
      seal:
        seal?.sealed_batch == null || seal.sealed_hash === null
          ? null
          : { batch: seal.sealed_batch, hash: seal.sealed_hash },
    });
  }
  return published;
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

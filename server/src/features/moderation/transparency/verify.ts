import { sql } from 'kysely';
import { type TransparencyFile, transparencyFileNames } from '#contract/moderation/transparency.ts';
import type { Db } from '#platform/db/db.ts';
import { StartError } from '#platform/process/lifecycle.ts';
import { sealAudit, verifyAudit } from '../audit/audit-seals.ts';
import { hashOf } from './make.ts';

/** The SHA-256 of a text, as the audit trail has it. */
const digestOf = (text: string) => sql`encode(sha256(convert_to(${sql.ref(text)}, 'UTF8')), 'hex')`;

/** Stores the seal of its hashes with each report, because the events in the trail are deleted after two years. */
export async function noteSeals(db: Db): Promise<void> {
  await sql`
    update transparency_report t set seal_batch = s.batch, seal_hash = encode(s.hash, 'hex')
    from audit_event e
      cross join lateral (select batch, hash from audit_seal where last_id >= e.id order by batch limit 1) s
    where t.seal_batch is null and e.action = 'transparency.made'
      and e.changes -> 'report' ->> 'to' = ${digestOf('t.report')}`.execute(db);
}

interface FoundFile {
  year: number;
  version: number;
  file: TransparencyFile;
  seal: string | null;
}

/** The file with this hash and its seal, according to the audit trail. */
async function inTrail(db: Db, hash: string): Promise<FoundFile | undefined> {
  const { rows } = await sql<FoundFile>`
    select (e.changes -> 'year' ->> 'to')::int as year, (e.changes -> 'version' ->> 'to')::int as version, f.file,
      (select batch || ':' || encode(s.hash, 'hex') from audit_seal s where last_id >= e.id order by batch limit 1) as seal
    from audit_event e cross join unnest(${[...transparencyFileNames]}::text[]) f (file)
    where e.action = 'transparency.made' and e.changes -> f.file ->> 'to' = ${hash} order by e.id desc limit 1`.execute(
    db,
  );
  return rows[0];
}

/** The published file with this hash and its stored seal, if the events of its month have been deleted. */
async function beforeTrail(db: Db, hash: string, now: Date): Promise<FoundFile | undefined> {
  const { rows } = await sql<FoundFile>`
    select t.year, t.version, f.file, t.seal_batch || ':' || t.seal_hash as seal from transparency_report t
      cross join lateral (values ('report', ${digestOf('t.report')}), ('figures', ${digestOf('t.figures')}),
        ('statements', t.report::jsonb #>> '{statements,sha256}')) f (file, hash)
    where f.hash = ${hash}
      and date_trunc('month', t.made_at at time zone 'UTC') + interval '25 months' <= ${now}::timestamptz at time zone 'UTC'`.execute(
    db,
  );
  return rows[0];
}

/**
 * Compares a file with the hashes in the audit trail, and the trail with its seals. Returns which file it is. Throws for a changed file,
 * for a trail that was changed to match it, and if the file is too new or too old to verify.
 */
export async function verifyFile(db: Db, bytes: Buffer, now: () => Date): Promise<string> {
  await sealAudit(db);
  const hash = hashOf(bytes);
  const words = ({ file, year, version }: FoundFile) =>
    `the file "${file}" of the report of ${year}, version ${version}`;
  const found = await inTrail(db, hash);
  if (found === undefined) {
    const old = await beforeTrail(db, hash, now());
    if (old === undefined)
      throw new StartError(`No published report has this file (SHA-256 ${hash}): something in it was changed.`);
    throw new StartError(
      `This is ${words(old)}, as it is published. The audit trail no longer tells more: its events are deleted after two years. The seal was ${old.seal}: compare it with the one that the page showed.`,
    );
  }
  const { firstBad } = await verifyAudit(db, now);
  if (firstBad !== null)
    throw new StartError(`Batch ${firstBad.batch} of the audit trail does not match its seal: events were changed.`);
  if (found.seal === null)
    throw new StartError('The file was published a moment ago and is not sealed yet. Try again in ten minutes.');
  return `This is ${words(found)}, unchanged.\nSealed in the audit trail: ${found.seal}\n`;
}

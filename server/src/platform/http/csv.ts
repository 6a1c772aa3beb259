import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { MessageDescriptor } from '@lingui/core';
import type { FastifyReply } from 'fastify';
import { type CsvCell, csvLines, csvMark } from '#contract/csv.ts';
import type { AuditAction } from '#contract/moderation/audit.ts';
import { audit, given } from '../db/audit.ts';
import { type Db, inTransaction } from '../db/db.ts';
import { dayOf } from '../process/clock.ts';
import { asFile } from '../service/brand.ts';
import { textOf } from '../texts.ts';
import type { CallContext } from './mount.ts';

/** The content of a sent file: the number of rows, and the SHA-256 of the whole file. */
export interface SentFile {
  rows: number;
  sha256: string;
}

/** Streams a file batch by batch. `onEnd` runs before the file ends; if it fails, the file is cut off. */
export function csvFile(
  titles: readonly string[],
  batches: AsyncIterable<CsvCell[][]>,
  onEnd: (sent: SentFile) => Promise<void>,
): Readable {
  async function* parts() {
    const hash = createHash('sha256');
    const hashed = (text: string) => {
      hash.update(text);
      return text;
    };
    let rows = 0;
    yield hashed(csvMark + csvLines([[...titles]]));
    for await (const batch of batches) {
      if (batch.length === 0) continue;
      rows += batch.length;
      yield hashed(csvLines(batch));
    }
    await onEnd({ rows, sha256: hash.digest('hex') });
  }
  return Readable.from(parts(), { objectMode: true, highWaterMark: 1 });
}

/** Answers with a file of rows, named after the brand, the list and the day. */
export const sendCsv = ({ reply, now }: { reply: FastifyReply; now: Date }, name: string, lines: Readable) =>
  reply
    .type('text/csv; charset=utf-8')
    .header('content-disposition', asFile(`${name}-${dayOf(now)}.csv`))
    .send(lines);

type ExportedBy<Action> = Action extends `${infer Name}.downloaded` ? Name : never;

interface ExportedList {
  /** Its name in the file's name and in the audit trail, which has the actions `<name>.exported` and `<name>.downloaded`. */
  name: ExportedBy<AuditAction>;
  columns: readonly (readonly [title: MessageDescriptor, value: unknown])[];
  reason: string;
  /** The filters of the search. */
  searched: Record<string, unknown>;
  batches: (db: Db) => AsyncIterable<CsvCell[][]>;
}

/** Sends a list as a file. Audits it before the first row is sent, and its content at the end. */
export async function sendList(
  context: Pick<CallContext, 'deps' | 'caller' | 'now'> & { reply: FastifyReply },
  { name, columns, reason, searched, batches }: ExportedList,
): Promise<FastifyReply> {
  const { deps, caller, now } = context;
  const record = (what: 'exported' | 'downloaded', values: Record<string, unknown>) =>
    inTransaction(deps.db, (tx) =>
      audit({ tx, caller, now }, { type: name, id: null }, `${name}.${what}`, { reason, changes: given(values) }),
    );
  await record('exported', searched);
  // All batches come from one server, so that none is older than the one before.
  const { db } = await deps.reads.upToDate();
  const titles = columns.map(([title]) => textOf(title));
  return sendCsv(
    context,
    name,
    csvFile(titles, batches(db), (sent) => record('downloaded', { ...sent })),
  );
}

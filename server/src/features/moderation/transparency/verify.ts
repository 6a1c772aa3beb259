import type { TransparencyFile } from '#contract/moderation/transparency.ts';
import type { Db } from '../../../platform/db/db.ts';
import { sealAudit, verifyAudit } from '../audit-seals.ts';
import { hashOf } from './make.ts';
import { sealOf } from './published.reads.ts';

/** What is known about a file that may be one of a published report. */
export type Verdict =
  | { is: 'unknown'; hash: string }
  | { is: 'unsealed' }
  | { is: 'broken'; batch: number }
  | { is: 'published'; year: number; version: number; file: TransparencyFile; batch: number; seal: string };

/**
 * Compares a file with the hashes in the audit trail, and the trail with its seals. A file with one other byte is
 * unknown, and an event that was changed to fit it breaks the trail.
 */
export async function verifyFile(db: Db, bytes: Buffer, now: () => Date): Promise<Verdict> {
  await sealAudit(db);
  const hash = hashOf(bytes);
  const found = await sealOf(db, hash);
  if (found === undefined) return { is: 'unknown', hash };
  const { firstBad } = await verifyAudit(db, now);
  if (firstBad !== null) return { is: 'broken', batch: firstBad.batch };
  const { year, version, file, sealed_batch: batch, sealed_hash: seal } = found;
  return batch === null || seal === null ? { is: 'unsealed' } : { is: 'published', year, version, file, batch, seal };
}

import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import { keyedHash } from '#platform/config/secrets.ts';
import type { Db } from '#platform/db/db.ts';
import { addJob } from '#platform/jobs/jobs.ts';
import { eachInTurn, pagesOf } from '#platform/jobs/turns.ts';
import { secondsAfter } from '#platform/process/clock.ts';
import type { Deps } from '../../../deps.ts';
import type { LedgerAct } from '#platform/db/columns.ts';
import type { LedgerSanction } from '#platform/db/json.ts';
import type { MissedAct } from './missed-acts.ts';

/** An entry outside the database. It has a keyed hash instead of the account id, so that the file identifies no one. */
export interface Written {
  account: string;
  act: LedgerAct;
  at: string;
  sanction?: LedgerSanction;
  subject?: MissedAct['subject'];
}

/** The prefix of all ledger file names. */
export const ledgerPrefix = 'ledger-';
/** The prefix of the file name for a position. */
export const placeOf = (position: number): string => ledgerPrefix + String(position).padStart(12, '0');
/** The name of the file of an entry. */
const fileOf = (position: number, id: string): string => `${placeOf(position)}-${id}`;
/** How many entries others may write while a transaction that has taken a position is still open. */
export const overtaken = 1000;
/** The keyed hash that represents the account outside the database. */
export const digestOf = (addressKey: string, accountId: string): string =>
  keyedHash(addressKey, `ledger ${accountId}`).toString('hex');

/**
 * Two entries may get the same position, but the acts about one account are numbered in the order in which they
 * happened.
 */
export const lastPosition = sql<number>`greatest((select max(position) from ledger_entry), (select max(seq) from ledger_entry), 0)`;

/** Records an act in its own transaction; a job writes it next to the pictures. */
export async function recordAct(
  tx: Db,
  accountId: string,
  {
    act,
    sanction = null,
    subject = null,
  }: { act: LedgerAct; sanction?: LedgerSanction | null; subject?: MissedAct['subject'] | null },
  now: Date,
): Promise<void> {
  const values = {
    account_id: accountId,
    act,
    at: now,
    sanction: sanction && JSON.stringify(sanction),
    subject: subject && JSON.stringify(subject),
  };
  const { id } = await tx
    .insertInto('ledger_entry')
    .values({ ...values, position: sql`${lastPosition} + 1` })
    .returning('id')
    .executeTakeFirstOrThrow();
  await addJob(tx, 'auth.writeLedger', { id }, { jobKey: `auth.writeLedger ${id}`, maxAttempts: 25 });
}

/**
 * The job that writes an entry outside the database. Until it has run, the account is not purged. A file is only
 * written for a committed row and named after it, so after a crash the job writes the same file again.
 */
export async function writeEntry({ db, storage, addressKey }: Deps, { id }: { id: string }): Promise<void> {
  const entry = await db
    .updateTable('ledger_entry')
    // A server of the previous release may have recorded the entry without a position.
    .set({ position: sql`coalesce(position, ${lastPosition} + 1)` })
    .where('id', '=', id)
    .where('is_kept', '=', false)
    .where('seq', 'is', null)
    .returning(['account_id', 'act', 'at', 'sanction', 'subject', sql<number>`position`.as('position')])
    .executeTakeFirst();
  if (entry === undefined || entry.account_id === null) return;
  const written: Omit<Written, 'at'> & { at: Date } = {
    account: digestOf(addressKey, entry.account_id),
    act: entry.act,
    at: entry.at,
    ...(entry.sanction !== null && { sanction: entry.sanction }),
    ...(entry.subject !== null && { subject: entry.subject }),
  };
  await storage.put(fileOf(entry.position, id), Buffer.from(JSON.stringify(written)));
  await db.updateTable('ledger_entry').set({ is_kept: true }).where('id', '=', id).execute();
}

/** Entries that are not written yet, expressed so that their partial index is used. */
const isUnkept = sql`not is_kept and seq is null and account_id is not null`;

/** Entries whose job failed permanently or was lost. */
export const unkeptEntries = sql`select id::text as key, jsonb_build_object('id', id) as payload, at as since
  from ledger_entry where ${isUnkept}`;

const forgottenDays = 90;
const forgottenAtOnce = 500;

/**
 * Deletes entries about messages that are older than any backup that could still be restored, with their files. The newest entries stay,
 * because a start treats a file without a row as an act that the database lacks.
 */
export async function forgetMessages({ db, storage, clock }: Pick<Deps, 'db' | 'storage' | 'clock'>): Promise<void> {
  const over = pagesOf<{ id: string; position: number }>(async (after) => {
    const { rows } = await sql<{ id: string; position: number }>`
      select id, position from ledger_entry
      where act in ('messageDeleted', 'photoOpened') and at <= ${secondsAfter(clock.now(), -forgottenDays * 86_400)}
        and position > ${after?.position ?? 0} and position < ${lastPosition} - ${overtaken}::int and is_kept
      order by position limit ${forgottenAtOnce}`.execute(db);
    return rows;
  });
  const forget = async ({ id, position }: { id: string; position: number }) => {
    await storage.remove(fileOf(position, id));
    await db.deleteFrom('ledger_entry').where('id', '=', id).execute();
  };
  await eachInTurn(over, forget, { round: 'auth.forgetActs', keyOf: ({ id }) => id });
}

/**
 * Adds to `/metrics` how long the oldest act has been waiting to be written outside the database; 0 if all are written.
 */
export function measureLedger(_app: FastifyInstance, { db, clock, metrics }: Deps): void {
  const help =
    'How long the oldest deletion, deactivation or sanction has been waiting to be kept outside the database';
  metrics.gauge('ledger_oldest_unkept_seconds', help, async () => {
    const { rows } = await sql<{ at: Date | null }>`
      select min(at) as at from ledger_entry where ${isUnkept}`.execute(db);
    const now = clock.now();
    return Math.max((now.getTime() - (rows[0]?.at ?? now).getTime()) / 1000, 0);
  });
}

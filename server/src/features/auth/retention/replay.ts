import pLimit from 'p-limit';
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import * as z from 'zod/mini';
import { inTransaction, type Db } from '#platform/db/db.ts';
import { AppError } from '#platform/http/app-error.ts';
import { addJob } from '#platform/jobs/jobs.ts';
import { StartError } from '#platform/process/lifecycle.ts';
import { endEverySession } from '#platform/session/sessions.ts';
import type { Deps } from '../../../deps.ts';
import type { LedgerAct } from '#platform/db/columns.ts';
import type { LedgerSanction } from '#platform/db/json.ts';
import type { MissedAct, MissedSanction } from './missed-acts.ts';
import { digestOf, lastPosition, ledgerPrefix, overtaken, placeOf, type Written } from './ledger.ts';

/** An entry that the database lacks. Files of earlier releases have no id but a number, their `seq`. */
interface Missed extends Written {
  id: string;
  position: number | null;
  seq: number | null;
}

const readAtOnce = 16;

type ReplayDeps = Pick<Deps, 'db' | 'storage' | 'addressKey' | 'clock' | 'emit' | 'log'>;

/**
 * Repeats what happened after the backup that this database was restored from: ledger files whose rows are missing,
 * because a row is committed before its file is written and never deleted. People who left are leaving again,
 * deactivated accounts are deactivated, sanctions and legal holds apply, deleted messages and photos that were opened
 * once are gone, and every session ends. Does nothing on an ordinary start.
 * Throws a `StartError` if the entries can't be read, because the service must not open without them.
 */
export async function replayLedger(deps: ReplayDeps): Promise<void> {
  const missed = await readMissed(deps).catch((error: unknown) => {
    deps.log.error({ err: error }, 'the ledger could not be read');
    if (error instanceof StartError) throw error;
    throw new StartError(
      "The store of pictures can't be reached. It also keeps who deleted their account, which has to be checked before the service opens.",
    );
  });
  const [first] = missed;
  if (first === undefined) return;
  const accounts = await accountsOf(deps.db, deps.addressKey, new Set(missed.map(({ account }) => account)));
  // Sessions end before the rows are added, so that the next start repeats an interrupted one. Once another server has
  // added the rows, it may have opened, and the sessions are new.
  const isMissed = sql`not exists (select from ledger_entry where id = ${first.id} or seq = ${first.seq})`;
  const sessions = await endEverySession(deps.db, isMissed);
  const acts = await inTransaction(deps.db, (tx) => repeatAll(tx, deps, missed, accounts));
  if (acts > 0)
    deps.log.warn(
      { acts, accounts: accounts.size, sessions },
      'this database was restored from a backup: what happened since was repeated, and all sessions ended',
    );
}

/** The entries outside the database that it lacks, in order. */
async function readMissed({ db, storage }: ReplayDeps): Promise<Missed[]> {
  const { rows } = await sql<{ last: number }>`select ${lastPosition} as last`.execute(db);
  // Earlier entries are all in the database. Listing years of files would take seconds.
  const after = placeOf(Math.max((rows[0]?.last ?? 0) - overtaken, 0));
  const listed = (await storage.list(ledgerPrefix, after)).flatMap((key) => {
    const [, number, id] = /^ledger-(\d{12})(?:-([0-9a-f-]{36}))?$/.exec(key) ?? [];
    return number === undefined ? [] : [{ key, number: Number(number), id }];
  });
  const known = await db
    .selectFrom('ledger_entry')
    .select(['id', 'seq'])
    .where((eb) =>
      eb.or([
        eb('id', '=', sql<string>`any (${listed.flatMap(({ id }) => id ?? [])}::uuid[])`),
        eb(
          'seq',
          '=',
          sql<number>`any (${listed.flatMap(({ id, number }) => (id === undefined ? number : []))}::int[])`,
        ),
      ]),
    )
    .execute();
  const names = new Set(known.flatMap(({ id, seq }) => (seq === null ? [id] : [id, seq])));
  const limit = pLimit(readAtOnce);
  return await limit.map(
    listed.filter(({ id, number }) => !names.has(id ?? number)),
    async ({ key, number, id }) => {
      const written = await readWritten(storage, key);
      return id === undefined
        ? { ...written, id: randomUUID(), position: null, seq: number }
        : { ...written, id, position: number, seq: null };
    },
  );
}

const knownActs = [
  'left',
  'returned',
  'deactivated',
  'activated',
  'sanctioned',
  'revoked',
  'messageDeleted',
  'photoOpened',
  'holdSet',
  'holdReleased',
] as const satisfies readonly LedgerAct[];
const isObject = (value: unknown) => typeof value === 'object' && value !== null;
const writtenSchema = z.object({
  account: z.string(),
  act: z.enum(knownActs),
  at: z.iso.datetime(),
  sanction: z.optional(z.custom<LedgerSanction>(isObject)),
  subject: z.optional(z.custom<MissedAct['subject']>(isObject)),
});

/** Reads an entry's file. Throws a `StartError` that names the file if it is damaged or can't be opened. */
async function readWritten(storage: ReplayDeps['storage'], key: string): Promise<Written> {
  const unreadable = (why: string) =>
    new StartError(
      `The file ${key} in the picture storage cannot be read: ${why}. It contains actions that must be repeated before the service opens; restore it from a copy of the storage.`,
    );
  const bytes = await storage.get(key).catch((error: unknown) => {
    if (error instanceof AppError) throw error;
    throw unreadable((error as NodeJS.ErrnoException).code ?? (error as Error).name);
  });
  if (bytes === null) throw unreadable('it is missing');
  const read = writtenSchema.safeParse(parsed(bytes));
  if (!read.success) throw unreadable('it is damaged');
  const { sanction, subject, ...written } = read.data;
  return { ...written, ...(sanction && { sanction }), ...(subject && { subject }) };
}

/** The value of JSON text, or undefined if it is invalid. */
function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString());
  } catch {
    return undefined;
  }
}

/** Repeats the acts; returns how many this process has repeated. */
async function repeatAll(
  tx: Db,
  { emit, addressKey, clock }: ReplayDeps,
  missed: readonly Missed[],
  accounts: ReadonlyMap<string, string>,
): Promise<number> {
  const fresh = await insertMissed(tx, missed, accounts);
  if (fresh.length === 0) return 0;
  const acts = fresh.flatMap((entry): Repeated[] => {
    const accountId = accounts.get(entry.account);
    return accountId === undefined ? [] : [{ ...entry, accountId }];
  });
  await repeatStates(tx, acts);
  // Ends sessions that another server opened since the others ended.
  await tx
    .deleteFrom('session')
    .where('account_id', 'in', sql<string>`(select unnest(${acts.map(({ accountId }) => accountId)}::uuid[]))`)
    .execute();
  const sanctions = acts.flatMap(({ accountId, act, sanction, at }): MissedSanction[] =>
    sanction !== undefined && (act === 'sanctioned' || act === 'revoked')
      ? [{ accountId, act, sanction, at: new Date(at) }]
      : [],
  );
  if (sanctions.length > 0) await emit(tx, 'sanctionsMissed', { sanctions, addressKey, now: clock.now() });
  const others = acts.flatMap(({ accountId, act, subject, at }) =>
    subject === undefined ? [] : [{ accountId, act, subject, at: new Date(at) } as MissedAct],
  );
  if (others.length > 0) await emit(tx, 'actsMissed', { acts: others });
  return fresh.length;
}

/** Adds the rows, and returns the entries that no other process starting at the same time has added. */
async function insertMissed(
  tx: Db,
  missed: readonly Missed[],
  accounts: ReadonlyMap<string, string>,
): Promise<Missed[]> {
  const rows = missed.map(({ account, sanction = null, subject = null, ...entry }) => {
    const account_id = accounts.get(account) ?? null;
    return { ...entry, account_id, ...(account_id !== null && { sanction, subject }) };
  });
  const added = await sql<{ id: string }>`
    insert into ledger_entry (id, account_id, act, at, sanction, subject, position, seq, is_kept)
    select id, account_id, act, at, sanction, subject, position, seq, true
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as e (id uuid, account_id uuid, act text, at timestamptz, sanction jsonb, subject jsonb, position int, seq int)
    on conflict do nothing returning id`.execute(tx);
  const ids = new Set(added.rows.map(({ id }) => id));
  return missed.filter(({ id }) => ids.has(id));
}

/** The ids of the accounts with these digests. */
async function accountsOf(db: Db, addressKey: string, digests: ReadonlySet<string>): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  let after = '00000000-0000-0000-0000-000000000000';
  for (;;) {
    const rows = await db
      .selectFrom('account')
      .select('id')
      .where('id', '>', after)
      .orderBy('id')
      .limit(5000)
      .execute();
    for (const { id } of rows) {
      const digest = digestOf(addressKey, id);
      if (digests.has(digest)) found.set(digest, id);
    }
    const last = rows.at(-1);
    if (last === undefined || found.size === digests.size) return found;
    after = last.id;
  }
}

/** An act about an account that exists in the database. */
interface Repeated extends Written {
  accountId: string;
}

/** For each account, when `act` happened last; null if `undo` came after it. */
const lastOf = (acts: readonly Repeated[], act: LedgerAct, undo: LedgerAct) =>
  new Map(
    acts
      .filter((one) => one.act === act || one.act === undo)
      .map(({ accountId, at, ...one }) => [accountId, one.act === act ? at : null]),
  );

const recordsOf = (accounts: ReadonlyMap<string, string | null>) =>
  sql`jsonb_to_recordset(${JSON.stringify(Array.from(accounts, ([id, at]) => ({ id, at })))}::jsonb) as e (id uuid, at timestamptz)`;

const deactivatedBefore = 'This account was deactivated before a backup was restored.';

/** Brings accounts into the state that these ordered acts left them in. */
async function repeatStates(tx: Db, acts: readonly Repeated[]): Promise<void> {
  const leaving = lastOf(acts, 'left', 'returned');
  await sql`update account a set leaving_since = e.at from ${recordsOf(leaving)} where a.id = e.id`.execute(tx);
  await sql`
    update account a set is_active = e.at is null, deactivated_at = e.at,
      deactivation_reason = case when e.at is not null then ${deactivatedBefore} end
    from ${recordsOf(lastOf(acts, 'deactivated', 'activated'))} where a.id = e.id`.execute(tx);
  for (const [accountId, at] of leaving) if (at !== null) await addJob(tx, 'account.leaving', { accountId });
}

import pLimit from 'p-limit';
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { keyedHash } from '../../../platform/config/secrets.ts';
import { inTransaction, type Db } from '../../../platform/db/db.ts';
import { addJob } from '../../../platform/jobs/jobs.ts';
import { StartError } from '../../../platform/process/lifecycle.ts';
import type { Deps } from '../../../deps.ts';
import type { LedgerAct, LedgerSanction, MissedSanction } from '../tables.ts';

/** An entry outside the database: a keyed digest in place of the account, so that the file names no one. */
interface Written {
  account: string;
  act: LedgerAct;
  at: string;
  sanction?: LedgerSanction;
}

/** An entry that the database lacks. Files of releases before have no id but a number of their own, their `seq`. */
interface Missed extends Written {
  id: string;
  position: number | null;
  seq: number | null;
}

const prefix = 'ledger-';
const placeOf = (position: number) => prefix + String(position).padStart(12, '0');
const keyOf = ({ position, id }: { position: number; id: string }) => `${placeOf(position)}-${id}`;
const digestOf = (addressKey: string, accountId: string) =>
  keyedHash(addressKey, `ledger ${accountId}`).toString('hex');

/** Two entries may get the same position, but the acts about one account are in the order in which they happened. */
const lastPosition = sql<number>`greatest((select max(position) from ledger_entry), (select max(seq) from ledger_entry), 0)`;
/** How many entries others may write while a transaction that has taken a position is still open. */
const overtaken = 1000;
const readAtOnce = 16;

/** Records an act in its own transaction; a job writes it next to the pictures. */
export async function recordAct(
  tx: Db,
  accountId: string,
  act: LedgerAct,
  now: Date,
  sanction: LedgerSanction | null = null,
): Promise<void> {
  const values = { account_id: accountId, act, at: now, sanction: sanction && JSON.stringify(sanction) };
  const { id } = await tx
    .insertInto('ledger_entry')
    .values({ ...values, position: sql`${lastPosition} + 1` })
    .returning('id')
    .executeTakeFirstOrThrow();
  await addJob(tx, 'auth.writeLedger', { id }, { maxAttempts: 25 });
}

/**
 * The job that writes an entry outside the database. Until it has, the account is not purged. A file is only ever written for a committed
 * row and named by it, so after a crash the job writes the same file again.
 */
export async function writeEntry({ db, storage, addressKey }: Deps, id: string): Promise<void> {
  const entry = await db
    .updateTable('ledger_entry')
    // A server of the release before recorded it without a position.
    .set({ position: sql`coalesce(position, ${lastPosition} + 1)` })
    .where('id', '=', id)
    .where('is_kept', '=', false)
    .where('seq', 'is', null)
    .returning(['account_id', 'act', 'at', 'sanction', sql<number>`position`.as('position')])
    .executeTakeFirst();
  if (entry === undefined || entry.account_id === null) return;
  const written: Written = {
    account: digestOf(addressKey, entry.account_id),
    act: entry.act,
    at: entry.at.toISOString(),
    ...(entry.sanction !== null && { sanction: entry.sanction }),
  };
  await storage.put(keyOf({ position: entry.position, id }), Buffer.from(JSON.stringify(written)));
  await db.updateTable('ledger_entry').set({ is_kept: true }).where('id', '=', id).execute();
}

type ReplayDeps = Pick<Deps, 'db' | 'storage' | 'addressKey' | 'clock' | 'emit' | 'log'>;

/**
 * Repeats what happened after the backup that this database was restored from: entries outside it whose rows it lacks, because a row is
 * committed before its file is written and never deleted. People who left are leaving again, deactivated accounts are deactivated,
 * sanctions hold, and every session ends. Does nothing on an ordinary start. Throws a `StartError` where the entries can't be read, because
 * the service must not open without knowing.
 */
export async function replayLedger(deps: ReplayDeps): Promise<void> {
  const missed = await readMissed(deps).catch((error: unknown) => {
    deps.log.error({ err: error }, 'the ledger could not be read');
    throw new StartError(
      "The store of pictures can't be reached. It also keeps who deleted their account, which has to be checked before the service opens.",
    );
  });
  if (missed.length === 0) return;
  const accounts = await accountsOf(deps.db, deps.addressKey, new Set(missed.map(({ account }) => account)));
  await inTransaction(deps.db, (tx) => repeatAll(tx, deps, missed, accounts));
}

/** The entries outside the database that it lacks, in order. */
async function readMissed({ db, storage }: ReplayDeps): Promise<Missed[]> {
  const { rows } = await sql<{ last: number }>`select ${lastPosition} as last`.execute(db);
  // All entries from before are here: there are years of them, and listing them takes seconds.
  const after = placeOf(Math.max((rows[0]?.last ?? 0) - overtaken, 0));
  const listed = (await storage.list(prefix, after)).flatMap((key) => {
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
      const bytes = await storage.get(key);
      if (bytes === null) throw new Error(`${key} is missing`);
      const written = JSON.parse(bytes.toString()) as Written;
      return id === undefined
        ? { ...written, id: randomUUID(), position: null, seq: number }
        : { ...written, id, position: number, seq: null };
    },
  );
}

async function repeatAll(
  tx: Db,
  { emit, addressKey, clock, log }: ReplayDeps,
  missed: readonly Missed[],
  accounts: ReadonlyMap<string, string>,
): Promise<void> {
  const fresh = await insertMissed(tx, missed, accounts);
  if (fresh.length === 0) return;
  const acts = fresh.flatMap((entry): Repeated[] => {
    const accountId = accounts.get(entry.account);
    return accountId === undefined ? [] : [{ ...entry, accountId }];
  });
  await repeatStates(tx, acts);
  const sanctions = acts.flatMap(({ accountId, act, sanction, at }): MissedSanction[] =>
    sanction !== undefined && (act === 'sanctioned' || act === 'revoked')
      ? [{ accountId, act, sanction, at: new Date(at) }]
      : [],
  );
  if (sanctions.length > 0) await emit(tx, 'sanctionsMissed', { sanctions, addressKey, now: clock.now() });
  const ended = await tx.deleteFrom('session').returning('id').execute();
  log.warn(
    { acts: fresh.length, accounts: accounts.size, sessions: ended.length },
    'this database was restored from a backup: what happened since was repeated, and all sessions ended',
  );
}

/** Adds the rows, and returns the entries that another process, starting at the same time, has not added. */
async function insertMissed(
  tx: Db,
  missed: readonly Missed[],
  accounts: ReadonlyMap<string, string>,
): Promise<Missed[]> {
  const rows = missed.map(({ account, sanction = null, ...entry }) => {
    const account_id = accounts.get(account) ?? null;
    return { ...entry, account_id, sanction: account_id === null ? null : sanction };
  });
  const added = await sql<{ id: string }>`
    insert into ledger_entry (id, account_id, act, at, sanction, position, seq, is_kept)
    select id, account_id, act, at, sanction, position, seq, true
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as e (id uuid, account_id uuid, act text, at timestamptz, sanction jsonb, position int, seq int)
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

/** An act about an account that is here. */
interface Repeated extends Written {
  accountId: string;
}

/** The accounts for which `act` came last, or `undo` did, with when they did it; null where it was undone. */
const lastOf = (acts: readonly Repeated[], act: LedgerAct, undo: LedgerAct) =>
  new Map(
    acts
      .filter((one) => one.act === act || one.act === undo)
      .map(({ accountId, at, ...one }) => [accountId, one.act === act ? at : null]),
  );

const recordsOf = (accounts: ReadonlyMap<string, string | null>) =>
  sql`jsonb_to_recordset(${JSON.stringify(Array.from(accounts, ([id, at]) => ({ id, at })))}::jsonb) as e (id uuid, at timestamptz)`;

const deactivatedBefore = 'This account was deactivated before a backup was restored.';

/** Brings accounts into the states that these acts, which are in order, left them in. */
async function repeatStates(tx: Db, acts: readonly Repeated[]): Promise<void> {
  const leaving = lastOf(acts, 'left', 'returned');
  await sql`update account a set leaving_since = e.at from ${recordsOf(leaving)} where a.id = e.id`.execute(tx);
  await sql`
    update account a set is_active = e.at is null, deactivated_at = e.at,
      deactivation_reason = case when e.at is not null then ${deactivatedBefore} end
    from ${recordsOf(lastOf(acts, 'deactivated', 'activated'))} where a.id = e.id`.execute(tx);
  for (const [accountId, at] of leaving) if (at !== null) await addJob(tx, 'account.leaving', { accountId });
}

import { sql } from 'kysely';
import { keyedHash } from '../../../platform/config/secrets.ts';
import { inTransaction, type Db } from '../../../platform/db/db.ts';
import { addJob } from '../../../platform/jobs/jobs.ts';
import { StartError } from '../../../platform/process/lifecycle.ts';
import type { Deps } from '../../../deps.ts';
import type { LedgerAct, LedgerSanction, MissedSanction, SanctionAct } from '../tables.ts';

/** An entry outside the database: a keyed digest in place of the account, so that the file names no one. */
interface Written {
  account: string;
  act: LedgerAct;
  at: string;
  sanction?: LedgerSanction;
}

const keyOf = (seq: number) => `ledger-${String(seq).padStart(12, '0')}`;
const digestOf = (addressKey: string, accountId: string) =>
  keyedHash(addressKey, `ledger ${accountId}`).toString('hex');
/** One process at a time numbers entries, or replays them. */
const lockLedger = (tx: Db) => sql`select pg_advisory_xact_lock(hashtext('ledger'))`.execute(tx);

async function lastSeq(db: Db): Promise<number> {
  const { rows } = await sql<{ last: number | null }>`select max(seq) as last from ledger_entry`.execute(db);
  return rows[0]?.last ?? 0;
}

/** Records an act in its own transaction's outbox; a job writes it next to the pictures. */
export async function recordAct(
  tx: Db,
  accountId: string,
  act: LedgerAct,
  now: Date,
  sanction: LedgerSanction | null = null,
): Promise<void> {
  const { id } = await tx
    .insertInto('ledger_entry')
    .values({ account_id: accountId, act, at: now, sanction: sanction && JSON.stringify(sanction) })
    .returning('id')
    .executeTakeFirstOrThrow();
  await addJob(tx, 'auth.writeLedger', { id }, { maxAttempts: 25 });
}

/** The job that writes an entry outside the database. Until it has, the account is not purged. */
export async function writeEntry({ db, storage, addressKey }: Deps, id: string): Promise<void> {
  await inTransaction(db, async (tx) => {
    await lockLedger(tx);
    const entry = await tx
      .selectFrom('ledger_entry')
      .select(['account_id', 'act', 'at', 'sanction'])
      .where('id', '=', id)
      .where('seq', 'is', null)
      .executeTakeFirst();
    if (entry === undefined || entry.account_id === null) return;
    const seq = (await lastSeq(tx)) + 1;
    const written: Written = {
      account: digestOf(addressKey, entry.account_id),
      act: entry.act,
      at: entry.at.toISOString(),
      ...(entry.sanction !== null && { sanction: entry.sanction }),
    };
    await storage.put(keyOf(seq), Buffer.from(JSON.stringify(written)));
    await tx.updateTable('ledger_entry').set({ seq }).where('id', '=', id).execute();
  });
}

/**
 * Repeats what happened after the backup that this database was restored from: entries outside it with higher numbers than its own.
 * People who left are leaving again, deactivated accounts are deactivated, sanctions hold, and every session ends. Does nothing on an
 * ordinary start. Throws a `StartError` where the entries can't be read, because the service must not open without knowing.
 */
export async function replayLedger({
  db,
  storage,
  addressKey,
  clock,
  emit,
  log,
}: Pick<Deps, 'db' | 'storage' | 'addressKey' | 'clock' | 'emit' | 'log'>): Promise<void> {
  await inTransaction(db, async (tx) => {
    await lockLedger(tx);
    const from = await lastSeq(tx);
    const missed: (Written & { seq: number })[] = [];
    for (let seq = from + 1; ; seq += 1) {
      const bytes = await storage.get(keyOf(seq)).catch(() => {
        throw new StartError(
          "The store of pictures can't be reached. It also keeps who deleted their account, which has to be checked before the service opens.",
        );
      });
      if (bytes === null) break;
      missed.push({ seq, ...(JSON.parse(bytes.toString()) as Written) });
    }
    if (missed.length === 0) return;
    const accounts = await accountsOf(tx, addressKey, new Set(missed.map(({ account }) => account)));
    const sanctions: MissedSanction[] = [];
    for (const { seq, account, act, at: time, sanction = null } of missed) {
      const accountId = accounts.get(account) ?? null;
      const at = new Date(time);
      const kept = accountId === null || sanction === null ? null : JSON.stringify(sanction);
      await tx.insertInto('ledger_entry').values({ account_id: accountId, act, at, sanction: kept, seq }).execute();
      if (accountId === null) continue;
      if (act !== 'sanctioned' && act !== 'revoked') await repeat(tx, accountId, act, at);
      else if (sanction !== null) sanctions.push({ accountId, act, sanction, at });
    }
    if (sanctions.length > 0) await emit(tx, 'sanctionsMissed', { sanctions, addressKey, now: clock.now() });
    const ended = await tx.deleteFrom('session').returning('id').execute();
    log.warn(
      { acts: missed.length, accounts: accounts.size, sessions: ended.length },
      'this database was restored from a backup: what happened since was repeated, and all sessions ended',
    );
  });
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

const states: Record<Exclude<LedgerAct, SanctionAct>, (at: Date) => object> = {
  left: (at) => ({ leaving_since: at }),
  returned: () => ({ leaving_since: null }),
  deactivated: (at) => ({
    is_active: false,
    deactivated_at: at,
    deactivation_reason: 'This account was deactivated before a backup was restored.',
  }),
  activated: () => ({ is_active: true, deactivated_at: null, deactivation_reason: null }),
};

async function repeat(tx: Db, accountId: string, act: keyof typeof states, at: Date): Promise<void> {
  await tx.updateTable('account').set(states[act](at)).where('id', '=', accountId).execute();
  if (act === 'left') await addJob(tx, 'account.leaving', { accountId });
}

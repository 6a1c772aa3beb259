import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import pLimit from 'p-limit';
import { login } from '#contract/auth/session.ts';
import { demoAccounts } from '../demo/accounts.ts';
import { mustCall } from '../server/test/proofs/http.ts';
import { sessionIn } from '../server/test/session-in.ts';

/** The server computes two password hashes at a time and turns away a long queue. */
const signInsAtOnce = 4;
const [, , ada] = demoAccounts;

export type Database = Pick<pg.Client, 'query'>;

/** Runs a query and returns its rows. */
export async function rowsOf<T extends object>(db: Database, text: string, values: unknown[] = []): Promise<T[]> {
  return (await db.query<T>(text, values)).rows;
}

/** Resolves once no job is due, such as the counting of all days after the first start. */
export async function jobsDone(db: Database): Promise<void> {
  const due = 'select from graphile_worker.jobs where run_at <= now() and attempts < max_attempts limit 1';
  while ((await rowsOf(db, due)).length > 0) await pause(500);
}

/** The ids of this many demo members who can be found by others. */
export async function findMembers(db: Database, count: number): Promise<string[]> {
  const rows = await rowsOf<{ id: string }>(
    db,
    `select a.id from directory d join account a on a.id = d.account_id
     where d.is_shown and a.staff_role is null and a.created_at < now() - interval '2 days'
       and not exists (select from sanction s where s.account_id = a.id) order by a.id limit $1`,
    [count],
  );
  if (rows.length < count) throw new Error(`there are only ${rows.length} members who can be found`);
  return rows.map(({ id }) => id);
}

/** Signs members in. Generated members have no password, so they first get that of a demo account. */
export async function signIn(db: Database, origin: string, ids: string[]) {
  const accounts = await rowsOf<{ id: string; email: string }>(
    db,
    `update account set password_hash = (select password_hash from account where email = $2) where id = any ($1::uuid[])
     returning id, email`,
    [ids, ada.email],
  );
  const emails = new Map(accounts.map(({ id, email }) => [id, email]));
  const limited = pLimit(signInsAtOnce);
  return await Promise.all(
    ids.map((id) =>
      limited(async () => {
        const body = { email: emails.get(id) ?? '', password: ada.password };
        return sessionIn(await mustCall(origin, login, { body }));
      }),
    ),
  );
}

/** Matches each two neighbours in a list of members, replacing earlier matches and blocks between them; returns the ids of the matches. */
export async function matchNeighbours(db: Database, ids: string[]): Promise<string[]> {
  const pairs = ids.filter((_, at) => at % 2 === 0).map((id, pair) => [id, ids[2 * pair + 1] ?? ''].sort());
  const values = [pairs.map(([low]) => low), pairs.map(([, high]) => high)];
  const given = 'unnest($1::uuid[], $2::uuid[]) p (low, high)';
  for (const table of ['conversation', 'match'])
    await db.query(`delete from ${table} using ${given} where low_id = low and high_id = high`, values);
  await db.query(
    `delete from block using ${given} where (blocker_id, blocked_id) in ((low, high), (high, low))`,
    values,
  );
  const rows = await rowsOf<{ id: string; low: string }>(
    db,
    `with made as (
       insert into match (low_id, high_id, matched_at) select low, high, now() from ${given} returning id, low_id, high_id, matched_at)
     insert into conversation (id, low_id, high_id, began_at, last_at)
     select id, low_id, high_id, matched_at, matched_at from made returning id, low_id as low`,
    values,
  );
  const byLow = new Map(rows.map(({ id, low }) => [low, id]));
  return pairs.map(([low = '']) => byLow.get(low) ?? '');
}

/** An email whose sending was killed is due again after a minute, and the sweep that then sends it runs once a minute. */
export const mailsWithinMs = 150_000;

/** Waits for a limited time until the product has sent every email; returns the number of unsent ones. */
export async function unsentMails(db: Database): Promise<number> {
  for (const deadline = performance.now() + mailsWithinMs; ; await pause(500)) {
    const [row] = await rowsOf<{ unsent: number }>(
      db,
      // Mails that the demo marks as undeliverable have lost their content.
      `select count(*)::int as unsent from mail where status = 'waiting' or status = 'dead' and data <> '{}'`,
    );
    const unsent = row?.unsent ?? 0;
    if (unsent === 0 || performance.now() > deadline) return unsent;
  }
}

import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import type { Times } from './measure.ts';

/** How many bytes of write-ahead log there have been; `pg_stat_wal` follows seconds later. */
export async function loggedBytes(client: Pick<pg.Client, 'query'>): Promise<number> {
  const { rows } = await client.query<{ bytes: string }>(`select pg_current_wal_insert_lsn() - '0/0' as bytes`);
  return Number(rows[0]?.bytes);
}

const commits = 2000;

/** The sorted times of commits that write this much to the log and nothing else, in milliseconds: the part of a write that the disk decides. */
export async function commitTimes(pool: pg.Pool, bytes: number, clients: number): Promise<Times> {
  const text = randomBytes(Math.ceil(bytes / 2)).toString('hex');
  const times: Times = [];
  const commitInTurn = async () => {
    for (let count = 0; count < commits / clients; count += 1) {
      const started = performance.now();
      await pool.query(`select pg_logical_emit_message(true, 'bench', $1)`, [text]);
      times.push(performance.now() - started);
    }
  };
  await Promise.all(Array.from({ length: clients }, commitInTurn));
  return times.sort((a, b) => a - b);
}

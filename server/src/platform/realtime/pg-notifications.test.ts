import type { Socket } from 'node:net';
import type pg from 'pg';
import { describe, expect, it } from 'vitest';
import { createPool } from '../db/pool.ts';
import { createLog } from '../process/log.ts';
import { listenToDatabase, type PgNotification } from './pg-notifications.ts';

const within = { timeout: 60_000, interval: 10 };

describe('listenToDatabase', () => {
  it('reports possibly missed notifications once it listens, and again after the connection was cut silently', async () => {
    const pool = createPool(process.env['TEST_DATABASE_URL'] ?? '', { giveUpMs: 200 });
    const clients: pg.PoolClient[] = [];
    const passed: PgNotification[] = [];
    let missed = 0;
    pool.on('connect', (client) => clients.push(client));
    const handlers = {
      channels: { heartwood: (notification: PgNotification) => passed.push(notification) },
      missed: async () => void (missed += 1),
    };
    const listener = listenToDatabase(pool, handlers, createLog('silent'), 20);
    await expect.poll(() => clients.length, within).toBe(1);
    await expect.poll(() => missed, within).toBe(1);
    const [first] = clients;
    if (first === undefined) throw new Error('no connection was opened');
    (first.connection.stream as Socket).pause();
    await expect.poll(() => missed, within).toBe(2);
    await pool.query(`select pg_notify('heartwood', '{"what": "reports"}')`);
    await expect.poll(() => passed, within).toEqual([{ what: 'reports' }]);
    listener.stop();
    for (const client of clients) await client.end();
  });

  it.each([
    ['an empty payload', ''],
    ['a payload that is not JSON', 'private words'],
    ['a null payload', 'null'],
    ['a text payload', '"private words"'],
  ])('logs %s without its content, and delivers the payloads that follow', async (_, payload) => {
    const pool = createPool(process.env['TEST_DATABASE_URL'] ?? '');
    const lines: string[] = [];
    const clients: pg.PoolClient[] = [];
    const passed: PgNotification[] = [];
    pool.on('connect', (client) => clients.push(client));
    const handlers = {
      channels: { heartwood: (notification: PgNotification) => passed.push(notification) },
      missed: async () => undefined,
    };
    const listener = listenToDatabase(pool, handlers, createLog('warn', { write: (line) => lines.push(line) }));
    const notify = (text: string) => pool.query(`select pg_notify('heartwood', $1)`, [text]);
    await expect
      .poll(async () => {
        await notify('{"what": "statistics"}');
        return passed.length;
      }, within)
      .toBeGreaterThan(0);
    await notify(payload);
    await notify('{"what": "reports"}');
    await expect.poll(() => passed.at(-1), within).toEqual({ what: 'reports' });
    expect(lines.join('')).toContain('is not one of ours');
    expect(lines.join('')).not.toContain('private');
    listener.stop();
    for (const client of clients) await client.end();
  });
});

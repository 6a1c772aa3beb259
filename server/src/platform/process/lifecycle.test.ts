import { once } from 'node:events';
import { createConnection, type AddressInfo } from 'node:net';
import pg from 'pg';
import { describe, expect, test } from 'vitest';
import Fastify, { type FastifyInstance } from 'fastify';
import { createLifecycle, StartError, whyFailed, prepareDrain } from './lifecycle.ts';
import { closeInTurns } from '../realtime/sockets.ts';

describe('createLifecycle', () => {
  test('stop runs the steps in reverse order, once, however often it is called', async () => {
    const lifecycle = createLifecycle(1000);
    const undone: string[] = [];
    for (const step of ['database', 'pool', 'listening']) lifecycle.onStop(async () => undone.push(step));
    expect(lifecycle.isStopping()).toBe(false);
    expect(await Promise.all([lifecycle.stop(), lifecycle.stop()])).toEqual([[], []]);
    expect(undone).toEqual(['listening', 'pool', 'database']);
    expect(lifecycle.isStopping()).toBe(true);
  });

  test('stop continues after a failing step and reports the failure', async () => {
    const lifecycle = createLifecycle(1000);
    const undone: string[] = [];
    lifecycle.onStop(async () => undone.push('database'));
    lifecycle.onStop(() => Promise.reject(new Error('the pool is stuck')));
    expect(await lifecycle.stop()).toEqual([new Error('the pool is stuck')]);
    expect(undone).toEqual(['database']);
  });

  test('stop does not wait for a step beyond its timeout', async () => {
    const lifecycle = createLifecycle(20);
    lifecycle.onStop(() => new Promise(() => undefined));
    expect(await lifecycle.stop()).toEqual([new Error('a shutdown step took too long')]);
  });

  const full = Object.assign(new pg.DatabaseError('could not extend file', 0, 'error'), { code: '53100' });
  test.each([
    [new StartError('Port 1 is in use.'), /^Port 1 is in use\.$/],
    [full, /^The disk is full \(could not extend file\)\. Make room, then start again\.$/],
    [Object.assign(new Error('write'), { code: 'ENOSPC' }), /^The disk is full \(write\)\./],
    [new Error('unexpected'), /^Error: unexpected\n {4}at /],
  ])('explains the start error %o', (error, words) => {
    expect(whyFailed(error)).toMatch(words);
  });
});

describe('a stopping server', () => {
  async function startApp(
    endSockets?: () => Promise<void>,
  ): Promise<{ app: FastifyInstance; port: number; drain(withinMs: number): Promise<void> }> {
    const app = Fastify();
    app.get('/', async () => 'answered');
    const drain = prepareDrain(app, endSockets);
    await app.listen({ port: 0, host: '127.0.0.1' });
    return { app, port: (app.server.address() as AddressInfo).port, drain };
  }

  /** Everything one connection received until it ended, or its error. */
  async function ask(port: number): Promise<string> {
    const socket = createConnection({ port, host: '127.0.0.1' });
    let received = '';
    socket.setEncoding('utf8').on('data', (part: string) => (received += part));
    socket.write('GET / HTTP/1.1\r\nHost: test\r\n\r\n');
    try {
      await once(socket, 'close');
      return received;
    } catch (error) {
      return String(error);
    }
  }

  test('answers all connected clients, including those waiting to be accepted', async () => {
    const { port, drain } = await startApp();
    const asked = Array.from({ length: 50 }, () => ask(port));
    await drain(5000);
    for (const answer of await Promise.all(asked)) {
      expect(answer).toMatch(/^HTTP\/1\.1 200 OK/);
      expect(answer).toMatch(/answered$/);
    }
  });

  test('resets no client, even if each opens a new connection after every answer', async () => {
    const { port, drain } = await startApp();
    const heard = new Set<string>();
    const clients = Array.from({ length: 40 }, async () => {
      for (let answer = ''; !answer.includes('ECONNREFUSED');)
        heard.add((answer = await ask(port)).split('\r\n')[0] ?? '');
    });
    await drain(4000);
    await Promise.all(clients);
    expect([...heard]).toEqual(['HTTP/1.1 200 OK', expect.stringContaining('ECONNREFUSED')]);
  });

  test('closes idle connections before its deadline, and accepts no new ones', async () => {
    const { port, drain } = await startApp();
    const idle = ask(port);
    await drain(3_600_000);
    expect(await idle).toContain('answered');
    expect(await ask(port)).toContain('ECONNREFUSED');
  });

  test('reports that it is draining before the first connection closes', async () => {
    let wasDraining: boolean | undefined;
    const { app, drain } = await startApp(async () => void (wasDraining = app.isDraining));
    expect(app.isDraining).toBeFalsy();
    await drain(5000);
    expect(wasDraining).toBe(true);
  });

  test('disconnects many sockets in batches within seconds, and a few at once', async () => {
    const closed: number[] = [];
    const sockets = (count: number) => Array.from({ length: count }, () => ({ disconnect: () => closed.push(turn) }));
    let turn = 0;
    const turns = setInterval(() => (turn += 1), 1);
    await closeInTurns(sockets(50));
    expect(new Set(closed).size).toBe(1);
    closed.length = 0;
    await closeInTurns(sockets(120));
    clearInterval(turns);
    expect(closed).toHaveLength(120);
    expect(new Set(closed).size).toBe(3);
  });
});

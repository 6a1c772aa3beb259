import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, get } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { createTransport } from 'nodemailer';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hashPassword } from '../../src/features/auth/password/hashing.ts';
import { diskStorage } from '../../src/features/media/storage/storage.ts';
import { type Db, inTransaction } from '#platform/db/db.ts';
import { startSmtpSink, type SmtpSink } from '../doubles/smtp-sink.ts';
import { startAppForTests } from '../harness.ts';
import { takeOffences } from '../transaction-guard.ts';

const server = createServer((_request, response) => response.end());
let mailServer: SmtpSink;
const app = startAppForTests();
let port: number;
beforeAll(async () => {
  mailServer = await startSmtpSink();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  port = (server.address() as AddressInfo).port;
});
afterAll(async () => {
  server.close();
  await mailServer.close();
});

const mail = { from: 'heartwood@example.test', to: 'ida@example.test', text: 'Hello' };
const outsideCalls: [string, () => Promise<unknown>][] = [
  ['reading a file', () => readFile(import.meta.filename)],
  ['reading stored media', () => diskStorage(app.mediaDir).get('a-missing-key')],
  ['fetch', () => fetch(`http://127.0.0.1:${port}`)],
  [
    'an HTTP request',
    () =>
      once(
        get(`http://127.0.0.1:${port}`, (answer) => answer.resume()),
        'close',
      ),
  ],
  ['opening a connection', () => once(connect(port, '127.0.0.1').end(), 'close')],
  ['sending an email', () => createTransport(`smtp://127.0.0.1:${mailServer.port}`).sendMail(mail)],
  ['hashing a password', () => hashPassword('correct horse battery')],
];

describe.each(outsideCalls)('%s', (_what, call) => {
  it('is reported inside a transaction, even after its first statement and if it was made before', async () => {
    await call();
    await inTransaction(app.db, async (tx) => {
      await tx.selectFrom('account').select('id').execute();
      await call();
    });
    expect(takeOffences().map(({ message }) => message)).toContainEqual(
      expect.stringContaining('inside a transaction'),
    );
  });

  it('is not reported before or after a transaction, even if it was started inside', async () => {
    await call();
    let later: Promise<unknown> | undefined;
    await inTransaction(app.db, async (tx) => {
      await tx.selectFrom('account').select('id').execute();
      later = setImmediate()
        .then(() => setImmediate())
        .then(() => app.pool.query('select'))
        .then(call);
    });
    await later;
    expect(takeOffences()).toEqual([]);
  });
});

describe('a transaction', () => {
  it('is reported when it sends a statement before the last one was answered', async () => {
    const read = (tx: Db) => tx.selectFrom('account').select('id').limit(1).execute();
    await inTransaction(app.db, async (tx) => {
      await read(tx);
      await read(tx);
    });
    expect(takeOffences()).toEqual([]);
    await inTransaction(app.db, async (tx) => await Promise.all([read(tx), read(tx)]));
    expect(takeOffences().map(({ message }) => message)).toEqual(['two statements at once inside a transaction']);
  });
});

import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, request, type RequestListener, type Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { startSmtpSink, type SmtpSink } from '../../../test/doubles/smtp-sink.ts';
import { startAppForTests } from '../../../test/harness.ts';
import { listenTo } from '../../../test/sockets.ts';
import { readConfig } from '#platform/config/config.ts';
import type * as certificates from './certificates.ts';
import { examine } from './doctor.ts';

/** What the names of the sender say, instead of those of the internet. */
const names = new Map<string, string>();
vi.mock('node:dns/promises', async (original) => ({
  ...(await original<object>()),
  async resolveTxt(name: string) {
    const text = names.get(name);
    if (text === undefined) throw Object.assign(new Error(name), { code: 'ENOTFOUND' });
    return await Promise.resolve([[text]]);
  },
}));

/** A host of the internet, which tests don't connect to. */
const stranger = 'www.googleapis.com';
vi.mock('./certificates.ts', async (original) => {
  const real = await original<typeof certificates>();
  return {
    ...real,
    readCertificate: async (peer: certificates.Peer, now: Date) =>
      peer.host === stranger
        ? { ...peer, checkedAt: now, validUntil: new Date(8.64e15), problem: null }
        : await real.readCertificate(peer, now),
  };
});

const test = startAppForTests();
let mailServer: SmtpSink;
let address: string;
let proxy: Server;
beforeAll(async () => {
  address = await listenTo(test);
  mailServer = await startSmtpSink();
  proxy = createServer((incoming, outgoing) => {
    if (Number(incoming.headers['content-length'] ?? 0) > 1_000_000) {
      incoming.resume();
      outgoing.writeHead(413).end();
      return;
    }
    // Like a proxy that talks to the service in HTTP/1.0, which drops the upgrade.
    const { upgrade: _, connection: __, ...headers } = incoming.headers;
    const passed = request(new URL(incoming.url ?? '/', address), { method: incoming.method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    incoming.pipe(passed);
  });
  await once(proxy.listen(0, '127.0.0.1'), 'listening');
});
afterAll(async () => {
  proxy.close();
  await mailServer.close();
});

/** The findings for a URL. The disk is left out, because it is that of the machine. */
async function examineAt(publicUrl: string, smtpPort: number, weakness: string | null = null, settings = {}) {
  const config = readConfig({
    PUBLIC_URL: publicUrl,
    MEDIA_DIR: test.mediaDir,
    MAIL_DRIVER: 'smtp',
    SMTP_URL: `smtp://127.0.0.1:${smtpPort}`,
    MAIL_FROM: 'Heartwood <hello@example.test>',
    ...settings,
  });
  const found = await examine({ config, db: test.db, now: test.clock.now(), weakness });
  return found.filter(({ name }) => name !== 'Disk');
}

/** What is wrong at a URL, by heading. */
const findingsAt = async (...given: Parameters<typeof examineAt>) =>
  Object.fromEntries((await examineAt(...given)).map(({ name, faults }) => [name, faults]));

it('reports nothing for a complete service, but says what it could not know', async () => {
  const now = test.clock.now().toISOString();
  await test.sql`insert into installation (name, value) values ('lastBackup', to_jsonb(${now}::text)), ('lastDrill', to_jsonb(${now}::text))
    on conflict (name) do update set value = excluded.value`;
  await test.sql`insert into server_process (id, host, version, node, runs_jobs, started_at, seen_at, answered)
    values (gen_random_uuid(), 'one', '1', '24', true, ${now}, ${now}, '{}')`;
  for (const [name, text] of [
    ['example.test', 'v=spf1 -all'],
    ['_dmarc.example.test', 'v=DMARC1; p=reject'],
    ['_domainkey.example.test', ''],
  ] as const)
    names.set(name, text);
  const found = await examineAt(address, mailServer.port);
  names.clear();
  await test.sql`delete from server_process`;
  await test.sql`delete from installation where name in ('lastBackup', 'lastDrill')`;
  expect(found.filter(({ faults }) => faults.length > 0)).toEqual([]);
  expect(found.filter(({ limit }) => limit !== undefined)).toEqual([
    { name: 'Time', faults: [], limit: expect.stringMatching(/^compared only with the service and the database/) },
  ]);
});

it('explains each missing item in one sentence', async () => {
  const { port } = proxy.address() as AddressInfo;
  expect(await findingsAt(`http://127.0.0.1:${port}`, 1)).toMatchObject({
    Service: [],
    'Live messages': [expect.stringMatching(/^No socket opens: the proxy must pass on/)],
    Uploads: [expect.stringMatching(/^Photos over 1 MB are refused by the proxy/)],
    Jobs: [expect.stringMatching(/^No process runs jobs/)],
    Mail: [expect.stringMatching(/^the mail server cannot be reached/)],
    Backups: [
      'The last backup was never: run npm run backup daily.',
      'The last restore drill was never: run one monthly.',
    ],
    'Names of the sender': [
      'example.test has no SPF record.',
      '_dmarc.example.test has no DMARC record.',
      'example.test has no DKIM key below _domainkey.example.test.',
    ],
  });
});

describe('one item that is wrong', () => {
  const answer =
    (status: number, headers: Record<string, string> = {}): RequestListener =>
    (incoming, outgoing) => {
      incoming.resume();
      outgoing.writeHead(status, headers).end();
    };

  it.each([
    ['Service', answer(503), /\/readyz answers 503 instead of 200/],
    ['Uploads', answer(413), /^Photos over 1 MB are refused/],
    ['Time', answer(200, { date: new Date(0).toUTCString() }), /differs by \d{10} s from this machine/],
  ])('is found under %s', async (name, listener, sentence) => {
    const server = createServer(listener);
    onTestFinished(() => void server.close());
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    const found = await findingsAt(`http://127.0.0.1:${port}`, mailServer.port);
    expect(found[name]).toEqual([expect.stringMatching(sentence)]);
  });

  it('is the clock that this machine shares with the service, but not with the database', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_600_000 });
    onTestFinished(() => void vi.useRealTimers());
    const server = createServer(answer(200, { date: new Date().toUTCString() }));
    onTestFinished(() => void server.close());
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    const { Time } = await findingsAt(`http://127.0.0.1:${port}`, mailServer.port);
    expect(Time).toEqual([expect.stringMatching(/^The clock of the database differs by 3[56]\d\d s/)]);
  });

  it('is the clock that this machine shares with both, but not with a service of others', async () => {
    const { fetch } = globalThis;
    const inAnHour = () => new Date(Date.now() + 3_600_000).toUTCString();
    const ask = vi
      .spyOn(globalThis, 'fetch')
      .mockImplementation((...asked: Parameters<typeof fetch>) =>
        asked[0] === `https://${stranger}:443`
          ? Promise.resolve(new Response(null, { headers: { date: inAnHour() } }))
          : fetch(...asked),
      );
    onTestFinished(() => ask.mockRestore());
    const { Time } = await findingsAt(address, mailServer.port, null, { GOOGLE_CLIENT_IDS: 'heartwood' });
    expect(Time).toEqual([expect.stringMatching(/^The clock of www\.googleapis\.com differs by 3[56]\d\d s/)]);
  });

  it('is a certificate that browsers refuse', async () => {
    const file = (name: string) => readFileSync(join(import.meta.dirname, '../../../test/doubles/push-vendor', name));
    const server = createSecureServer({ cert: file('localhost.crt'), key: file('localhost.key') });
    onTestFinished(() => void server.close());
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    const { Certificates } = await findingsAt(`https://localhost:${port}`, mailServer.port);
    expect(Certificates).toEqual([
      expect.stringMatching(/^This service \(localhost\): the certificate is not trusted/),
    ]);
  });

  it('is a database whose roles protect less than they could', async () => {
    const { Settings } = await findingsAt(address, mailServer.port, 'one role owns the tables and serves');
    expect(Settings).toEqual(['The database: one role owns the tables and serves.']);
  });
});

it('explains why nothing could be checked when nothing responds', async () => {
  const gone = createServer();
  await once(gone.listen(0, '127.0.0.1'), 'listening');
  const { port } = gone.address() as AddressInfo;
  await once(gone.close(), 'close');
  const found = await findingsAt(`http://127.0.0.1:${port}`, mailServer.port);
  expect(found['Service']).toEqual([expect.stringMatching(/^This could not be looked at: ECONNREFUSED\./)]);
});

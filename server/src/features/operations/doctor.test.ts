import { once } from 'node:events';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startSmtpSink, type SmtpSink } from '../../../test/doubles/smtp-sink.ts';
import { startAppForTests } from '../../../test/harness.ts';
import { listenTo } from '../../../test/sockets.ts';
import { readConfig } from '#platform/config/config.ts';
import { examine } from './doctor.ts';

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

/** The findings for a URL, by heading. The sender's DNS records are left out, because they need the internet. */
async function findingsAt(publicUrl: string, smtpPort: number) {
  const config = readConfig({
    PUBLIC_URL: publicUrl,
    MEDIA_DIR: test.mediaDir,
    MAIL_DRIVER: 'smtp',
    SMTP_URL: `smtp://127.0.0.1:${smtpPort}`,
    MAIL_FROM: 'Heartwood <hello@example.test>',
  });
  const found = await examine({ config, db: test.db, now: test.clock.now(), weakness: null });
  const left = found.filter(({ name }) => !['Names of the sender', 'Disk'].includes(name));
  return Object.fromEntries(left.map(({ name, faults }) => [name, faults]));
}

it('reports nothing for a complete service', async () => {
  const now = test.clock.now().toISOString();
  await test.sql`insert into installation (name, value) values ('lastBackup', to_jsonb(${now}::text)), ('lastDrill', to_jsonb(${now}::text))
    on conflict (name) do update set value = excluded.value`;
  await test.sql`insert into server_process (id, host, version, node, runs_jobs, started_at, seen_at, answered)
    values (gen_random_uuid(), 'one', '1', '24', true, ${now}, ${now}, '{}')`;
  const found = await findingsAt(address, mailServer.port);
  await test.sql`delete from server_process`;
  await test.sql`delete from installation where name in ('lastBackup', 'lastDrill')`;
  expect(Object.entries(found).filter(([, faults]) => faults.length > 0)).toEqual([]);
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

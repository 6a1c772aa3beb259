import { createServer, type AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { checkDatabase, judge } from './check.ts';

const serverUrl = process.env['TEST_DATABASE_URL'] ?? '';
const development = { production: false };

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

test.each([
  [
    'an old version',
    { version: 140_012, fsync: 'on', synchronousCommit: 'on' },
    false,
    /PostgreSQL 14, but 15 or newer/,
  ],
  [
    'fsync turned off in production',
    { version: 180_004, fsync: 'off', synchronousCommit: 'on' },
    true,
    /fsync turned off/,
  ],
  [
    'commits acknowledged early in production',
    { version: 150_001, fsync: 'on', synchronousCommit: 'off' },
    true,
    /synchronous_commit/,
  ],
])('judge refuses a server with %s', (_name, server, production, words) => {
  expect(() => judge(server, production)).toThrow(words);
});

test.each([
  ['the oldest supported version', { version: 150_000, fsync: 'on', synchronousCommit: 'on' }, true],
  ['commits that wait only for the local disk', { version: 160_000, fsync: 'on', synchronousCommit: 'local' }, true],
  ['fsync turned off outside production', { version: 180_004, fsync: 'off', synchronousCommit: 'off' }, false],
])('judge accepts a server with %s', (_name, server, production) => {
  expect(() => judge(server, production)).not.toThrow();
});

test('checkDatabase accepts a server that answers', async () => {
  await expect(checkDatabase(serverUrl, development)).resolves.toBeUndefined();
});

test('checkDatabase detects a server with fsync turned off', async () => {
  await expect(checkDatabase(serverUrl, { production: true })).rejects.toThrow(/fsync turned off/);
});

test('checkDatabase explains why a server cannot be used, without the password', async () => {
  const port = await freePort();
  const wrongPassword = serverUrl.replace(/:[^:@]+@/, ':guess@');
  const noDatabase = serverUrl.replace('/heartwood?', '/nowhere?');
  const refusals = {
    [`postgres://u:secret@127.0.0.1:${port}/heartwood`]: /^No database answers at 127\.0\.0\.1:\d+/,
    'postgres://u:secret@no-such-host.invalid/heartwood':
      /^The host no-such-host\.invalid in DATABASE_URL cannot be found\.$/,
    [wrongPassword]: /rejected the user or password in DATABASE_URL\.$/,
    [noDatabase]: /has no database "nowhere"/,
  };
  for (const [url, words] of Object.entries(refusals)) {
    const refusal = await checkDatabase(url, development).catch((error: unknown) => error as Error);
    expect(refusal).toMatchObject({ name: 'StartError', message: expect.stringMatching(words) });
    expect(refusal).not.toMatchObject({ message: expect.stringContaining('secret') });
  }
});

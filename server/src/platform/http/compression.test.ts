import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { apiBasePath } from '#contract/constants.ts';
import { makeAdministrator, makeMember, type TestMember } from '../../../test/factories.ts';
import { callName, contractEndpoints } from '../../../test/guards/contract-endpoints.ts';
import { startAppForTests } from '../../../test/harness.ts';
import { compressedFrom } from './compression.ts';

const test = startAppForTests();
let administrator: TestMember;
beforeAll(async () => {
  administrator = await makeAdministrator(test);
  for (let made = 0; made < 20; made += 1) await makeMember(test);
});

const decoders = { br: brotliDecompressSync, zstd: zstdDecompressSync, gzip: gunzipSync };

function ask(url: string, accepted?: string) {
  const headers = { authorization: `Bearer ${administrator.token}` };
  return test.app.inject({
    url: `${apiBasePath}${url}`,
    headers: accepted === undefined ? headers : { ...headers, 'accept-encoding': accepted },
  });
}

describe('a response', () => {
  it.each([
    ['gzip', 'gzip'],
    ['gzip, deflate, br', 'br'],
    ['gzip, deflate, br, zstd', 'zstd'],
    ['gzip, zstd', 'zstd'],
    ['zstd, br;q=0', 'zstd'],
  ] as const)('is compressed for the accept-encoding "%s" with %s', async (accepted, encoding) => {
    const plain = await ask('/auth/users?limit=20');
    const answer = await ask('/auth/users?limit=20', accepted);
    expect(answer.headers['content-encoding']).toBe(encoding);
    expect(answer.headers.vary).toContain('accept-encoding');
    expect(answer.rawPayload.length).toBeLessThan(plain.rawPayload.length / 3);
    expect(decoders[encoding](answer.rawPayload).toString()).toBe(plain.body);
  });

  it('is not compressed when it is small or the client does not request it', async () => {
    expect((await ask('/auth/users?limit=20')).headers['content-encoding']).toBeUndefined();
    const small = await ask('/auth/sessions', 'gzip');
    expect(small.rawPayload.length).toBeLessThan(compressedFrom);
    expect(small.headers['content-encoding']).toBeUndefined();
  });

  it('is compressed when it is streamed', async () => {
    const plain = await ask('/admin/users/export?reason=Figures');
    const answer = await ask('/admin/users/export?reason=Figures', 'gzip');
    expect(answer.headers['content-encoding']).toBe('gzip');
    expect(gunzipSync(answer.rawPayload).toString()).toBe(plain.body);
  });

  it('hides its exact size with a header of random length', async () => {
    const lengths = new Set<number>();
    for (let asked = 0; asked < 20; asked += 1)
      lengths.add(String((await ask('/auth/sessions', 'gzip')).headers['x-padding']).length);
    expect(lengths.size).toBeGreaterThan(5);
  });
});

const routesAt = (path: string, methods: string) =>
  methods.split(', ').map((method) => `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`);

/** The routes that compress their answers, as `GET /path`. */
function compressingRoutes(): string[] {
  const parents: string[] = [];
  let routes: string[] = [];
  return test.app
    .printRoutes({ commonPrefix: false, includeHooks: true })
    .split('\n')
    .flatMap((line) => {
      if (line.includes('• (onSend) ["onSend()"')) return routes;
      // Another method of the same path, with other hooks, follows without a branch.
      const again = /^[│ ]*[^•│├└ ].* \(([A-Z, ]+)\)$/.exec(line)?.[1];
      if (again !== undefined) {
        routes = routesAt(parents.at(-1) ?? '', again);
        return [];
      }
      const found = /^([│ ]*)[├└]── (.*?)(?: \(([A-Z, ]+)\))?$/.exec(line);
      if (found === null) return [];
      const [, indent = '', part = '', methods = ''] = found;
      parents.length = indent.length / 4;
      const path = (parents.at(-1) ?? '') + part;
      parents.push(path);
      routes = routesAt(path, methods);
      return [];
    });
}

describe('contract endpoints', () => {
  it('compress their responses, except those with credentials', async () => {
    const compressing = new Set(compressingRoutes());
    const plain = (await contractEndpoints())
      .filter(({ method, path }) => !compressing.has(`${method} ${apiBasePath}${path}`))
      .map(callName);
    expect(plain.sort()).toEqual([
      'GET /auth/google/nonce',
      'GET /dev/outbox',
      'GET /notices/challenge',
      'POST /auth/change-email',
      'POST /auth/confirm',
      'POST /auth/facebook',
      'POST /auth/google',
      'POST /auth/house',
      'POST /auth/join',
      'POST /auth/link',
      'POST /auth/login',
      'POST /auth/login/totp',
      'POST /auth/passkeys/login/options',
      'POST /auth/passkeys/login/verify',
      'POST /auth/passkeys/register/options',
      'POST /auth/passkeys/register/verify',
      'POST /auth/refresh-token',
      'POST /auth/register',
      'POST /auth/resend-verification',
      'POST /auth/totp/enable',
      'POST /auth/totp/recovery-codes',
      'POST /auth/totp/setup',
      'POST /auth/verify-email',
      'POST /subscription/create',
      'POST /subscription/resume',
      'POST /subscription/setup-intent',
      'PUT /subscription/update',
    ]);
  });
});

import { connect, type AddressInfo } from 'node:net';
import { beforeAll, describe, expect, it } from 'vitest';
import type { InjectOptions } from 'fastify';
import { sql } from 'kysely';
import { errorBodySchema } from '#contract/error-body.ts';
import { makeMember } from '../factories.ts';
import { loseDatabase, startApp, startAppForTests } from '../harness.ts';
import { routesOf } from './contract-endpoints.ts';

const test = startAppForTests();
const secure = startAppForTests({ PUBLIC_URL: 'https://heartwood.example' });
let authorization: string;
beforeAll(async () => {
  authorization = `Bearer ${(await makeMember(test)).token}`;
});

type Headers = Record<string, string | string[] | number | undefined>;

/** The missing or superfluous headers of an answer. */
function weaknesses(headers: Headers): string[] {
  const policy = String(headers['content-security-policy']);
  const found: string[] = [];
  const demand = (holds: boolean, what: string) => {
    if (!holds) found.push(what);
  };
  demand(/default-src 'none'/.test(policy), 'policy: default');
  demand(!/script-src[^;]*('unsafe-inline'|'unsafe-eval'|\*|https?:|data:)/.test(policy), 'policy: scripts');
  demand(!/(object|base|frame)-src[^;]*(\*|https?:)/.test(policy), 'policy: objects and frames');
  demand(/base-uri 'none'/.test(policy), 'policy: base');
  demand(/frame-ancestors 'none'/.test(policy), 'policy: framing');
  demand(headers['x-content-type-options'] === 'nosniff', 'sniffing');
  demand(headers['x-frame-options'] === 'DENY', 'framing');
  demand(headers['referrer-policy'] === 'no-referrer', 'referrer');
  demand(headers['x-powered-by'] === undefined && headers['server'] === undefined, 'reveals its software');
  demand(
    Object.keys(headers).every((name) => !name.startsWith('access-control-')),
    'allows other origins',
  );
  demand(headers['set-cookie'] === undefined, 'cookie');
  return found;
}

const evil = {
  origin: 'https://evil.example',
  'access-control-request-method': 'POST',
  'access-control-request-headers': 'authorization',
};
const answers: [string, () => InjectOptions, number][] = [
  ['a public call', () => ({ url: '/api/v1/config' }), 200],
  ['the caller’s profile', () => ({ url: '/api/v1/auth/profile', headers: { authorization } }), 200],
  ['the API description', () => ({ url: '/api/v1/openapi.json' }), 200],
  ['an HTML page', () => ({ url: '/api/docs' }), 200],
  ['a style sheet', () => ({ url: '/api/docs.css' }), 200],
  ['the outbox', () => ({ url: '/dev/outbox' }), 200],
  ['the health check', () => ({ url: '/healthz' }), 200],
  ['the readiness check', () => ({ url: '/readyz' }), 200],
  ['the metrics', () => ({ url: '/metrics' }), 200],
  ['invalid input', () => ({ method: 'POST', url: '/api/v1/auth/login', payload: {} }), 400],
  [
    'broken JSON',
    () => ({
      method: 'POST',
      url: '/api/v1/auth/login',
      payload: '{',
      headers: { 'content-type': 'application/json' },
    }),
    400,
  ],
  ['a request without a token', () => ({ url: '/api/v1/auth/profile' }), 401],
  ['a wrong role', () => ({ url: '/api/v1/auth/users', headers: { authorization } }), 403],
  ['an unknown endpoint', () => ({ url: '/api/v1/no-such-call' }), 404],
  ['an undecodable URL', () => ({ url: '/api/v1/auth/sessions/%zz' }), 404],
  ['a long URL', () => ({ url: `/api/v1/auth/sessions/${'a'.repeat(400)}` }), 404],
  [
    'a body that is too large',
    () => ({ method: 'POST', url: '/api/v1/auth/login', payload: { email: 'x'.repeat(400_000) } }),
    413,
  ],
  [
    'a wrong content type',
    () => ({ method: 'POST', url: '/api/v1/auth/login', payload: 'x', headers: { 'content-type': 'text/plain' } }),
    415,
  ],
  ['a preflight', () => ({ method: 'OPTIONS', url: '/api/v1/auth/login', headers: evil }), 404],
];

describe('security headers', () => {
  it.each(answers)('are sent with %s', async (_, request, status) => {
    const asked = request();
    const answer = await test.app.inject({ ...asked, headers: { ...asked.headers, ...evil } });
    expect(answer.statusCode).toBe(status);
    expect(weaknesses(answer.headers)).toEqual([]);
  });

  it('are sent with every file of the web app, and with its page', async () => {
    const files = routesOf(test.app).filter(
      ({ method, path }) => method === 'GET' && /\.\w+$/.test(path) && !path.startsWith('/api'),
    );
    for (const url of ['/', '/login', '/assets/none.js', ...files.map(({ path }) => path)]) {
      expect(weaknesses((await test.app.inject({ url, headers: evil })).headers), url).toEqual([]);
    }
  });

  it('are sent with a server error, even while the database is down', async () => {
    const broken = await startApp();
    const { token } = await makeMember(broken);
    const ask = () =>
      broken.app.inject({ url: '/api/v1/auth/sessions', headers: { authorization: `Bearer ${token}`, ...evil } });
    await sql`alter table session rename device to device_before`.execute(broken.db);
    const failed = await ask();
    expect(failed.statusCode).toBe(500);
    expect(weaknesses(failed.headers)).toEqual([]);
    await loseDatabase(broken);
    for (const gone of [await ask(), await broken.app.inject('/readyz')]) {
      expect(gone.statusCode).toBe(503);
      expect(Number(gone.headers['retry-after'])).toBeGreaterThan(0);
      expect(weaknesses(gone.headers)).toEqual([]);
    }
    await broken.close();
  });

  it('are sent with the answer to a malformed HTTP request, which has the usual error format', async () => {
    await test.app.listen({ port: 0, host: '127.0.0.1' });
    const { port } = test.app.server.address() as AddressInfo;
    for (const text of [
      'nonsense\r\n\r\n',
      `GET / HTTP/1.1\r\nhost: x\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`,
      'GET / HTTP/1.1\r\nhost: x\r\ncontent-length: -1\r\n\r\n',
    ]) {
      const [head = '', body = ''] = (await speak(port, text)).split('\r\n\r\n');
      const headers = Object.fromEntries(
        head
          .split('\r\n')
          .slice(1)
          .map((line) => line.split(': ', 2) as [string, string]),
      );
      expect(head).toMatch(/^HTTP\/1\.1 (400|413) /);
      expect(weaknesses(headers)).toEqual([]);
      expect(errorBodySchema.safeParse(JSON.parse(body)).success).toBe(true);
    }
  });

  it('enforce TLS where the service uses it', async () => {
    const { headers } = await secure.app.inject('/api/v1/config');
    expect(headers['strict-transport-security']).toMatch(/^max-age=31536000/);
    expect(headers['content-security-policy']).toContain('upgrade-insecure-requests');
    expect((await test.app.inject('/api/v1/config')).headers['strict-transport-security']).toBeUndefined();
  });

  it('prevent private answers from being cached', async () => {
    for (const url of ['/api/v1/auth/profile', '/api/v1/auth/sessions', '/api/v1/auth/users']) {
      expect((await test.app.inject({ url, headers: { authorization } })).headers['cache-control'], url).toBe(
        'no-store',
      );
    }
  });
});

function speak(port: number, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(text));
    let heard = '';
    socket.setEncoding('utf8').on('data', (chunk: string) => (heard += chunk));
    socket.on('close', () => {
      resolve(heard);
    });
    socket.on('error', reject);
  });
}

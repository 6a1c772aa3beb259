import { connect, type AddressInfo } from 'node:net';
import { createHash, randomUUID } from 'node:crypto';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it, onTestFinished, beforeAll } from 'vitest';
import { apiBasePath, bodyLimitBytes } from '#contract/constants.ts';
import { errorBodySchema } from '#contract/error-body.ts';
import { changeService } from '#contract/service/service.ts';
import { usualSettings } from '#contract/service/settings.ts';
import { makeMember } from '../../../test/factories.ts';
import { startApp, startAppForTests } from '../../../test/harness.ts';
import { longestAddressPart, readableAddress } from './server.ts';

const test = startAppForTests();
let port: number;
beforeAll(async () => {
  await test.app.listen({ host: '127.0.0.1', port: 0 });
  ({ port } = test.app.server.address() as AddressInfo);
});

describe('a request URL', () => {
  it.each([
    '/',
    '/login',
    '/api/v1/auth/users?search=%zz',
    '/api/v1/auth/user/%20',
    '/a%C3%A9',
    '//',
    '/#%zz',
    `/${'a'.repeat(longestAddressPart)}/b`,
    `/a?${'q'.repeat(9000)}`,
  ])('%s is not changed', (url) => {
    expect(readableAddress(url)).toBe(url);
  });

  it.each(['/%zz', '/%', '/a/%E0%A4%A?b', '/%C3', `/${'a'.repeat(longestAddressPart + 1)}`, `/x/${'%20'.repeat(100)}`])(
    '%s returns 404',
    (url) => {
      expect(readableAddress(url)).toBe('/api/unreadable');
    },
  );
});

describe('an HTTPS request through a proxy', () => {
  const https = { PUBLIC_URL: 'https://dating.example' };

  it.each([
    ['once if the proxy is not trusted', https, '10.0.0.5', 1],
    ['never if the proxy is trusted', { ...https, TRUSTED_PROXIES: '10.0.0.0/8' }, '10.0.0.5', 0],
    ['once if another proxy is trusted', { ...https, TRUSTED_PROXIES: '10.0.0.0/8' }, '192.168.0.5', 1],
    ['never if the service is used without TLS', {}, '10.0.0.5', 0],
    ['once if the proxy on this machine is not trusted', https, '127.0.0.1', 1],
  ])('logs a warning %s', async (_, env, remoteAddress, count) => {
    const service = await startApp(env);
    onTestFinished(() => service.close());
    await service.app.inject({ url: '/healthz', remoteAddress });
    expect(service.logLines()).not.toContain('TRUSTED_PROXIES');
    for (const client of ['203.0.113.5', '203.0.113.6'])
      await service.app.inject({ url: '/healthz', remoteAddress, headers: { 'x-forwarded-for': client } });
    expect(service.logLines().split('TRUSTED_PROXIES')).toHaveLength(count + 1);
    expect(service.logLines()).not.toContain('203.0.113');
  });

  it.each(['127.0.0.1', '::1', '::ffff:127.0.0.1'])(
    'logs no warning for clients on the machine of the trusted proxy (%s)',
    async (remoteAddress) => {
      const service = await startApp({ ...https, TRUSTED_PROXIES: 'loopback' });
      onTestFinished(() => service.close());
      for (const headers of [{}, { 'x-forwarded-for': remoteAddress }, { 'x-forwarded-for': '203.0.113.5' }])
        await service.app.inject({ url: '/healthz', remoteAddress, headers });
      expect(service.logLines()).not.toContain('TRUSTED_PROXIES');
    },
  );

  it('logs a warning once if a trusted proxy sends no readable address of its clients', async () => {
    const service = await startApp({ ...https, TRUSTED_PROXIES: '10.0.0.0/8' });
    onTestFinished(() => service.close());
    const send = (remoteAddress: string, client: string) =>
      service.app.inject({ url: '/healthz', remoteAddress, headers: { 'x-forwarded-for': client } });
    const warnings = () => service.logLines().split('without a readable address').length - 1;
    await send('10.0.0.5', '203.0.113.5:51234');
    await send('192.168.0.5', 'phone-of-ada');
    expect(warnings()).toBe(0);
    for (const client of ['phone-of-ada', 'phone-of-eve']) await send('10.0.0.5', client);
    expect(warnings()).toBe(1);
    expect(service.logLines()).not.toContain('phone-of');
  });
});

describe('a request', () => {
  /** Writes the parts one after another whatever the server answers; returns the answer and the connection's error. */
  async function write(parts: string[]): Promise<{ status: string; body: unknown; fault: string | null }> {
    const socket = connect(port, '127.0.0.1');
    let heard = '';
    let fault: string | null = null;
    socket.setEncoding('utf8').on('data', (chunk: string) => (heard += chunk));
    socket.on('error', (error: Error) => (fault = error.message));
    for (const part of parts) await new Promise((resolve) => socket.write(part, resolve));
    await expect.poll(() => heard).toContain('}');
    socket.destroy();
    const [head = '', body = ''] = heard.split('\r\n\r\n');
    return {
      status: head.split(' ')[1] ?? '',
      body: JSON.parse(body.slice(body.indexOf('{'), body.lastIndexOf('}') + 1)),
      fault,
    };
  }

  const head = (path: string, lines: string[]) =>
    [`POST ${apiBasePath}${path} HTTP/1.1`, 'host: x', ...lines, '', ''].join('\r\n');
  const json = 'content-type: application/json';
  const much = 'x'.repeat(100_000);

  it.each([
    ['with a length', [json, `content-length: ${40 * much.length}`], Array.from({ length: 40 }, () => much)],
    [
      'in chunks',
      [json, 'transfer-encoding: chunked'],
      Array.from({ length: 40 }, () => `${much.length.toString(16)}\r\n${much}\r\n`),
    ],
  ])('with an oversized body (%s) is answered before its upload finishes', async (_, lines, parts) => {
    expect(bodyLimitBytes).toBeLessThan(40 * much.length);
    const { status, body, fault } = await write([head('/auth/login', lines), ...parts]);
    expect([status, fault]).toEqual(['413', null]);
    expect(errorBodySchema.parse(body).code).toBe('PAYLOAD_TOO_LARGE');
  });

  it('is answered with 408 if it does not arrive completely in time', async () => {
    const accepted = new Promise<unknown>((resolve) => test.app.server.once('connection', resolve));
    const socket = connect(port, '127.0.0.1');
    let heard = '';
    socket.setEncoding('utf8').on('data', (chunk: string) => (heard += chunk));
    const late = Object.assign(new Error('late'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
    test.app.server.emit('clientError', late, await accepted);
    await expect.poll(() => heard).toMatch(/^HTTP\/1\.1 408 Request Timeout[^]*REQUEST_TIMEOUT/);
  });
});

const isBuilt = existsSync(resolve(import.meta.dirname, '../../../../dist/web/index.html'));

describe('the web app’s URLs', () => {
  // Without a build there is no page, and every such address returns 404.
  const page = isBuilt ? 200 : 404;

  it.each(['/users?search=ada%40heartwood.test', '/users/john.doe', '/nowhere', '/login.html', '/app/v1.2/page'])(
    '%s serves the web app',
    async (url) => {
      for (const method of ['GET', 'HEAD'] as const)
        expect((await test.app.inject({ method, url })).statusCode).toBe(page);
    },
  );

  it('serve documents in the language of the address, the device or the browser', async () => {
    const german = { 'accept-language': 'de' };
    const answers = await Promise.all([
      test.app.inject({ url: '/manifest.webmanifest', headers: german }),
      test.app.inject({ url: '/app?lang=ar', headers: german }),
      test.app.inject({ url: '/faqs', headers: { ...german, cookie: 'language=pl' } }),
    ]);
    const found = answers.map(({ body, headers }) => [/lang"?[:=] ?"(.+?)"/.exec(body)?.[1], headers['vary']]);
    const expected = isBuilt ? ['de', 'ar', 'pl'] : Array<undefined>(3).fill(undefined);
    expect(found).toEqual(expected.map((language) => [language, language && 'accept-language, cookie']));
  });

  it('start with the landing page if the owner chose it, except for the service worker', async () => {
    const start = async (accept: string) =>
      (await test.app.inject({ url: '/', headers: { accept } })).body.includes('property="og:title"');
    const asVisitor = () => start('text/html,application/xhtml+xml');
    expect(await asVisitor()).toBe(false);
    const { token } = await makeMember(test, { staffRole: 'owner' });
    const settings = { ...usualSettings, frontDoor: 'landing' as const };
    await test.call(changeService, { token, body: { version: 0, settings } });
    await expect.poll(asVisitor).toBe(isBuilt);
    expect(await start('*/*')).toBe(false);
  });

  it('allow only the scripts that the documents contain', async () => {
    const [app, landing] = await Promise.all(['/app/join', '/app'].map((url) => test.app.inject({ url })));
    const digests = [...`${app?.body}${landing?.body}`.matchAll(/<script>([^]+?)<\/script>/g)].map(
      ([, text = '']) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`,
    );
    expect(digests).toHaveLength(isBuilt ? 3 : 0);
    expect(landing?.headers['content-security-policy']).toContain(
      `script-src ${["'self'", ...new Set(digests)].join(' ')};`,
    );
  });

  it('serve compressed files to browsers that accept them, and never under a URL of their own', async () => {
    const { body } = await test.app.inject({ method: 'GET', url: '/' });
    const [script = '/assets/none.js'] = /\/assets\/[^"]+\.js/.exec(body) ?? [];
    const encodingFor = async (accepted: string) =>
      (await test.app.inject({ method: 'GET', url: script, headers: { 'accept-encoding': accepted } })).headers[
        'content-encoding'
      ];
    expect(await Promise.all(['br', 'gzip', 'identity'].map(encodingFor))).toEqual(
      isBuilt ? ['br', 'gzip', undefined] : [undefined, undefined, undefined],
    );
    expect((await test.app.inject({ method: 'GET', url: `${script}.br` })).statusCode).toBe(404);
  });

  it('serve scripts of the next release that were copied beside theirs after the start', async () => {
    const name = `later-${randomUUID()}.js`;
    const file = resolve(import.meta.dirname, '../../../../dist/web/assets', name);
    if (isBuilt) writeFileSync(file, 'later');
    onTestFinished(() => rmSync(file, { force: true }));
    const { statusCode, headers } = await test.app.inject({ method: 'GET', url: `/assets/${name}` });
    expect(statusCode).toBe(isBuilt ? 200 : 404);
    if (isBuilt) expect(headers['cache-control']).toBe('public, max-age=31536000, immutable');
  });

  it.each([
    '/assets/nothing.js',
    '/api/v1/nothing',
    '/dev/nothing',
    '/metrics/nothing',
    '/.well-known',
    '/.well-known/nothing',
    '/%2ewell-known/nothing',
    '/.well-known/security.txt/nothing',
    '/.env',
    '/.git/config',
    '/foo.js',
    '/foo.js?version=2',
    '/app/picture.webp',
    '/index.php',
  ])('%s returns 404', async (url) => {
    const answer = await test.app.inject({ method: 'GET', url });
    expect([answer.statusCode, answer.json<{ code: string }>().code]).toEqual([404, 'NOT_FOUND']);
  });

  it.each(['/healthz', '/readyz'])('%s answers HEAD requests', async (url) => {
    expect((await test.app.inject({ method: 'HEAD', url })).statusCode).toBe(200);
  });
});

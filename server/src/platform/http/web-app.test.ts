import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApp, type TestApp } from '../../../test/harness.ts';

const isBuilt = existsSync(resolve(import.meta.dirname, '../../../../dist/web/index.html'));

let test: TestApp;
beforeAll(async () => {
  test = await startApp();
});
afterAll(() => test.close());

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

  it('allow only the scripts that the document contains', async () => {
    const { body, headers } = await test.app.inject({ method: 'GET', url: '/app/join' });
    const digests = [...body.matchAll(/<script>([^]+?)<\/script>/g)].map(
      ([, text = '']) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`,
    );
    expect(digests).toHaveLength(isBuilt ? 1 : 0);
    expect(headers['content-security-policy']).toContain(`script-src ${["'self'", ...digests].join(' ')};`);
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

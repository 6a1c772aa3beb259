import { it } from 'vitest';
import { startApp } from '../harness.ts';
it('x', async () => {
  const test = await startApp();
  console.log(test.app.printRoutes({ commonPrefix: false, includeHooks: false }));
  console.log(Object.keys(test.app.findRoute({ method: 'POST', url: '/api/v1/auth/login' }) ?? {}), (test.app.findRoute({ method: 'POST', url: '/api/v1/auth/login' }) as any)?.store?.config);
  for (const [method, url, headers, payload] of [
    ['GET', '/api/v1/auth/sessions/%zz', {}, undefined],
    ['GET', '/%zz', {}, undefined],
    ['DELETE', '/api/v1/auth/sessions/', {}, undefined],
    ['DELETE', '/api/v1/auth/sessions/' + 'a'.repeat(300), {}, undefined],
    ['GET', '/.vite/manifest.json', {}, undefined],
    ['HEAD', '/', {}, undefined],
    ['GET', '/assets', {}, undefined],
    ['GET', '/favicon.svg', {}, undefined],
    ['HEAD', '/favicon.svg', {}, undefined],
    ['OPTIONS', '/', {}, undefined],
    ['POST', '/api/v1/auth/login', { 'content-type': 'text/plain' }, '{"email":"a@b.test","password":"x"}'],
    ['POST', '/api/v1/auth/login', { 'content-type': 'application/json' }, '{"__proto__":{"x":1},"email":"a@b.test","password":"x"}'],
    ['POST', '/api/v1/auth/login', { 'content-type': 'application/json' }, '{"constructor":{"prototype":{}},"email":"a@b.test","password":"x"}'],
    ['POST', '/api/v1/auth/login', { 'content-type': 'application/json', 'content-encoding': 'gzip' }, 'notgzip'],
    ['POST', '/api/v1/auth/login', { 'content-type': 'application/json', 'content-encoding': 'br2' }, 'notgzip'],
    ['POST', '/api/v1/auth/login', { 'content-type': 'application/json', 'idempotency-key': 'abcdefgh1' }, '{"email":"a@b.test","password":"x","z":' + '['.repeat(100000) + ']'.repeat(100000) + '}'],
    ['POST', '/api/v1/auth/register', { 'content-type': 'application/json', 'idempotency-key': 'abcdefgh1' }, '{"email":"a@b.test","password":"x","z":' + '['.repeat(100000) + ']'.repeat(100000) + '}'],
    ['POST', '/api/v1/auth/register?x=' + Array.from({length: 300}, () => Math.random().toString(36).slice(2)).join(''), { 'content-type': 'application/json', 'idempotency-key': 'abcdefgh1' }, '{"email":"a@b.test","password":"correct horse battery","acceptTerms":true,"firstName":"x"}'],
    ['POST', '/api/v1/auth/login', { 'content-type': 'multipart/form-data; boundary=x' }, 'x'],
    ['POST', '/api/v1/auth/login', { 'content-type': 'application/json' }, '"'.padEnd(1_000_000, 'x')],
    ['POST', '/api/v1/auth/login', { 'content-type': 'application/json' }, '{"email": "a", '],
    ['POST', '/api/v1/auth/login', { 'content-type': '' }, '{"email": "a"}'],
    ['POST', '/api/v1/auth/login', { 'content-type': ';;;' }, '{"email": "a"}'],
    ['POST', '/api/v1/auth/login', { }, Buffer.from([0xff,0xfe])],
    ['GET', '/api/v1/auth/login', { }, undefined],
    ['GET', '/api/v1', { }, undefined],
    ['GET', '/api/v1/auth/login/x', { 'accept-version': '2' }, undefined],
    ['GET', '/readyz', { 'accept-encoding': 'zip' }, undefined],
  ] as const) {
    const r = await test.app.inject({ method, url, headers, ...(payload === undefined ? {} : {payload}) } as never);
    console.log(method, url.slice(0, 60), JSON.stringify(headers).slice(0,100), '->', r.statusCode, r.body.slice(0, 260), r.headers['content-security-policy'] === undefined ? 'NO CSP' : '');
  }
  await test.close();
});

import { describe, expect, it, onTestFinished } from 'vitest';
import { startApp } from '../../../test/harness.ts';
import { longestAddressPart, readableAddress } from './server.ts';

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
  ])('logs a warning %s', async (_, env, remoteAddress, count) => {
    const test = await startApp(env);
    onTestFinished(() => test.close());
    await test.app.inject({ url: '/healthz', remoteAddress });
    expect(test.logLines()).not.toContain('TRUSTED_PROXIES');
    for (const client of ['203.0.113.5', '203.0.113.6'])
      await test.app.inject({ url: '/healthz', remoteAddress, headers: { 'x-forwarded-for': client } });
    expect(test.logLines().split('TRUSTED_PROXIES')).toHaveLength(count + 1);
    expect(test.logLines()).not.toContain('203.0.113');
  });
});

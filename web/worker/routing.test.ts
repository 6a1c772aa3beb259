import { describe, expect, it } from 'vitest';
import { type Asked, wayOf } from './routing.ts';

const origin = 'https://heartwood.test';
const shell = ['/assets/boot-1.js', '/favicon.svg'];
const way = (path: string, changes: Partial<Asked> = {}) =>
  wayOf(
    { url: new URL(path, origin).href, method: 'GET', mode: 'cors', headers: new Headers(), ...changes },
    origin,
    shell,
  );
const page = { mode: 'navigate' };

describe('the service worker', () => {
  it.each(['/assets/BJsRjnc.js', '/assets/C_-6Mj.css', '/favicon.svg'])('answers %s from its cache', (path) => {
    expect(way(path)).toBe('kept');
  });

  it.each(['/', '/faqs', '/app/discover?from=home-screen', '/users/john.doe', '/apis', '/developers'])(
    'answers %s as a page',
    (path) => {
      expect(way(path, page)).toBe('page');
    },
  );
});

describe('pictures shared from another app', () => {
  it('are kept only when they are sent by a navigation to their address', () => {
    expect(way('/app/share', { ...page, method: 'POST' })).toBe('shared');
    expect(way('/app/share', { method: 'POST' })).toBe('untouched');
    expect(way('/app/profile', { ...page, method: 'POST' })).toBe('untouched');
    expect(way('https://evil.example/app/share', { ...page, method: 'POST' })).toBe('untouched');
  });
});

describe('ignores', () => {
  it.each([
    '/api/v1/auth/profile',
    '/api/v1/media/abc?viewer=1&until=2&mark=3',
    '/realtime/?EIO=4&transport=polling',
    '/dev/outbox',
    '/healthz',
    '/sw.js',
    '/manifest.webmanifest',
    '/faqs',
    '/',
    'https://bucket.example/assets/picture.webp',
    '/assets/',
    '/assets/folder/file.js',
    '/assets/%2e%2e/api/v1/x.js',
    '/assets/BJsRjnc.js?token=secret',
    '/favicon.svg?1',
  ])('%s', (path) => {
    expect(way(path)).toBe('untouched');
  });

  it.each([
    '/api/docs',
    '/api',
    '/app/status',
    '/.well-known/change-password',
    '/dev/outbox',
    '/metrics',
    '/readyz',
    '/realtime',
    '/assets/BJsRjnc.js',
  ])('%s opened as a page', (path) => {
    expect(way(path, page)).toBe('untouched');
  });

  it.each<[string, Partial<Asked>]>([
    ['a token', { headers: new Headers({ authorization: 'Bearer x' }) }],
    ['a range of a file', { headers: new Headers({ range: 'bytes=0-9' }) }],
    ['a command', { method: 'POST' }],
    ['a HEAD request', { method: 'HEAD' }],
  ])('anything with %s', (_, changes) => {
    expect(way('/assets/BJsRjnc.js', changes)).toBe('untouched');
    expect(way('/faqs', { ...page, ...changes })).toBe('untouched');
  });
});

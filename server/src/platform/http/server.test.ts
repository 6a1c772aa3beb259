import { describe, expect, it } from 'vitest';
import { longestAddressPart, readableAddress } from './server.ts';

describe('an address', () => {
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
  ])('%s stays unchanged', (url) => {
    expect(readableAddress(url)).toBe(url);
  });

  it.each(['/%zz', '/%', '/a/%E0%A4%A?b', '/%C3', `/${'a'.repeat(longestAddressPart + 1)}`, `/x/${'%20'.repeat(100)}`])(
    '%s returns 404',
    (url) => {
      expect(readableAddress(url)).toBe('/api/unreadable');
    },
  );
});

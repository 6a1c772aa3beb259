import { describe, expect, it } from 'vitest';
import { clientOf, networkOf, trustIn, unknownNetwork } from './client-network.ts';

/** The forms in which proxies write an IPv4 address. */
const ipv4Forms = (address: string) =>
  [address, `::ffff:${address}`, `::FFFF:${address}`].flatMap((bare) => [
    bare,
    ` ${bare} `,
    `"${bare}"`,
    ...(bare === address ? [`${bare}:51234`, `"${bare}:51234"`, `${bare}:`] : []),
    `[${bare}]`,
    `[${bare}]:51234`,
    `"[${bare}]:51234"`,
  ]);
const ipv6Forms = (address: string) =>
  [address, address.toUpperCase(), `${address}%eth0`].flatMap((bare) => [
    bare,
    `"${bare}"`,
    `[${bare}]`,
    `[${bare}]:443`,
    `"[${bare}]:443"`,
  ]);
const unreadable = [
  ...['', ' ', 'localhost', 'unknown', '_hidden', '_hidden:80', 'unix:/socket', "'; drop table", '203.0.113.7;'],
  ...['1.2.3', '1.2.3.4.5', '999.1.1.1', '1.2.3:80', '1.2.3.4:http', '0x7f.1', '2130706433', '1.2.3.4:80:90'],
  ...['[]', '[::1', '::1]', '[1.2.3.4', '"1.2.3.4', '[::1]80', '[[::1]]', '2001:db8::1::2', 'for=1.2.3.4'],
];

describe('clientOf', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['203.0.113.7:51234', '203.0.113.7'],
    ['"[::ffff:203.0.113.7]:51234"', '203.0.113.7'],
    ['2001:db8:1:2ff::1', '2001:db8:1:200::/56'],
    ['nonsense', unknownNetwork],
  ])('of %s is %s', (entry, client) => {
    expect(clientOf(entry)).toBe(client);
  });
});

describe('networkOf', () => {
  it.each([
    ...ipv4Forms('203.0.113.7').map((entry) => [entry, '203.0.113.0/24']),
    ...ipv6Forms('2001:db8:1:2ff::1').map((entry) => [entry, '2001:db8:1:200::/56']),
    ['127.0.0.1', '127.0.0.0/24'],
    ['2001:db8:1:200:a:b:c:d', '2001:db8:1:200::/56'],
    ['2001:DB8:1:02AB::', '2001:db8:1:200::/56'],
    ['fe80::1%eth0', 'fe80:0:0:0::/56'],
    ['::1', '0:0:0:0::/56'],
    ['64:ff9b::203.0.113.7', '64:ff9b:0:0::/56'],
  ])('returns the network of %s: %s', (entry, network) => {
    expect(networkOf(entry)).toBe(network);
  });

  it('returns the same network for neighboring addresses, and another one for addresses outside it', () => {
    expect(networkOf('2001:db8:1:2ff::1')).toBe(networkOf('2001:db8:1:200::ffff'));
    expect(networkOf('2001:db8:1:300::1')).not.toBe(networkOf('2001:db8:1:200::1'));
    expect(networkOf('203.0.114.7')).not.toBe(networkOf('203.0.113.7'));
  });

  it.each(unreadable)('returns “unknown” for the invalid address “%s”', (entry) => {
    expect(networkOf(entry)).toBe('unknown');
  });
});

describe('trustIn', () => {
  const isTrusted = trustIn(['10.0.0.0/8', '2001:db8:aa::/48', 'loopback']);

  it('recognizes a proxy in each form, and no one else', () => {
    const proxies = [...ipv4Forms('10.1.2.3'), ...ipv6Forms('2001:db8:aa::5'), '127.0.0.1', '::1'];
    expect(proxies.filter((entry) => !isTrusted(entry))).toEqual([]);
    const others = [...ipv4Forms('11.1.2.3'), ...ipv6Forms('2001:db8:ab::5'), ...unreadable];
    expect(others.filter(isTrusted)).toEqual([]);
    expect(trustIn([])('127.0.0.1')).toBe(false);
  });
});

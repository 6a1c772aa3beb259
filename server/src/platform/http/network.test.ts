import { describe, expect, it } from 'vitest';
import { networkOf } from './limits.ts';

describe('networkOf', () => {
  it.each([
    ['203.0.113.7', '203.0.113.0/24'],
    ['::ffff:203.0.113.7', '203.0.113.0/24'],
    ['::FFFF:203.0.113.7', '203.0.113.0/24'],
    ['127.0.0.1', '127.0.0.0/24'],
    ['2001:db8:1:2ff::1', '2001:db8:1:200::/56'],
    ['2001:db8:1:200:a:b:c:d', '2001:db8:1:200::/56'],
    ['2001:DB8:1:02AB::', '2001:db8:1:200::/56'],
    ['fe80::1%eth0', 'fe80:0:0:0::/56'],
    ['::1', '0:0:0:0::/56'],
    ['64:ff9b::203.0.113.7', '64:ff9b:0:0::/56'],
  ])('returns the network of %s: %s', (address, network) => {
    expect(networkOf(address)).toBe(network);
  });

  it('returns the same network for neighboring addresses and another one beyond', () => {
    expect(networkOf('2001:db8:1:2ff::1')).toBe(networkOf('2001:db8:1:200::ffff'));
    expect(networkOf('2001:db8:1:300::1')).not.toBe(networkOf('2001:db8:1:200::1'));
    expect(networkOf('203.0.114.7')).not.toBe(networkOf('203.0.113.7'));
  });

  it.each(['', 'localhost', '1.2.3', '1.2.3.4.5', '999.1.1.1', 'unix:/socket', "'; drop table"])(
    'returns “unknown” for the invalid address “%s”',
    (address) => {
      expect(networkOf(address)).toBe('unknown');
    },
  );
});

import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { ConfigError, read, type Environment } from './values.ts';

const names = ['loopback', 'linklocal', 'uniquelocal'];
/**
 * No operator owns more of the internet than this: the shortest allowed prefix, both for a single network and for all
 * of them together.
 */
const shortestPrefix = { ipv4: 8, ipv6: 16 };
const mostAddresses = 2 ** 27;
/** The shortest prefixes of private networks. */
const privatePrefixes: Record<string, number> = { loopback: 128, uniqueLocal: 7, linkLocal: 10 };
/** IPv6 ranges that contain all IPv4 addresses, with the number of bits in their prefix. */
const repeated: [ipaddr.IPv6, number][] = [
  [ipaddr.IPv6.parse('::ffff:0:0'), 96],
  [ipaddr.IPv6.parse('::ffff:0:0:0'), 96],
  [ipaddr.IPv6.parse('64:ff9b::'), 96],
  [ipaddr.IPv6.parse('2002::'), 16],
  [ipaddr.IPv6.parse('2001::'), 32],
];

/** The proxies whose `X-Forwarded-For` is trusted; throws `ConfigError` for networks that include strangers. */
export function readTrustedProxies(env: Environment): string[] {
  const entries = (read(env, 'TRUSTED_PROXIES') ?? '').split(',').map((entry) => entry.trim());
  const proxies = entries.filter((entry) => entry !== '');
  for (const proxy of proxies) {
    if (names.includes(proxy)) continue;
    if (!isNetwork(proxy)) {
      throw new ConfigError(
        `TRUSTED_PROXIES must be a comma-separated list of addresses or networks such as 10.0.0.0/8, but one entry is "${proxy}".`,
      );
    }
    if (includesStrangers(proxy)) throw tooMany(proxy);
  }
  const addresses = proxies.reduce((sum, proxy) => sum + sizeOf(proxy), 0);
  if (addresses > mostAddresses) throw tooMany(`${proxies.length} networks`);
  return proxies;
}

const tooMany = (what: string) =>
  new ConfigError(
    `TRUSTED_PROXIES would trust much of the internet with "${what}", so that anyone could claim any address: name your proxies alone.`,
  );

/** How many addresses an entry covers. */
function sizeOf(proxy: string): number {
  if (!ipaddr.IPv4.isValidCIDRFourPartDecimal(proxy)) return 0;
  const [, prefix] = ipaddr.parseCIDR(proxy);
  return 2 ** (32 - prefix);
}

function isNetwork(text: string): boolean {
  return isIP(text) !== 0 || ipaddr.IPv4.isValidCIDRFourPartDecimal(text) || ipaddr.IPv6.isValidCIDR(text);
}

function includesStrangers(proxy: string): boolean {
  if (isIP(proxy) !== 0) return false;
  const [address, prefix] = ipaddr.parseCIDR(proxy);
  if (address instanceof ipaddr.IPv4) return prefix < shortestPrefix.ipv4;
  const isRepeated = repeated.some(
    ([base, bits]) => address.match(base, Math.min(prefix, bits)) && prefix < bits + shortestPrefix.ipv4,
  );
  return isRepeated || prefix < (privatePrefixes[address.range()] ?? shortestPrefix.ipv6);
}

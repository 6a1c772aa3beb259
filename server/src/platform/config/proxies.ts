import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { ConfigError, read, type Environment } from './values.ts';

const names = ['loopback', 'linklocal', 'uniquelocal'];
/** No operator owns more than this much of the internet. */
const shortestPrefix = { ipv4: 8, ipv6: 16 };
const privateRanges = ['loopback', 'uniqueLocal', 'linkLocal'];
const shortestPrivatePrefix = 7;
/** Where IPv6 repeats all IPv4 addresses. */
const mapped = ipaddr.IPv6.parse('::ffff:0:0');
const mappedPrefix = 96;

/** The proxies whose `X-Forwarded-For` is believed; throws `ConfigError` for networks that strangers are in. */
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
    if (includesStrangers(proxy)) {
      throw new ConfigError(
        `TRUSTED_PROXIES would trust much of the internet with "${proxy}", so that anyone could claim any address: name your proxies alone.`,
      );
    }
  }
  return proxies;
}

function isNetwork(text: string): boolean {
  return isIP(text) !== 0 || ipaddr.IPv4.isValidCIDRFourPartDecimal(text) || ipaddr.IPv6.isValidCIDR(text);
}

function includesStrangers(proxy: string): boolean {
  if (isIP(proxy) !== 0) return false;
  const [address, prefix] = ipaddr.parseCIDR(proxy);
  if (address instanceof ipaddr.IPv4) return prefix < shortestPrefix.ipv4;
  if (address.match(mapped, Math.min(prefix, mappedPrefix))) return prefix < mappedPrefix + shortestPrefix.ipv4;
  return prefix < (privateRanges.includes(address.range()) ? shortestPrivatePrefix : shortestPrefix.ipv6);
}

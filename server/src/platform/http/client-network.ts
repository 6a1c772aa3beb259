import proxyAddress from '@fastify/proxy-addr';
import ipaddr from 'ipaddr.js';

/**
 * The address in an entry of `X-Forwarded-For` or of a connection, as text without port, brackets and quotation marks;
 * null if there is none. Some proxies write `203.0.113.7:51234`, `[2001:db8::1]:51234` or either in quotation marks.
 */
function addressIn(entry: string): string | null {
  const text = entry.trim().replace(/^"(.*)"$/, '$1');
  const address = /^\[(.+)\](?::\d*)?$/.exec(text)?.[1] ?? /^([\d.]+):\d*$/.exec(text)?.[1] ?? text;
  return ipaddr.IPv4.isValidFourPartDecimal(address) || ipaddr.IPv6.isValid(address) ? address : null;
}

/** Returns whether an address, in any form that proxies write, is one of the trusted proxies. */
export function trustIn(proxies: readonly string[]): (entry: string) => boolean {
  const isTrusted = proxyAddress.compile([...proxies]);
  // The position matters only to functions that count proxies.
  return (entry) => isTrusted(addressIn(entry) ?? '', 0);
}

export const unknownNetwork = 'unknown';

/**
 * The network of a client, as limits count it: /24 for IPv4, /56 for IPv6; `unknown` if `entry` contains no address.
 */
export function networkOf(entry: string): string {
  const address = addressIn(entry);
  if (address === null) return unknownNetwork;
  // Includes the IPv4 address in an IPv6 one.
  const ip = ipaddr.process(address);
  if (ip instanceof ipaddr.IPv4) return `${ip.octets.slice(0, 3).join('.')}.0/24`;
  const [first = 0, second = 0, third = 0, fourth = 0] = ip.parts;
  return `${[first, second, third, fourth & 0xff00].map((group) => group.toString(16)).join(':')}::/56`;
}

/** The client as limits count it if others in its network should not be affected: the address for IPv4, the /56 for IPv6. */
export function clientOf(entry: string): string {
  const network = networkOf(entry);
  return network.endsWith('/24') ? ipaddr.process(addressIn(entry) ?? '').toString() : network;
}

/** The smallest network that one owner of a `networkOf` network has: providers and hosts give a whole /48 for IPv6. */
export const ownerNetwork = (network: string): string =>
  network.replace(/^([\da-f]+:[\da-f]+:[\da-f]+):[\da-f]+::\/56$/, '$1::/48');

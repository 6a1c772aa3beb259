import { isIP } from 'node:net';

/** The network an address belongs to, as limits count it: /24 of IPv4, /56 of IPv6. */
export function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address;
  if (isIP(mapped) === 4) return `${mapped.split('.').slice(0, 3).join('.')}.0/24`;
  if (isIP(mapped) !== 6) return 'unknown';
  const groups = expandIpv6(mapped);
  const fourth = (groups[3] ?? 0) & 0xff00;
  return `${[...groups.slice(0, 3), fourth].map((group) => group.toString(16)).join(':')}::/56`;
}

function expandIpv6(address: string): number[] {
  const [head = '', tail] = (address.split('%')[0] ?? '').split('::');
  const read = (part: string) => (part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16) || 0));
  const left = read(head);
  const right = tail === undefined ? [] : read(tail);
  return [...left, ...Array.from({ length: Math.max(0, 8 - left.length - right.length) }, () => 0), ...right];
}

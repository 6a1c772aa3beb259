import ipaddr from 'ipaddr.js';
import { ConfigError, oneOf, read, type Environment } from './values.ts';

/** Whether only this machine can reach a server that listens on `host`. */
export const isLoopback = (host: string) => host === 'localhost' || rangeOf(host) === 'loopback';

/** Whether a public URL points to this machine; any other one means real members. Null if it is not set. */
export const isLocal = (url: string | null) =>
  url === null || /^(localhost|127\.\d+\.\d+\.\d+|\[::1\]|.*\.test)$/.test(new URL(url).hostname);

/**
 * Whether a request's Host can only be ours: this machine, an IP address, or the host of the public URL. Any other name
 * may belong to a page that points its own name at this machine, and whose scripts would read the answer.
 */
export function isOwnHost(host: string | undefined, publicUrl: string): boolean {
  const url = URL.parse(`http://${host ?? ''}`);
  if (url === null || host === undefined) return false;
  return isLoopback(url.hostname) || rangeOf(url.hostname) !== null || url.hostname === new URL(publicUrl).hostname;
}

const privateRanges = ['loopback', 'private', 'uniqueLocal', 'linkLocal', 'carrierGradeNat'];
const privateNames = /^[^.]*$|\.(localhost|internal|local|test)$/;

/** Whether a host is in a private network: names without a dot and those for private use are resolved only there. */
export function isPrivate(host: string): boolean {
  const range = rangeOf(host);
  return range === null ? privateNames.test(host) : privateRanges.includes(range);
}

function rangeOf(host: string): string | null {
  const bare = host.replace(/^\[|\]$/g, '');
  return ipaddr.isValid(bare) ? ipaddr.process(bare).range() : null;
}

const https = { use: 'https://', isEncrypted: ({ protocol }: URL) => protocol === 'https:' };
// node-postgres encrypts only on request, and in some modes doesn't verify the certificate, which would allow
// eavesdropping.
const database = {
  use: '?sslmode=verify-full',
  isEncrypted: ({ searchParams }: URL) => {
    // The reader of the address accepts no weaker mode beside it.
    if (searchParams.get('sslrootcert') === 'system') return true;
    const mode = searchParams.get('sslmode');
    if (mode === null) return /^(true|1)$/.test(searchParams.get('ssl') ?? '');
    const checked =
      searchParams.get('uselibpqcompat') === 'true' ? /^verify-/ : /^(prefer|require|verify-ca|verify-full)$/;
    return checked.test(mode);
  },
};
/** Each variable with a URL, how to encrypt its connection, and how to see whether it is encrypted. */
const connections: Record<string, { use: string; isEncrypted: (url: URL) => boolean }> = {
  PUBLIC_URL: https,
  API_BASE_URL: https,
  S3_ENDPOINT: https,
  MODERATION_URL: https,
  PAGER_URL: https,
  AGE_PROVIDER: https,
  SMTP_URL: {
    use: 'smtps:// or ?requireTLS=true',
    isEncrypted: ({ protocol, searchParams }) =>
      (protocol === 'smtps:' || searchParams.get('requireTLS') === 'true') &&
      searchParams.get('tls.rejectUnauthorized') !== 'false',
  },
  REDIS_URL: { use: 'rediss://', isEncrypted: ({ protocol }) => protocol === 'rediss:' },
  DATABASE_URL: database,
  DATABASE_OWNER_URL: database,
  DATABASE_DIRECT_URL: database,
  DATABASE_READ_URL: database,
};

export const allowsClearText = (env: Environment): boolean =>
  oneOf(env, 'ALLOW_CLEAR_TEXT', ['on', 'off'], 'off') === 'on';

/**
 * Throws `ConfigError` for the first URL outside this machine and private networks whose connection is not encrypted,
 * unless `ALLOW_CLEAR_TEXT` is on. Other readers check values that are not URLs.
 */
export function refuseClearText(env: Environment): void {
  if (allowsClearText(env)) return;
  const given = Object.entries(connections).flatMap(([name, connection]) => {
    const value = read(env, name) ?? '';
    return (name === 'DATABASE_READ_URL' ? value.split(',') : [value]).map((text) => ({ name, text, ...connection }));
  });
  for (const { name, text, use, isEncrypted } of given) {
    const url = URL.parse(text.trim());
    if (url === null || isEncrypted(url)) continue;
    // A database host may be given as a parameter; a path means a socket on this machine.
    const host = url.searchParams.get('host') ?? url.hostname;
    if (host.startsWith('/') || isPrivate(host)) continue;
    throw new ConfigError(
      `${name} is not encrypted, or doesn't check the certificate, and its host is not in a private network. Use ${use}, or set ALLOW_CLEAR_TEXT=on.`,
    );
  }
}

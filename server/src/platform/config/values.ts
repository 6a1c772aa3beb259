import { StartError } from '../process/lifecycle.ts';

/** An environment variable that prevents the server from starting; the message is one sentence that names it. */
export class ConfigError extends StartError {
  override name = 'ConfigError';
}

/** The error for a setting that is meant for development. */
export function refusedInProduction(setting: string, why: string): ConfigError {
  return new ConfigError(`${setting} is refused when NODE_ENV is production: ${why}.`);
}

export type Environment = NodeJS.ProcessEnv;

/** A variable's value without surrounding spaces; an empty value counts as unset. */
export function read(env: Environment, name: string): string | undefined {
  const value = env[name]?.trim();
  return value === '' ? undefined : value;
}

/** A secret with at least `minLength` characters, or null if unset; the message never contains it. */
export function secretValue(env: Environment, name: string, minLength: number): string | null {
  const value = read(env, name);
  return value === undefined ? null : longEnough(name, value, minLength);
}

/**
 * The secret, or one of several in a variable, if it has at least `minLength` characters; the message never contains
 * it.
 */
export function longEnough(name: string, secret: string, minLength: number): string {
  if (secret.length < minLength)
    throw new ConfigError(`${name} must have at least ${minLength} characters, but has ${secret.length}.`);
  return secret;
}

/** One of the allowed words, or the fallback if unset. */
export function oneOf<const T extends string>(env: Environment, name: string, allowed: readonly T[], fallback: T): T {
  const value = read(env, name);
  if (value === undefined) return fallback;
  const found = allowed.find((candidate) => candidate === value);
  if (found === undefined) throw new ConfigError(`${name} must be one of ${allowed.join(', ')}, but is "${value}".`);
  return found;
}

/** An integer within its bounds, or the fallback if unset. */
export function wholeNumber(
  env: Environment,
  name: string,
  { fallback, min, max }: Record<'fallback' | 'min' | 'max', number>,
): number {
  const value = read(env, name);
  if (value === undefined) return fallback;
  const parsed = /^\d{1,15}$/.test(value) ? Number(value) : Number.NaN;
  if (!(parsed >= min && parsed <= max))
    throw new ConfigError(`${name} must be a whole number from ${min} to ${max}, but is "${value}".`);
  return parsed;
}

/** An absolute URL, or null if unset; the message never contains it, because it may include a password. */
export function address(env: Environment, name: string, protocols: readonly string[]): string | null {
  const value = read(env, name);
  if (value === undefined) return null;
  const begins = protocols.map((protocol) => `${protocol}//`).join(' or ');
  refuseUnencoded(name, value, protocols);
  if (!isAddress(value, protocols)) throw new ConfigError(`${name} must be an address that begins with ${begins}.`);
  return value;
}

/** Like `address`, but for any number of URLs separated by commas. */
export function addresses(env: Environment, name: string, protocols: readonly string[]): string[] {
  const values = (read(env, name) ?? '').split(',').flatMap((value) => value.trim() || []);
  const begins = protocols.map((protocol) => `${protocol}//`).join(' or ');
  for (const value of values) refuseUnencoded(name, value, protocols);
  if (!values.every((value) => isAddress(value, protocols)))
    throw new ConfigError(`${name} must be addresses that begin with ${begins}, with commas between them.`);
  return values;
}

/** URL parameters that may contain an @. */
const freeParameters = /^(user|password|host|options|application_name)=/;

/**
 * Whether a character in the user name or password splits a URL in the wrong place: the rest of the password would
 * count as the name of the host or the database, and messages would contain it.
 */
function isSplit(value: string): boolean {
  const [, rest = ''] = /^[a-z]+:\/\/(.*)$/s.exec(value) ?? [];
  const [authority = ''] = /^[^/?]*/.exec(rest) ?? [];
  const [path = '', ...query] = rest.slice(authority.length).split('?');
  const parameters = query.join('?').split('&');
  // If the URL contains a space, the driver encodes all of it, which breaks what is already encoded.
  const isHalfEncoded = value.includes(' ') && value.includes('%');
  return (
    isHalfEncoded ||
    value.includes('#') ||
    path.includes('@') ||
    parameters.some((parameter) => parameter.includes('@') && !freeParameters.test(parameter))
  );
}

function refuseUnencoded(name: string, value: string, protocols: readonly string[]): void {
  const hasUser = !protocols.includes('http:') && !protocols.includes('https:');
  if (!hasUser || !protocols.some((protocol) => value.startsWith(`${protocol}//`))) return;
  if (isSplit(value) || !isDecodable(value)) {
    throw new ConfigError(
      `${name} cannot be read: in its user and password, write % as %25, / as %2F, ? as %3F, # as %23, @ as %40 and a space as %20.`,
    );
  }
  if (severalHosts.test(value))
    throw new ConfigError(`${name} must name one host, not several with commas between them.`);
}

/** Commas after the user and password, or in the parameter that names a host. Only libpq tries several hosts in turn. */
const severalHosts = /^[a-z]+:\/\/(?:[^/?]*@|(?![^/?]*@))[^/?@]*,|[?&]host=[^&]*(?:,|%2c)/i;

function isDecodable(value: string): boolean {
  try {
    decodeURIComponent(value);
    return true;
  } catch {
    return false;
  }
}

/**
 * The scheme, host and port of a URL, or null if unset. Throws if the URL has any other part, which would be lost when
 * a path is appended.
 */
export function origin(env: Environment, name: string, protocols: readonly string[]): string | null {
  const value = address(env, name, protocols);
  const url = value === null ? null : new URL(value);
  if (value === null || url === null) return null;
  if (url.pathname.replace(/^\/+$/, '') !== '' || /[?#@\\]/.test(value))
    throw new ConfigError(
      `${name} must be a scheme and a host, with a port if needed, such as https://example.org: without a path, a query, a # or a user name.`,
    );
  return url.origin;
}

/**
 * Like `address`, for a URL that paths are appended to: without a user name, a query or a #, and without a trailing
 * slash.
 */
export function baseAddress(env: Environment, name: string, protocols: readonly string[]): string | null {
  const value = address(env, name, protocols);
  if (value === null) return null;
  if (/[?#@\\]/.test(value)) throw new ConfigError(`${name} must be a URL without a user name, a ? or a #.`);
  return withoutTrailingSlash(new URL(value).href);
}

const isAddress = (value: string, protocols: readonly string[]) => protocols.includes(URL.parse(value)?.protocol ?? '');

/** How people can contact the operator, as a mailto: or https: URL, or null if unset. */
export function contact(env: Environment, name: string): string | null {
  const value = read(env, name);
  if (value === undefined) return null;
  if (!/^(mailto:[^@\s]+@[^@\s]+|https:\/\/\S+)$/.test(value))
    throw new ConfigError(`${name} must begin with mailto: or https://.`);
  return value;
}

/** The sender of emails; the name may be empty. */
export interface Mailbox {
  name: string;
  /** In ASCII. */
  address: string;
}

const nameMaxLength = 100;
const localPart = /^[\w!#$%&'*+/=?^`{|}~-]+(\.[\w!#$%&'*+/=?^`{|}~-]+)*$/;
const domainName = /^[\p{L}\p{M}\p{N}.-]{1,253}$/u;

/** Parses `name@host` or `Name <name@host>`, where the name may be in quotes; null if unset. */
export function mailbox(env: Environment, name: string): Mailbox | null {
  const value = read(env, name);
  if (value === undefined) return null;
  const [, given = '', bracketed] = /^([^<>]*)<([^<>]*)>$/.exec(value) ?? [];
  const address = bracketed ?? value;
  const [local = '', domain = '', ...more] = address.split('@');
  const host = domainName.test(domain) ? URL.parse(`http://${domain}`)?.hostname : undefined;
  if (host === undefined || !localPart.test(local) || more.length > 0 || /\p{Cc}/u.test(value))
    throw new ConfigError(
      `${name} must be one mail address, as in hello@example.org or Heartwood <hello@example.org>.`,
    );
  const unquoted = /^"(.*)"$/.exec(given.trim())?.[1]?.replaceAll(/\\(.)/g, '$1') ?? given.trim();
  if ([...unquoted].length > nameMaxLength)
    throw new ConfigError(`${name} may have a name of at most ${nameMaxLength} characters before its address.`);
  return { name: unquoted, address: `${local}@${host}` };
}

/** Like `mailbox`, but for any number of addresses separated by commas. */
export function mailboxes(env: Environment, name: string): Mailbox[] {
  const values = (read(env, name) ?? '').split(',').flatMap((value) => value.trim() || []);
  return values.flatMap((value) => mailbox({ [name]: value }, name) ?? []);
}

/** A URL or path without a trailing slash, so that paths can be appended. */
export function withoutTrailingSlash(url: string): string {
  return url.replace(/\/+$/, '');
}

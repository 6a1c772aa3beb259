import { existsSync } from 'node:fs';
import { readAddress } from '../db/connection.ts';
import { address, addresses, ConfigError, oneOf, read, wholeNumber, type Environment } from './values.ts';

const protocols = ['postgres:', 'postgresql:'];

/** Where Debian and others keep the certificates that the system trusts; libpq trusts none by default. */
export const systemCertificates = '/etc/ssl/certs/ca-certificates.crt';

export function readDatabase(env: Environment) {
  const given = address(env, 'DATABASE_URL', protocols);
  const databaseUrl = given === null ? null : usable('DATABASE_URL', given);
  return {
    /** Null for the embedded database. */
    databaseUrl,
    /**
     * The URL for the role that owns and migrates the tables. Serving processes don't receive it; their own role then
     * only checks the tables, or migrates them if it owns them.
     */
    databaseOwnerUrl: readOtherDatabase(env, 'DATABASE_OWNER_URL', databaseUrl),
    /** The same database without a pooler in between, for listening, locking and migrating; null to use `databaseUrl`. */
    databaseDirectUrl: readOtherDatabase(env, 'DATABASE_DIRECT_URL', databaseUrl),
    /** Streaming replicas, one URL each, for reads that may be two seconds old. */
    databaseReadUrls: readReplicas(env, databaseUrl),
    /** False for a pooler that uses another connection for each transaction and doesn't support prepared statements. */
    preparedStatements: oneOf(env, 'PREPARED_STATEMENTS', ['on', 'off'], 'on') === 'on',
    /** The number of connections that serve requests, and when the server cancels a statement or a lock wait. */
    databasePool: readDatabasePool(env),
  };
}

/** Reads a URL for the database of `DATABASE_URL` through another route or as another role. */
function readOtherDatabase(env: Environment, name: string, databaseUrl: string | null): string | null {
  const other = address(env, name, protocols);
  if (other !== null && databaseUrl === null) throw new ConfigError(`${name} is set, but DATABASE_URL is not.`);
  return other === null ? null : usable(name, other);
}

function readReplicas(env: Environment, databaseUrl: string | null): string[] {
  const urls = addresses(env, 'DATABASE_READ_URL', protocols);
  if (urls.length > 0 && databaseUrl === null)
    throw new ConfigError('DATABASE_READ_URL is set, but DATABASE_URL is not.');
  return urls.map((url) => usable('DATABASE_READ_URL', url));
}

/** The URL as the driver can read it, which reads the certificates that it names; a `ConfigError` says why it can't. */
function usable(name: string, given: string): string {
  const url = withSystemCertificates(name, given);
  try {
    readAddress(url);
  } catch (error) {
    throw new ConfigError(`${name} cannot be used: ${(error as Error).message}`);
  }
  return url;
}

/** Only libpq knows `sslrootcert=system`. Like libpq, it verifies everything and refuses less. */
function withSystemCertificates(name: string, given: string): string {
  const url = new URL(given);
  if (url.searchParams.get('sslrootcert') !== 'system') return given;
  if ((url.searchParams.get('sslmode') ?? 'verify-full') !== 'verify-full')
    throw new ConfigError(`${name} has sslrootcert=system, which needs sslmode=verify-full.`);
  url.searchParams.set('sslmode', 'verify-full');
  // Otherwise the driver trusts the same authorities as browsers.
  if (existsSync(systemCertificates)) url.searchParams.set('sslrootcert', systemCertificates);
  else url.searchParams.delete('sslrootcert');
  return url.href;
}

/** Without a lock timeout, none is requested when connecting, because a pooler may refuse unknown settings. */
function readDatabasePool(env: Environment) {
  const statementTimeoutMs = wholeNumber(env, 'DATABASE_STATEMENT_TIMEOUT_MS', {
    fallback: 8000,
    min: 1000,
    max: 60_000,
  });
  return {
    size: wholeNumber(env, 'DATABASE_POOL_SIZE', { fallback: 20, min: 2, max: 500 }),
    statementTimeoutMs,
    lockTimeoutMs:
      read(env, 'DATABASE_LOCK_TIMEOUT_MS') === undefined
        ? null
        : wholeNumber(env, 'DATABASE_LOCK_TIMEOUT_MS', { fallback: 0, min: 100, max: statementTimeoutMs }),
  };
}

import { address, addresses, ConfigError, oneOf, read, wholeNumber, type Environment } from './values.ts';

export interface DatabaseConfig {
  /** Null for the embedded database. */
  databaseUrl: string | null;
  /**
   * The URL for the role that owns and migrates the tables. Serving processes don't receive it; their own role then
   * only checks the tables, or migrates them if it owns them.
   */
  databaseOwnerUrl: string | null;
  /** The same database without a pooler in between, for listening, locking and migrating; null to use `databaseUrl`. */
  databaseDirectUrl: string | null;
  /** Streaming replicas, one URL each, for reads that may be two seconds old. */
  databaseReadUrls: string[];
  /** False for a pooler that uses another connection for each transaction and doesn't support prepared statements. */
  preparedStatements: boolean;
  /** The number of connections that serve requests, and when the server cancels a statement or a lock wait. */
  databasePool: { size: number; statementTimeoutMs: number; lockTimeoutMs: number | null };
}

const protocols = ['postgres:', 'postgresql:'];

export function readDatabase(env: Environment): DatabaseConfig {
  const databaseUrl = address(env, 'DATABASE_URL', protocols);
  return {
    databaseUrl,
    databaseOwnerUrl: readOtherDatabase(env, 'DATABASE_OWNER_URL', databaseUrl),
    databaseDirectUrl: readOtherDatabase(env, 'DATABASE_DIRECT_URL', databaseUrl),
    databaseReadUrls: readReplicas(env, databaseUrl),
    preparedStatements: oneOf(env, 'PREPARED_STATEMENTS', ['on', 'off'], 'on') === 'on',
    databasePool: readDatabasePool(env),
  };
}

/** Reads a URL for the database of `DATABASE_URL` through another route or as another role. */
function readOtherDatabase(env: Environment, name: string, databaseUrl: string | null): string | null {
  const other = address(env, name, protocols);
  if (other !== null && databaseUrl === null) throw new ConfigError(`${name} is set, but DATABASE_URL is not.`);
  return other;
}

function readReplicas(env: Environment, databaseUrl: string | null): string[] {
  const urls = addresses(env, 'DATABASE_READ_URL', protocols);
  if (urls.length > 0 && databaseUrl === null)
    throw new ConfigError('DATABASE_READ_URL is set, but DATABASE_URL is not.');
  return urls;
}

/** Without a lock timeout, none is requested when connecting, because a pooler may refuse unknown settings. */
function readDatabasePool(env: Environment): DatabaseConfig['databasePool'] {
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

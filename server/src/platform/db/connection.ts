import pg from 'pg';

/**
 * The settings that our statements and the driver rely on, whatever the defaults of the database, the role or the
 * server are. `set_config` would fail for a setting that only newer servers have, so those are set only where they
 * exist.
 */
const reliedOn: Record<string, string> = {
  search_path: 'public',
  datestyle: 'ISO, MDY',
  intervalstyle: 'postgres',
  timezone: 'UTC',
  bytea_output: 'hex',
  extra_float_digits: '1',
  standard_conforming_strings: 'on',
  transform_null_equals: 'off',
  array_nulls: 'on',
  default_transaction_isolation: 'read committed',
  default_transaction_read_only: 'off',
  idle_session_timeout: '0',
  transaction_timeout: '0',
};

/**
 * Settings that a pooler keeps for each client. In transaction mode, all other settings only reach the connection that
 * is used at that moment.
 */
const keptByPoolers = ['datestyle', 'intervalstyle', 'timezone', 'standard_conforming_strings'];
/** Settings that affect answers, which the role itself must have behind a pooler. */
const neededBehindPoolers = Object.keys(reliedOn).filter(
  (name) => !keptByPoolers.includes(name) && !name.endsWith('_timeout'),
);

/** A command line tool or a migration may take as long as it needs, whatever limits its role has. */
const unlimited: Record<string, string> = {
  statement_timeout: '0',
  lock_timeout: '0',
  idle_in_transaction_session_timeout: '0',
};

const setAll = (settings: Record<string, string>) =>
  `select ${Object.entries(settings)
    .map(([name, value]) =>
      name === 'transaction_timeout'
        ? `case when current_setting('${name}', true) is not null then set_config('${name}', '${value}', false) end`
        : `set_config('${name}', '${value}', false)`,
    )
    .join(', ')}`;
const settled = setAll(reliedOn);
const settledWithoutLimits = setAll({ ...reliedOn, ...unlimited });

const connectTimeoutMs = 10_000;

/**
 * Applies the settings that we rely on to a new connection of a pool. They are sent as a statement instead of
 * connection options, because poolers refuse unknown options.
 */
export async function settleConnection(client: pg.ClientBase, timeoutMs: number): Promise<void> {
  await settle(client, settled, timeoutMs);
}

async function settle(client: pg.ClientBase, text: string, timeoutMs: number): Promise<void> {
  const query: pg.QueryConfig & { query_timeout: number } = { text, query_timeout: timeoutMs };
  await client.query(query).catch((error: unknown) => {
    // The same message as the driver's when the server doesn't answer at all.
    throw error instanceof pg.DatabaseError
      ? error
      : new Error('timeout exceeded when trying to connect', { cause: error });
  });
}

/**
 * Runs `work` on a separate connection, with the settings that we rely on and without time limits, and closes it
 * afterwards.
 */
export async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = await openClient(url);
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** The parts of a database's URL, as the driver reads them. */
export function readAddress(url: string): Record<'host' | 'port' | 'user' | 'password' | 'database', string> {
  const { host, port, user = '', password, database = '' } = new pg.Client({ connectionString: url });
  return { host, port: String(port), user, password: password ?? '', database };
}

/** The database that a URL points to and its host, without user and password. */
export function placeInWords(url: string): string {
  const { database, host, port } = readAddress(url);
  return `${database} at ${host}:${port}`;
}

/** A separate connection, as for `withClient`; the caller closes it. */
export async function openClient(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: connectTimeoutMs });
  client.on('error', () => undefined);
  await client.connect();
  try {
    await settle(client, settledWithoutLimits, connectTimeoutMs);
    return client;
  } catch (error) {
    await client.end().catch(() => undefined);
    throw error;
  }
}

/**
 * The settings that a role's connections need by default behind a pooler but don't have, each as the end of an `alter
 * role … set` statement. `client` is a connection without our settings.
 */
export async function missingBehindPooler(client: pg.ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ name: string; value: string; path: string }>(
    `select name, setting as value, current_schemas(false)::text as path from pg_settings where lower(name) = any ($1)`,
    [neededBehindPoolers],
  );
  return rows
    .filter(({ name, value, path }) => (name === 'search_path' ? path !== '{public}' : value !== reliedOn[name]))
    .map(({ name }) => `${name} = '${reliedOn[name]}'`)
    .sort();
}

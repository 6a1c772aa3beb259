import pg from 'pg';
import { StartError } from '../process/start-error.ts';

const oldestMajor = 15;
const connectTimeoutMs = 10_000;
const codes = {
  wrongPassword: ['28P01', '28000'],
  noDatabase: '3D000',
  noAnswer: ['ECONNREFUSED', 'ECONNRESET', 'ENOENT', 'EHOSTUNREACH', 'ENETUNREACH', 'ETIMEDOUT'],
  noHost: ['ENOTFOUND', 'EAI_AGAIN'],
};

/**
 * Throws a `StartError` when the database server at `url` cannot be reached, is too old, or, in production, acknowledges
 * writes that a crash would lose.
 */
export async function checkDatabase(url: string, options: { production: boolean }): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: connectTimeoutMs });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<Server>(
      `select current_setting('server_version_num')::int as version, current_setting('fsync') as fsync,
         current_setting('synchronous_commit') as "synchronousCommit"`,
    );
    const server = rows[0];
    if (server !== undefined) judge(server, options.production);
  } catch (error) {
    throw error instanceof StartError ? error : new StartError(inWords(error, client));
  } finally {
    await client.end().catch(() => undefined);
  }
}

interface Server {
  version: number;
  fsync: string;
  synchronousCommit: string;
}

/** Throws a `StartError` for an unsupported database server. */
export function judge(server: Server, production: boolean): void {
  const major = Math.floor(server.version / 10_000);
  if (major < oldestMajor)
    throw new StartError(`The database is PostgreSQL ${major}, but ${oldestMajor} or newer is needed.`);
  const off = server.fsync === 'off' ? 'fsync' : server.synchronousCommit === 'off' ? 'synchronous_commit' : null;
  if (production && off !== null) {
    throw new StartError(
      `The database has ${off} turned off, so a crash would lose acknowledged writes. Turn it on for production.`,
    );
  }
}

function inWords(error: unknown, client: pg.Client): string {
  const { code = '', message } = error as Error & { code?: string };
  const server = `${client.host}:${client.port}`;
  if (codes.noHost.includes(code)) return `The host ${client.host} in DATABASE_URL cannot be found.`;
  if (codes.noAnswer.includes(code)) return `No database answers at ${server}, the address in DATABASE_URL.`;
  if (codes.wrongPassword.includes(code))
    return `The database at ${server} rejected the user or password in DATABASE_URL.`;
  if (code === codes.noDatabase)
    return `The server at ${server} has no database "${client.database}". Create it, or correct DATABASE_URL.`;
  return `The database at ${server} (DATABASE_URL) cannot be used: ${message}.`;
}

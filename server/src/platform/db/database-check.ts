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
 * Refuses, with a `StartError` in words, a server that cannot be reached at `url`, is older than the product needs, or, in
 * production, acknowledges what a crash would lose.
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

/** Throws a `StartError` for a server the product must not run on. */
export function judge(server: Server, production: boolean): void {
  const major = Math.floor(server.version / 10_000);
  if (major < oldestMajor)
    throw new StartError(`The database is PostgreSQL ${major}, but ${oldestMajor} or newer is needed.`);
  const off = server.fsync === 'off' ? 'fsync' : server.synchronousCommit === 'off' ? 'synchronous_commit' : null;
  if (production && off !== null) {
    throw new StartError(
      `The database has ${off} switched off, so a crash would lose what was acknowledged: switch it on for production.`,
    );
  }
}

function inWords(error: unknown, client: pg.Client): string {
  const { code = '', message } = error as Error & { code?: string };
  const server = `${client.host}:${client.port}`;
  if (codes.noHost.includes(code)) return `DATABASE_URL names the host ${client.host}, which cannot be found.`;
  if (codes.noAnswer.includes(code)) return `DATABASE_URL names ${server}, where no database answers.`;
  if (codes.wrongPassword.includes(code))
    return `The database at ${server} refuses the user or the password of DATABASE_URL.`;
  if (code === codes.noDatabase)
    return `The server at ${server} has no database "${client.database}": create it, or correct DATABASE_URL.`;
  return `The database at ${server} (DATABASE_URL) cannot be used: ${message}.`;
}

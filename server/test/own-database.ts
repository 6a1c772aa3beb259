import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { adminUrl } from './harness.ts';

const { escapeIdentifier, escapeLiteral } = pg;

/**
 * A database as an operator might have created it. In each statement, `@` is replaced by its name and `#` by its role.
 */
export interface OwnDatabase {
  /** Options of `create database`, such as its locale. */
  options?: string;
  /** Statements that the server's administrator runs in the database `heartwood` once database and role exist. */
  asServer?: string[];
  /** Statements that the owner runs in the new database. */
  inside?: string[];
  password?: string;
  /** False if the role doesn't own the database. */
  isOwner?: boolean;
}

export interface MadeDatabase {
  url: string;
  role: string;
  /** The relations and schemas that it contains besides PostgreSQL's own. */
  contents(): Promise<string[]>;
  /** Runs statements in it as the administrator. */
  run(statements: string[]): Promise<void>;
  drop(): Promise<void>;
}

async function run(url: string, statements: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}

/** Creates a role and a database on the tests' server. */
export async function makeDatabase(own: OwnDatabase): Promise<MadeDatabase> {
  const { options = `encoding 'UTF8'`, asServer = [], inside = [], password = 'plain', isOwner = true } = own;
  const name = `own_${randomBytes(6).toString('hex')}`;
  const [database, role] = [escapeIdentifier(name), escapeIdentifier(`${name}_role`)];
  const filled = (statements: string[]) =>
    statements.map((statement) => statement.replaceAll('@', database).replaceAll('#', role));
  const adminsUrl = addressOf(adminUrl(), name);
  await run(adminUrl(), [
    `create role ${role} login password ${escapeLiteral(password)}`,
    `grant ${role} to current_user`,
    `create database ${database} template template0 ${options} ${isOwner ? `owner ${role}` : ''}`,
    ...filled(asServer),
  ]);
  await run(adminsUrl, filled(inside));
  return {
    url: addressOf(adminUrl(), name, { user: `${name}_role`, password: encodeURIComponent(password) }),
    role: `${name}_role`,
    run: (statements) => run(adminsUrl, filled(statements)),
    contents: () => contentsOf(adminsUrl),
    drop: () => run(adminUrl(), [`drop database ${database} with (force)`, `drop role ${role}`]),
  };
}

function addressOf(server: string, database: string, as?: { user: string; password: string }): string {
  const url = new URL(server);
  url.pathname = `/${database}`;
  if (as !== undefined) [url.username, url.password] = [as.user, as.password];
  return url.href;
}

async function contentsOf(url: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string }>(
      `select nspname || '.' || relname as name from pg_class c join pg_namespace n on n.oid = relnamespace
         where nspname !~ '^pg_|^information_schema$'
       union select nspname from pg_namespace where nspname !~ '^pg_|^information_schema$'
       union select extname from pg_extension order by 1`,
    );
    return rows.map(({ name }) => name);
  } finally {
    await client.end();
  }
}

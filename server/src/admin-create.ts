import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { parseArgs } from 'node:util';
import { emailSchema } from '#contract/session.ts';
import { staffPasswordMinLength } from '#contract/constants.ts';
import { staffRoleSchema } from '#contract/user.ts';
import { createStaff } from './features/auth/auth.staff.service.ts';
import { AppError } from './platform/app-error.ts';
import { systemClock } from './platform/clock.ts';
import { ConfigError } from './platform/config-values.ts';
import { readConfig } from './platform/config.ts';
import { createDb, createPool } from './platform/db.ts';
import { createLog } from './platform/log.ts';
import { migrateJobs } from './platform/jobs.ts';
import { migrate } from './platform/migrate.ts';
import { joinDatabase } from './platform/open-database.ts';
import { StartError } from './platform/start-error.ts';

const usage = 'Use: npm run admin:create -- --email ADDRESS [--role admin|moderator]';

/** One line of standard input; typed at a terminal it is not shown. */
async function readPassword(): Promise<string> {
  const isTerminal = process.stdin.isTTY;
  if (isTerminal) process.stdout.write(`Password (${staffPasswordMinLength} characters or more): `);
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: silent, terminal: isTerminal });
  for await (const line of lines) {
    lines.close();
    if (isTerminal) process.stdout.write('\n');
    return line;
  }
  return '';
}

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { email: { type: 'string' }, role: { type: 'string', default: 'admin' } } });
  const email = emailSchema.safeParse(values.email ?? '');
  const role = staffRoleSchema.safeParse(values.role);
  if (!email.success) throw new StartError(`${values.email ?? 'Nothing'} is not an e-mail address. ${usage}`);
  if (!role.success) throw new StartError(`There is no role ${values.role}. ${usage}`);
  const config = readConfig();
  const password = await readPassword();
  const database = await joinDatabase(config, createLog('silent'));
  try {
    await migrate(database.url);
    const pool = createPool(database.url);
    await migrateJobs(pool);
    await createStaff(createDb(pool), { email: email.data, password, role: role.data }, systemClock.now());
    await pool.end();
    process.stdout.write(
      `${role.data === 'admin' ? 'Administrator' : 'Moderator'} ${email.data} can sign in at ${config.publicUrl}/login\n`,
    );
  } finally {
    await database.close();
  }
}

try {
  await main();
} catch (error) {
  const known = error instanceof StartError || error instanceof ConfigError || error instanceof AppError;
  const isUsage = (error as { code?: string }).code?.startsWith('ERR_PARSE_ARGS') === true;
  process.stderr.write(
    known ? `${error.message}\n` : isUsage ? `${usage}\n` : `The account could not be made: ${String(error)}\n`,
  );
  process.exit(1);
}

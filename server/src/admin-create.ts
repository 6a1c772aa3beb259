import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { parseArgs } from 'node:util';
import { emailSchema } from '#contract/text.ts';
import { staffPasswordMinLength } from '#contract/constants.ts';
import { roleNames } from '#contract/roles.ts';
import { staffRoles, staffRoleSchema } from '#contract/staff-roles.ts';
import { resetByOperator, createStaff } from './features/auth/staff.ts';
import { systemClock } from '#platform/process/clock.ts';
import { readConfig } from '#platform/config/config.ts';
import { AppError } from '#platform/http/app-error.ts';
import { nameOfDatabase, requireDatabase, withDatabase } from './open-database.ts';
import { type Installation, type Command, runCommand } from './run-command.ts';
import { StartError } from '#platform/process/lifecycle.ts';
import { textOf } from '#platform/texts.ts';

const usage = `Use: npm run admin:create -- --email ADDRESS [--role ${staffRoles.join('|')} | --reset-factor]`;

/** Reads one line from standard input; a terminal does not show it while typing. */
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

async function main({ embedded }: Installation): Promise<void> {
  const { values } = parseArgs({
    options: {
      email: { type: 'string' },
      role: { type: 'string', default: 'admin' },
      'reset-factor': { type: 'boolean', default: false },
    },
  });
  const email = emailSchema.safeParse(values.email ?? '');
  const role = staffRoleSchema.safeParse(values.role);
  if (!email.success) throw new StartError(`${values.email ?? 'Nothing'} is not an email address. ${usage}`);
  if (!role.success) throw new StartError(`There is no role ${values.role}. ${usage}`);
  const config = readConfig();
  await requireDatabase(config, embedded);
  say(`Database: ${nameOfDatabase(config)}`);
  if (values['reset-factor']) {
    await withDatabase(config, embedded, (db) => resetByOperator(db, email.data, systemClock.now()));
    say(
      `${email.data} can sign in at ${config.publicUrl}/login with the password alone, and set up two-step verification again`,
    );
    return;
  }
  const password = await readPassword();
  const created = await withDatabase(config, embedded, (db) =>
    createStaff(db, { email: email.data, password, role: role.data }, systemClock.now()).catch((error: unknown) => {
      throw error instanceof AppError && error.code === 'EMAIL_TAKEN' ? new StartError(taken(email.data)) : error;
    }),
  );
  say(`${textOf(roleNames[created.role])} ${email.data} can sign in at ${config.publicUrl}/login`);
}

const taken = (email: string) =>
  `${email} already has an account in this database. Name another address, or let an administrator change the role of that account on its user page; --reset-factor removes its two-step verification.`;

const say = (words: string) => process.stdout.write(`${words}\n`);

export const command: Command = { usage, run: main };
if (import.meta.main) await runCommand(command);

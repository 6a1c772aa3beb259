import { type Command, runCommand } from '../server/src/run-command.ts';
import { installation } from './installation.ts';

/** The commands of `node launcher/operate.ts NAME [OPTIONS]`, which run with the embedded database and the demo data. */
const commands: Record<string, () => Promise<{ command: Command }>> = {
  'admin-create': () => import('../server/src/admin-create.ts'),
  'audit-verify': () => import('../server/src/audit-verify.ts'),
  doctor: () => import('../server/src/doctor.ts'),
  'mail-test': () => import('../server/src/mail-test.ts'),
  migrate: () => import('../server/src/migrate.ts'),
  'places-import': () => import('../server/src/places-import.ts'),
  'sessions-end': () => import('../server/src/sessions-end.ts'),
  'transparency-verify': () => import('../server/src/transparency-verify.ts'),
};

// The command reads only its own arguments.
const [name = ''] = process.argv.splice(2, 1);
const found = await commands[name]?.();
if (found === undefined) {
  process.stderr.write(`Use: node launcher/operate.ts ${Object.keys(commands).join('|')}\n`);
  process.exit(1);
}
await runCommand(found.command, installation);

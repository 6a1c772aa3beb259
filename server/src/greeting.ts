import type { Config } from './platform/config/config.ts';
import { demoAccounts } from './seed/demo-accounts.ts';

/** Tells the person at the terminal how the start goes. */
export function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Prints where the service answers and, with demo data, who can sign in; `outside` is where the database had to live. */
export function greet(config: Config, { demo, outside }: { demo: boolean; outside: string | null }): void {
  const address = `http://localhost:${config.port}`;
  say(`\nHeartwood is ready: ${address}`);
  if (config.publicUrl !== address) say(`Links in mails begin with ${config.publicUrl}`);
  if (demo) {
    say('\nDemo accounts:');
    for (const account of demoAccounts) {
      say(`  ${account.what.padEnd(14)} ${account.email.padEnd(25)} ${account.password}`);
    }
    say(`Staff sign in at ${address}/login, members at ${address}/app/sign-in`);
  }
  if (config.mail.outboxShown) say(`\nEvery mail is shown at ${address}/dev/outbox; none leaves this machine.`);
  if (outside !== null) {
    say(`\nPostgreSQL does not run as root, and its user cannot reach this folder: it lives in ${outside}`);
  }
  say('');
}

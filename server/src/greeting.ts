import type { Config } from './platform/config/config.ts';
import type { demoAccounts } from '../../demo/accounts.ts';

/** Prints a line about the progress of the start. */
export function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

interface Greeting {
  /** The accounts people can sign in to; empty without demo data. */
  demoAccounts: readonly (typeof demoAccounts)[number][];
  /** The folder outside the data folder that the embedded database had to use, or null. */
  outside: string | null;
}

/** Prints the address of the service and the demo accounts. */
export function greet(config: Config, { demoAccounts: accounts, outside }: Greeting): void {
  const address = `http://localhost:${config.port}`;
  say(`\nHeartwood is ready: ${address}`);
  if (config.publicUrl !== address) say(`Links in mails begin with ${config.publicUrl}`);
  if (accounts.length > 0) {
    say('\nDemo accounts:');
    for (const account of accounts) {
      say(`  ${account.what.padEnd(14)} ${account.email.padEnd(25)} ${account.password}`);
    }
    say(`Staff sign in at ${address}/login, members at ${address}/app/sign-in`);
  }
  if (config.mail.outboxShown) say(`\nEvery mail is shown at ${address}/dev/outbox; none leaves this machine.`);
  if (outside !== null) {
    say(`\nPostgreSQL does not run as root, and its user cannot access this folder. The database is in ${outside}`);
  }
  say('');
}

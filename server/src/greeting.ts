import type { Config } from './platform/config.ts';

/** The accounts of the demo data that can sign in, as `contract.md` and the README name them. */
const demoAccounts = [
  ['administrator', 'admin@heartwood.test', 'heartwood-admin-demo', '/login'],
  ['moderator', 'moderator@heartwood.test', 'heartwood-moderator-demo', '/login'],
  ['member', 'ada@heartwood.test', 'heartwood-member-demo', '/app/sign-in'],
  ['VIP member', 'bo@heartwood.test', 'heartwood-member-demo', '/app/sign-in'],
] as const;

/** Prints where the service answers and, with demo data, who can sign in. */
export function greet(config: Config, outside: string | null): void {
  const address = `http://localhost:${config.port}`;
  const lines = ['', `Heartwood is ready: ${address}`];
  if (config.publicUrl !== address) lines.push(`Links in mails begin with ${config.publicUrl}`);
  if (config.seed.mode === 'demo') {
    lines.push('', 'Demo accounts:');
    for (const [role, email, password, page] of demoAccounts) {
      lines.push(`  ${role.padEnd(14)} ${email.padEnd(25)} ${password.padEnd(25)} ${address}${page}`);
    }
  }
  if (config.mail.outboxShown)
    lines.push('', `Every mail is shown at ${address}/dev/outbox; none leaves this machine.`);
  if (outside !== null)
    lines.push('', `PostgreSQL does not run as root and its user cannot reach this folder: it lives in ${outside}.`);
  process.stdout.write(`${lines.join('\n')}\n\n`);
}

import { parseArgs } from 'node:util';
import { emailSchema } from '#contract/text.ts';
import { readConfig } from '#platform/config/config.ts';
import { createMailTransport, problemOf, warningOf } from '#platform/notify/smtp.ts';
import { StartError } from '#platform/process/lifecycle.ts';
import { type Command, runCommand } from './run-command.ts';

const usage = 'Use: npm run mail:test -- ADDRESS, with the settings of the worker';

/** Sends one mail through the mail server, without a queue, and prints the server's answer. */
async function main(): Promise<void> {
  const { positionals } = parseArgs({ allowPositionals: true });
  const to = emailSchema.safeParse(positionals[0] ?? '');
  if (!to.success || positionals.length > 1) throw new StartError(usage);
  const { mail, publicUrl } = readConfig();
  if (mail.smtpUrl === null) throw new StartError(`SMTP_URL is not set. ${usage}`);
  const transport = createMailTransport(mail.smtpUrl);
  try {
    await transport.send({
      from: mail.from,
      to: to.data,
      replyTo: mail.replyTo,
      subject: 'A test',
      text: `This is a test of ${publicUrl}. If it is among your spam, the domain of the sender lacks SPF, DKIM or DMARC records.`,
    });
  } catch (error) {
    throw new StartError(
      `${warningOf(problemOf(error))} (${(error as { response?: string }).response ?? String(error)})`,
    );
  } finally {
    transport.close();
  }
  process.stdout.write('The mail server took the mail. Look whether it arrives, and where.\n');
}

export const command: Command = { usage, run: main };
if (import.meta.main) await runCommand(command);

import { createTransport, type Transporter } from 'nodemailer';
import type { TaskList } from 'graphile-worker';
import type { OutboxMail } from '#contract/system.ts';
import type { Deps } from '../../deps.ts';
import type { Db } from '../db/db.ts';
import { addJob } from '../jobs/jobs.ts';
import { renderMail, type MailContent } from './mail-layout.ts';

/** A mail's words from its stored data; `publicUrl` begins its links. */
export type MailTemplate = (data: Record<string, string>, publicUrl: string) => MailContent;
export type MailTemplates = Record<string, MailTemplate>;

/**
 * Writes a mail into the outbox, inside the transaction it belongs to; a job sends it after the commit. It goes with the
 * account of `accountId`, whatever address of theirs it is sent to.
 */
export async function queueMail(
  tx: Db,
  mail: { to: string; accountId: string | null; template: string; data: Record<string, string> },
  now: Date,
): Promise<void> {
  const row = await tx
    .insertInto('mail')
    .values({
      recipient: mail.to,
      account_id: mail.accountId,
      template: mail.template,
      data: JSON.stringify(mail.data),
      created_at: now,
      last_error: null,
      sent_at: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await addJob(tx, 'mail.send', { id: row.id }, { maxAttempts: 12 });
}

// A refusal that no later try will turn: no such mailbox, or a mail the server does not take.
const isFinal = (error: unknown) => {
  const { code, responseCode = 0 } = error as { code?: string; responseCode?: number };
  return responseCode >= 500 && responseCode < 600 && (code === 'EENVELOPE' || code === 'EMESSAGE');
};

/** The job that sends one waiting mail, at most once per row, until it is refused for good or tried in vain; the outbox driver only marks it. */
export function mailTasks(deps: Deps, templates: MailTemplates): TaskList {
  const { config, db, clock } = deps;
  let transport: Transporter | undefined;
  return {
    'mail.send': async (payload, { job }) => {
      const { id } = payload as { id: string };
      const mail = await db
        .selectFrom('mail')
        .selectAll()
        .where('id', '=', id)
        .where('status', '=', 'waiting')
        .executeTakeFirst();
      if (mail === undefined) return;
      if (config.mail.driver === 'smtp') {
        transport ??= createTransport(config.mail.smtpUrl, { pool: true } as object) as Transporter;
        const content = contentOf(templates, mail.template, mail.data, config.publicUrl);
        try {
          // The object form: a text with a comma or a line break would reach further mailboxes.
          await transport.sendMail({
            from: config.mail.from,
            ...(config.mail.replyTo === null ? {} : { replyTo: config.mail.replyTo }),
            to: { name: '', address: mail.recipient },
            messageId: `<${mail.id}@heartwood>`,
            ...endOf(content),
            ...(await renderMail(content)),
          });
        } catch (error) {
          const isOver = isFinal(error) || job.attempts >= job.max_attempts;
          await db
            .updateTable('mail')
            .set((eb) => ({
              attempts: eb('attempts', '+', 1),
              last_error: (error as { code?: string }).code ?? 'unknown',
              ...(isOver ? { status: 'dead' as const, data: '{}' } : {}),
            }))
            .where('id', '=', id)
            .execute();
          if (!isOver) throw error;
          return;
        }
      }
      // What was sent is no longer needed here; codes and links least of all.
      const kept = config.mail.outboxShown ? mail.data : {};
      await db
        .updateTable('mail')
        .set((eb) => ({
          status: 'sent' as const,
          attempts: eb('attempts', '+', 1),
          sent_at: clock.now(),
          data: JSON.stringify(kept),
        }))
        .where('id', '=', id)
        .execute();
    },
  };
}

/** What a mail program offers its own button for. */
function endOf({ unsubscribe }: MailContent) {
  if (unsubscribe === undefined) return {};
  const headers = {
    'List-Unsubscribe': `<${unsubscribe.oneClick}>`,
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  };
  return { headers };
}

function contentOf(templates: MailTemplates, name: string, data: unknown, publicUrl: string): MailContent {
  const template = templates[name];
  if (template === undefined) throw new Error(`no mail template ${name}`);
  return template(data as Record<string, string>, publicUrl);
}

/** The newest 100 mails written (to `recipient`), rendered as they would be sent. */
export async function readOutbox(
  deps: Deps,
  templates: MailTemplates,
  recipient: string | undefined,
): Promise<OutboxMail[]> {
  let query = deps.db.selectFrom('mail').selectAll().orderBy('created_at', 'desc').orderBy('id', 'desc').limit(100);
  if (recipient !== undefined) query = query.where('recipient', '=', recipient.toLowerCase());
  const rows = await query.execute();
  return await Promise.all(
    rows.map(async (row) => {
      const content = contentOf(templates, row.template, row.data, deps.config.publicUrl);
      return {
        _id: row.id,
        to: row.recipient,
        ...(await renderMail(content)),
        links: [content.button?.url, content.unsubscribe?.page].filter((link) => link !== undefined),
        ...(content.code === undefined ? {} : { code: content.code }),
        createdAt: row.created_at.toISOString(),
      };
    }),
  );
}

import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/runtime-macro';
import { Body } from '@react-email/body';
import { Button } from '@react-email/button';
import { Container } from '@react-email/container';
import { Head } from '@react-email/head';
import { Heading } from '@react-email/heading';
import { Html } from '@react-email/html';
import { Link } from '@react-email/link';
import { Preview } from '@react-email/preview';
import { render, toPlainText } from '@react-email/render';
import { Text } from '@react-email/text';
import { createElement as h } from 'react';
import { productName } from '#contract/constants.ts';
import { directionOf, type Language, usualLanguage } from '#contract/languages.ts';
import type { OutboxMail } from '#contract/system.ts';
import { asciiAddress } from '#contract/text.ts';
import type { Deps } from '../../deps.ts';
import type { MailConfig } from '../config/config.ts';
import type { Db } from '../db/db.ts';
import { addJob } from '../jobs/jobs.ts';
import { inLanguage, presentLanguage } from '../process/log.ts';
import { presentBrand } from '../service/brand.ts';
import { textOf } from '../texts.ts';

/** The content of an email; all emails share one layout. */
export interface MailContent {
  /** Must be discreet, because people nearby can read it. */
  subject: MessageDescriptor;
  heading: MessageDescriptor;
  paragraphs: MessageDescriptor[];
  code?: string;
  button?: { text: MessageDescriptor; url: string };
  /** Small print at the end. */
  footnote?: MessageDescriptor;
  /** How to unsubscribe: a page for people, and a one-click URL for mail programs (RFC 8058). */
  unsubscribe?: { page: string; oneClick: string };
}

interface RenderedMail {
  subject: string;
  text: string;
  html: string;
}

const sans = '-apple-system, "Segoe UI", Roboto, Helvetica, Arial, sans-serif';
const usualAccent = '#9c2f3f';
const styles = {
  body: { backgroundColor: '#f7f3f0', fontFamily: sans, margin: 0, padding: '24px 0' },
  card: { backgroundColor: '#ffffff', borderRadius: 12, padding: '32px', maxWidth: 480 },
  heading: { fontSize: 22, lineHeight: '28px', color: '#2b1d1a', margin: '0 0 16px' },
  text: { fontSize: 16, lineHeight: '24px', color: '#3d302c', margin: '0 0 16px' },
  code: { fontSize: 32, letterSpacing: 6, fontWeight: 700, color: '#2b1d1a', margin: '8px 0 24px' },
  button: {
    color: '#ffffff',
    borderRadius: 8,
    padding: '12px 20px',
    fontSize: 16,
    fontWeight: 600,
  },
  small: { fontSize: 13, lineHeight: '20px', color: '#6b5c57', margin: '24px 0 0' },
};

function layout(content: MailContent) {
  const accent = presentBrand().colours?.light ?? usualAccent;
  const lang = presentLanguage();
  const dir = directionOf(lang);
  return h(
    Html,
    { lang, dir },
    h(Head),
    h(Preview, null, textOf(content.heading)),
    h(
      Body,
      { style: styles.body },
      h(
        Container,
        // Repeated here, because some mail programs drop the attributes of the document.
        { style: styles.card, lang, dir },
        h(Heading, { style: styles.heading }, textOf(content.heading)),
        ...content.paragraphs.map((paragraph, index) => h(Text, { key: index, style: styles.text }, textOf(paragraph))),
        content.code === undefined ? null : h(Text, { style: styles.code }, content.code),
        content.button === undefined
          ? null
          : h(
              Button,
              { href: content.button.url, style: { ...styles.button, backgroundColor: accent } },
              textOf(content.button.text),
            ),
        content.footnote === undefined ? null : h(Text, { style: styles.small }, textOf(content.footnote)),
        content.unsubscribe === undefined
          ? null
          : h(
              Text,
              { style: styles.small },
              textOf(msg`You receive this email because of your notification settings. `),
              h(Link, { href: content.unsubscribe.page, style: { color: accent } }, textOf(msg`Unsubscribe`)),
            ),
      ),
    ),
  );
}

/** The email as HTML and plain text from the same source, in the current language; all content is escaped. */
export async function renderMail(content: MailContent): Promise<RenderedMail> {
  const html = await render(layout(content));
  // The library's capitals for headings are wrong in Turkish.
  const heading = { selector: 'h1', options: { uppercase: presentLanguage() !== 'tr' } };
  const text = toPlainText(html, { selectors: [heading] });
  return { subject: textOf(content.subject).replaceAll(/[\r\n]+/g, ' '), html, text };
}

/** Creates an email's content from its stored data; its links start with `publicUrl`. */
type MailTemplate = (data: Record<string, string>, publicUrl: string) => MailContent;
export type MailTemplates = Record<string, MailTemplate>;

/**
 * An email to queue. `expiresAt`: when the code or link in it expires, after which it isn't sent; null if it never does. `replacesWaiting`:
 * earlier emails of the kind to the account are dropped, because only the newest link works.
 */
export type QueuedMail = {
  to: string;
  accountId: string | null;
  template: string;
  language?: Language;
  replacesWaiting?: boolean;
} & (
  | { data: Record<string, string | Date>; expiresAt: Date | null }
  | { data: Record<string, string | Date> & { token?: never; code?: never }; expiresAt?: never }
);

/**
 * Adds an email to the outbox in the transaction it belongs to; a job sends it after the commit. It is deleted with the account
 * `accountId`, whichever address it was sent to. It is in the language that the account has when it is sent, or, without an
 * account, in `language` or else the service's first one; words in its data must already be in that language.
 */
export async function queueMail(tx: Db, mail: QueuedMail, now: Date): Promise<void> {
  if (mail.replacesWaiting === true) await dropWaiting(tx, mail);
  const row = await tx
    .insertInto('mail')
    .values({
      recipient: mail.to,
      account_id: mail.accountId,
      template: mail.template,
      language: mail.language ?? usualLanguage,
      data: JSON.stringify(mail.data),
      created_at: now,
      waiting_since: now,
      expires_at: mail.expiresAt ?? null,
      last_error: null,
      sent_at: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await addJob(tx, 'mail.send', { id: row.id }, { jobKey: `mail.send ${row.id}`, maxAttempts: 12 });
}

async function dropWaiting(tx: Db, { accountId, template }: QueuedMail): Promise<void> {
  await tx
    .updateTable('mail')
    .set({ status: 'dead', last_error: 'expired', data: '{}' })
    .where('account_id', '=', accountId)
    .where('template', '=', template)
    .where('status', '=', 'waiting')
    .execute();
}

/** Uses the brand as the sender's name, unless the configuration has one. */
const ownName = (configured: string) =>
  configured === '' || configured === productName ? presentBrand().name : configured;

/** The whole email with `content` to `recipient`, for the transport; retries have the same id. */
export async function messageOf(
  { from, replyTo }: Pick<MailConfig, 'from' | 'replyTo'>,
  { id, recipient }: { id: string; recipient: string },
  content: MailContent,
  now: Date,
): Promise<Record<string, unknown>> {
  return {
    // Objects, because a comma or a line break in a string would add mailboxes.
    from: { ...from, name: ownName(from.name) },
    ...(replyTo === null ? {} : { replyTo }),
    to: { name: '', address: recipient },
    messageId: `<${id}@${from.address.slice(from.address.indexOf('@') + 1)}>`,
    date: now,
    headers: { ...automatic, ...unsubscribeHeaders(content) },
    ...(await renderMail(content)),
  };
}

/** Keeps out-of-office notes and other programs from answering (RFC 3834). */
const automatic = { 'Auto-Submitted': 'auto-generated' };

/** The headers that make mail programs offer an unsubscribe button. */
const unsubscribeHeaders = ({ unsubscribe }: MailContent) =>
  unsubscribe === undefined
    ? {}
    : {
        'List-Unsubscribe': `<${unsubscribe.oneClick}>`,
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      };

/** The emails in the outbox, each with the language of its reader. */
const mailsOf = (db: Db) =>
  db
    .selectFrom('mail')
    .leftJoin('account', 'account.id', 'account_id')
    .selectAll('mail')
    .select((eb) => eb.fn.coalesce('account.language', 'mail.language').as('readIn'));

/** An email's content from its stored data; throws for an unknown template. */
export function contentOf(
  templates: MailTemplates,
  { template: name, data }: { template: string; data: unknown },
  publicUrl: string,
): MailContent {
  const template = templates[name];
  if (template === undefined) throw new Error(`no mail template ${name}`);
  return template(data as Record<string, string>, publicUrl);
}

/** The newest 100 emails (to `recipient`), rendered as they would be sent. */
export async function readOutbox(
  deps: Deps,
  templates: MailTemplates,
  recipient: string | undefined,
): Promise<OutboxMail[]> {
  let query = mailsOf(deps.db).orderBy('mail.created_at', 'desc').orderBy('mail.id', 'desc').limit(100);
  if (recipient !== undefined) query = query.where('recipient', '=', asciiAddress(recipient.trim().toLowerCase()));
  const rows = await query.execute();
  return await Promise.all(
    rows.map((row) =>
      inLanguage(row.readIn, async () => {
        const content = contentOf(templates, row, deps.config.publicUrl);
        return {
          _id: row.id,
          to: row.recipient,
          ...(await renderMail(content)),
          links: [content.button?.url, content.unsubscribe?.page].filter((link) => link !== undefined),
          ...(content.code === undefined ? {} : { code: content.code }),
          createdAt: row.created_at.toISOString(),
        };
      }),
    ),
  );
}

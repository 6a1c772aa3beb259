import { msg } from '@lingui/core/runtime-macro';
import PostalMime from 'postal-mime';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { directionOf, languages } from '#contract/languages.ts';
import { mailTemplates } from '../../src/features.ts';
import { readConfig } from '#platform/config/config.ts';
import { messageOf, queueMail, renderMail } from '#platform/notify/mail.ts';
import { createMailTransport } from '#platform/notify/smtp.ts';
import { inLanguage } from '#platform/process/log.ts';
import { textOf } from '#platform/texts.ts';
import { translationsOf } from '../catalogues.ts';
import { startSmtpSink, type ReceivedMail, type SmtpSink } from '../doubles/smtp-sink.ts';
import { startApp, type TestApp } from '../harness.ts';
import { readMail } from '../mail/read-mail.ts';

const publicUrl = 'https://dating.example';
let sink: SmtpSink;
let app: TestApp;
beforeAll(async () => {
  sink = await startSmtpSink();
  app = await startApp({
    SMTP_URL: `smtp://127.0.0.1:${sink.port}`,
    MAIL_FROM: 'Heartwood, “Lübeck” <no-reply@mail.dating.example>',
    MAIL_REPLY_TO: '"The desk, at work" <desk@bücher.example>',
    PUBLIC_URL: publicUrl,
  });
});
beforeEach(() => {
  sink.mails.length = 0;
  sink.recipientCommands.length = 0;
});
afterAll(async () => {
  await app.close();
  await sink.close();
});

const onlyMail = (): ReceivedMail => {
  const [mail, ...others] = sink.mails;
  if (mail === undefined || others.length > 0) throw new Error(`${sink.mails.length} mails`);
  return mail;
};

const scripts =
  'Żółć, Ünïcode & “quotes” — Ελληνικά, Привет, שלום, مرحبا, हिन्दी, 日本語, 한국어 👩‍❤️‍👨 <b>=?utf-8?Q?no?=</b>';
/** Longer than a line of an email may be. */
const long = `${scripts} ${'verylongword'.repeat(120)}`;

/** Data for every field that a template reads, so that new templates are tested as well. */
function dataOf(name: string): Record<string, string> {
  const fields = new Set<string>();
  const recorded = new Proxy<Record<string, string>>(
    {},
    { get: (_, field) => (fields.add(String(field)), undefined), has: () => true },
  );
  mailTemplates[name]?.(recorded, publicUrl);
  const usual: Record<string, string> = { token: 'a-token_1', code: '123456', settings: '/app/settings', id: 'an-id' };
  const isCount = ['notifications', 'casesDue', 'insightsWeek'].includes(name);
  return Object.fromEntries([...fields].map((field) => [field, usual[field] ?? (isCount ? '2' : long)]));
}

/** What a tolerant mail program shows, using a library other than the one that wrote the email. */
async function shownOf(source: string) {
  const { from, replyTo, subject, text = '', html = '' } = await PostalMime.parse(source);
  return { from, replyTo, subject, text: asWords(text), html: asWords(html) };
}

/** Normalizes texts that look the same: HTML may break lines, and joins spaces. */
const asWords = (text: string) => text.replaceAll(/\s+/g, ' ').trim();

describe.each(Object.keys(mailTemplates))('the email %s', (template) => {
  const data = dataOf(template);
  const content = mailTemplates[template]?.(data, publicUrl);
  if (content === undefined) throw new Error('no content');

  it('arrives complete, with its sender, its subject and its texts in all scripts', async () => {
    await queueMail(
      app.db,
      { to: 'rosa@example.test', accountId: null, template, data, expiresAt: null },
      app.clock.now(),
    );
    await app.drain('mail.send');
    const received = onlyMail();
    const mail = readMail(received.source);
    expect(received).toMatchObject({ from: 'no-reply@mail.dating.example', to: ['rosa@example.test'] });
    expect(mail.mailboxes('from')).toEqual([{ name: 'Heartwood, “Lübeck”', address: 'no-reply@mail.dating.example' }]);
    expect(mail.mailboxes('reply-to')).toEqual([{ name: 'The desk, at work', address: 'desk@xn--bcher-kva.example' }]);
    expect(mail.mailboxes('to')).toEqual([{ name: '', address: 'rosa@example.test' }]);
    expect(mail.subject).toBe(textOf(content.subject));
    const rendered = await renderMail(content);
    expect(asWords(mail.text)).toBe(asWords(rendered.text));
    expect(asWords(mail.html)).toBe(asWords(rendered.html));
    for (const paragraph of content.paragraphs) expect(asWords(mail.text)).toContain(asWords(textOf(paragraph)));
    expect(await shownOf(received.source)).toEqual({
      from: { name: 'Heartwood, “Lübeck”', address: 'no-reply@mail.dating.example' },
      replyTo: [{ name: 'The desk, at work', address: 'desk@xn--bcher-kva.example' }],
      subject: rendered.subject,
      text: asWords(rendered.text),
      html: asWords(rendered.html),
    });
  });

  it('has its token behind the # of each link, where no server or proxy sees it', async () => {
    const { html, text } = await renderMail(content);
    const links = `${html} ${text}`.match(/https?:\/\/[^\s"<>\]]+/g) ?? [];
    const { token, code } = data;
    for (const link of links) {
      const [sent = '', kept = ''] = link.split('#');
      if (token !== undefined) expect(sent).not.toContain(token);
      if (code !== undefined) expect(link).not.toContain(code);
      expect(sent).not.toMatch(/[?&](token|code|\w*key|secret|restore|cancel|corrected|undo|stop|remove|keep)=/);
      expect(kept.includes('?')).toBe(false);
    }
    const named = links.filter((link) => token !== undefined && link.includes(token));
    expect(named.length > 0).toBe(token !== undefined);
  });

  it('is marked as automatic, with a date and an id in its sender’s domain', async () => {
    await queueMail(
      app.db,
      { to: 'rosa@example.test', accountId: null, template, data, expiresAt: null },
      app.clock.now(),
    );
    await app.drain('mail.send');
    const mail = readMail(onlyMail().source);
    expect(mail.header('auto-submitted')).toBe('auto-generated');
    expect(mail.header('message-id')).toMatch(/^<[0-9a-f-]{36}@mail\.dating\.example>$/);
    expect(mail.header('date')).toMatch(/^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} \+0000$/);
    expect(new Date(mail.header('date') ?? '')).toEqual(app.clock.now());
  });

  it('has an unsubscribe button exactly if people can turn it off', async () => {
    await queueMail(
      app.db,
      { to: 'rosa@example.test', accountId: null, template, data, expiresAt: null },
      app.clock.now(),
    );
    await app.drain('mail.send');
    const mail = readMail(onlyMail().source);
    const oneClick = content.unsubscribe?.oneClick;
    expect(oneClick === undefined).toBe(!['notifications', 'insightsWeek'].includes(template));
    expect(mail.header('list-unsubscribe')).toBe(oneClick === undefined ? null : `<${oneClick}>`);
    expect(mail.header('list-unsubscribe-post')).toBe(oneClick === undefined ? null : 'List-Unsubscribe=One-Click');
  });
});

describe.each(languages)('each email in %s', (language) => {
  it('has its language and direction, every translation, and no placeholder', async () => {
    const translations = await translationsOf(language);
    for (const [name, template] of Object.entries(mailTemplates))
      await inLanguage(language, async () => {
        const content = template(dataOf(name), publicUrl);
        const { html, text, subject } = await renderMail(content);
        expect(html).toContain(`<html dir="${directionOf(language)}" lang="${language}">`);
        expect(`${subject} ${text}`, name).not.toMatch(/\{\w+[,}]/);
        const { heading, paragraphs, button, footnote = heading } = content;
        for (const one of [content.subject, heading, ...paragraphs, button?.text ?? heading, footnote]) {
          const translated = translations.get(one.message ?? '');
          if (translated !== undefined && translated !== one.message)
            expect(textOf(one), name).not.toBe(textOf(one, undefined, 'en'));
        }
        for (const paragraph of paragraphs) expect(asWords(text), name).toContain(asWords(textOf(paragraph)));
      });
  });
});

describe('an email to', () => {
  it.each([
    'a&b@example.com',
    "d'arcy@example.com",
    "!#$%&'*+/=?^_`{|}~-@example.com",
    'first.last+tag=x@sub.example.co.uk',
    'u@xn--80a1acny.xn--p1ai',
    `${'l'.repeat(64)}@${'d'.repeat(60)}.${'e'.repeat(60)}.example`,
  ])('%s is delivered', async (to) => {
    const mail = { to, accountId: null, template: 'passwordGuessed', data: {} };
    await queueMail(app.db, mail, app.clock.now());
    await app.drain('mail.send');
    expect(sink.recipientCommands.map((command) => command.trim())).toEqual([`RCPT TO:<${to}>`]);
    expect(readMail(onlyMail().source).mailboxes('to')).toEqual([{ name: '', address: to }]);
  });
});

describe('the sender setting', () => {
  const address = 'no-reply@mail.dating.example';

  /** An email as a service with this sender sends it. */
  async function sendFrom(sender: string): Promise<ReturnType<typeof readMail>> {
    const { mail } = readConfig({ MAIL_FROM: sender, MAIL_REPLY_TO: sender });
    const transport = createMailTransport(`smtp://127.0.0.1:${sink.port}`);
    const row = { id: 'an-id', recipient: 'rosa@example.test' };
    const text = msg`${{ scripts }}`;
    const content = { subject: text, heading: text, paragraphs: [msg`${{ long }}`] };
    await transport.send(await messageOf(mail, row, content, app.clock.now()));
    transport.close();
    expect(onlyMail()).toMatchObject({ from: address, to: ['rosa@example.test'] });
    return readMail(onlyMail().source);
  }

  it.each([
    ['without a name', address, ''],
    ['with a plain name', `Heartwood <${address}>`, 'Heartwood'],
    ['with a comma', `Heartwood, Inc. <${address}>`, 'Heartwood, Inc.'],
    ['that looks like two mailboxes', `a@evil.example, Heartwood <${address}>`, 'a@evil.example, Heartwood'],
    ['that looks like a group', `Team: a@evil.example; <${address}>`, 'Team: a@evil.example;'],
    ['with an @', `me @ home <${address}>`, 'me @ home'],
    ['in quotes', `"Heartwood, \\"the app\\"" <${address}>`, 'Heartwood, "the app"'],
    ['with a quote', `The 5" app <${address}>`, 'The 5" app'],
    ['with backslashes', `A \\ B \\\\ <${address}>`, 'A \\ B \\\\'],
    ['with a comment', `Heartwood (the app) <${address}>`, 'Heartwood (the app)'],
    ['with umlauts', `Häärtwöd für Jürgen <${address}>`, 'Häärtwöd für Jürgen'],
    ['with an emoji', `Heartwood ❤️‍🔥 <${address}>`, 'Heartwood ❤️‍🔥'],
    ['in Arabic', `قلب الخشب، تطبيق <${address}>`, 'قلب الخشب، تطبيق'],
    ['that is very long', `${'Ab '.repeat(33)}z <${address}>`, `${'Ab '.repeat(33)}z`],
    ['of one very long word', `${'A'.repeat(100)} <${address}>`, 'A'.repeat(100)],
    ['that is very long, in Chinese', `${'心'.repeat(100)} <${address}>`, '心'.repeat(100)],
  ])('%s is one mailbox', async (_, sender, name) => {
    const mail = await sendFrom(sender);
    // The brand names a sender without a name.
    expect(mail.mailboxes('from')).toEqual([{ name: name || 'Heartwood', address }]);
    expect(mail.mailboxes('reply-to')).toEqual([{ name, address }]);
    expect(mail.subject).toBe(scripts);
    expect(asWords(mail.text)).toContain(asWords(long));
    const shown = await shownOf(onlyMail().source);
    expect(shown).toMatchObject({
      from: { name: name || 'Heartwood', address },
      replyTo: [{ name, address }],
      subject: scripts,
    });
  });

  it.each([
    ['a line break', `Heart\r\nBcc: a@evil.example\r\nwood <${address}>`],
    ['a line feed', `Heart\nwood <${address}>`],
    ['a NUL', `Heart\0wood <${address}>`],
    ['two addresses', `${address}, a@evil.example`],
    ['two addresses in brackets', `Heartwood <a@evil.example> <${address}>`],
    ['brackets in its name', `Heart<3 wood <${address}>`],
    ['brackets in quotes', `"Heart <3 wood" <${address}>`],
    ['a name of 101 characters', `${'A'.repeat(101)} <${address}>`],
    ['no domain', 'Heartwood <no-reply>'],
    ['two @', 'Heartwood <no@reply@dating.example>'],
    ['blanks in its address', 'Heartwood <no reply@dating.example>'],
    ['quotes in its address', '"no reply"@dating.example'],
    ['a comment in its address', 'no-reply(x)@dating.example'],
    ['a letter beyond ASCII before its @', 'nö-reply@dating.example'],
    ['two full stops', 'no..reply@dating.example'],
  ])('with %s stops the start', (_, sender) => {
    expect(() => readConfig({ MAIL_FROM: sender })).toThrow(/^MAIL_FROM /);
    expect(() => readConfig({ MAIL_REPLY_TO: sender })).toThrow(/^MAIL_REPLY_TO /);
  });

  it('with an international domain is encoded as mail servers expect it', () => {
    const { mail } = readConfig({ MAIL_FROM: 'Bücher <Info@Bücher.example>' });
    expect(mail.from).toEqual({ name: 'Bücher', address: 'Info@xn--bcher-kva.example' });
  });
});

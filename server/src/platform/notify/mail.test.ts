import { msg } from '@lingui/core/runtime-macro';
import type { FastifyBaseLogger } from 'fastify';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { register } from '#contract/auth/auth.ts';
import { getOperations } from '#contract/operations.ts';
import { makeAdministrator } from '../../../test/factories.ts';
import { startApp, type TestApp } from '../../../test/harness.ts';
import { startSilentServer, startSmtpSink, type SmtpSink } from '../../../test/doubles/smtp-sink.ts';
import { authMails } from '../../features/auth/mails.ts';
import { addJob } from '../jobs/jobs.ts';
import { textOf } from '../texts.ts';
import { queueMail, renderMail } from './mail.ts';
import { createMailTransport, problemOf, warnOfMailServer } from './smtp.ts';

let sink: SmtpSink;
let test: TestApp;
beforeAll(async () => {
  sink = await startSmtpSink();
  test = await startApp({
    SMTP_URL: `smtp://127.0.0.1:${sink.port}`,
    MAIL_FROM: 'Heartwood <no-reply@heartwood.test>',
    MAIL_REPLY_TO: 'support@heartwood.test',
  });
});
beforeEach(() => {
  sink.mails.length = 0;
  sink.refuse('mail', 0, 0);
});
afterAll(async () => {
  await test.close();
  await sink.close();
});

const queue = (to: string, data: Record<string, string> = {}, template = 'resetPassword') =>
  queueMail(test.db, { to, accountId: null, template, data: { token: 'the-secret-token', ...data } }, test.clock.now());
const rowOf = (to: string) =>
  test.db.selectFrom('mail').selectAll().where('recipient', '=', to).executeTakeFirstOrThrow();

/** Makes every waiting job due. */
async function later(): Promise<void> {
  await sql`select graphile_worker.reschedule_jobs(array(select id from graphile_worker.jobs), run_at => now())`.execute(
    test.db,
  );
  await test.drain();
}

/**
 * Advances time until the email is sent or abandoned; a run does nothing while the queue is still recording the last
 * attempt.
 */
async function untilDecided(to: string): Promise<void> {
  for (let round = 0; round < 60 && (await rowOf(to)).status === 'waiting'; round += 1) await later();
}

describe('an email sent by SMTP', () => {
  it('is sent once, as text and HTML, and its content is deleted afterwards', async () => {
    await queue('rosa@example.test');
    await test.drain();
    await later();
    expect(sink.mails).toHaveLength(1);
    const [mail] = sink.mails;
    expect(mail).toMatchObject({ from: 'no-reply@heartwood.test', to: ['rosa@example.test'] });
    expect(mail?.headers).toMatch(/^From: Heartwood <no-reply@heartwood\.test>$/m);
    expect(mail?.headers).toMatch(/^To: rosa@example\.test$/m);
    expect(mail?.headers).toMatch(/^Reply-To: support@heartwood\.test$/m);
    expect(mail?.headers).toMatch(/^Subject: Choose a new password$/m);
    expect(mail?.source).toMatch(/Content-Type: text\/plain/);
    expect(mail?.source).toMatch(/Content-Type: text\/html/);
    expect(mail?.source.replaceAll(/=\r\n/g, '').replaceAll('=3D', '=')).toContain(
      '/app/reset-password?token=the-secret-token',
    );
    expect(await rowOf('rosa@example.test')).toMatchObject({
      status: 'sent',
      attempts: 1,
      data: {},
      sent_at: test.clock.now(),
    });
  });

  it.each([
    ['mailbox', 451],
    ['mail', 451],
    // The operator can still fix the sender or its reputation, which some servers check only with the whole email.
    ['mail', 554],
    ['sender', 451],
    ['sender', 553],
  ] as const)('is retried after the %s was refused with %i', async (at, status) => {
    const to = `later-${at}-${status}@example.test`;
    sink.refuse(at, status, 2);
    await queue(to);
    await test.drain();
    expect(await rowOf(to)).toMatchObject({ status: 'waiting', attempts: 1 });
    await untilDecided(to);
    await later();
    expect(sink.mails).toHaveLength(1);
    expect(await rowOf(to)).toMatchObject({ status: 'sent', attempts: 3 });
  });

  it('is abandoned after the mailbox is permanently refused, and its content is deleted', async () => {
    const to = 'nobody@example.test';
    sink.refuse('mailbox', 550, 99);
    await queue(to);
    await test.drain();
    await later();
    expect(sink.mails).toHaveLength(0);
    expect(await rowOf(to)).toMatchObject({ status: 'dead', attempts: 1, data: {} });
  });

  it('is not sent again to one recipient because another was unreachable', async () => {
    sink.refuse('mailbox', 451, 1);
    await queue('first@example.test');
    await queue('second@example.test');
    await test.drain();
    expect(sink.mails).toHaveLength(1);
    for (const to of ['first@example.test', 'second@example.test']) await untilDecided(to);
    await later();
    expect(sink.mails.map(({ to }) => to).sort()).toEqual([['first@example.test'], ['second@example.test']]);
  });

  it('is abandoned after twelve failed attempts', async () => {
    sink.refuse('mail', 421, 99);
    await queue('vain@example.test');
    await test.drain();
    await untilDecided('vain@example.test');
    expect(await rowOf('vain@example.test')).toMatchObject({ status: 'dead', attempts: 12, data: {} });
  });

  it('waits while the mail server is down, without delaying the request', async () => {
    await sink.close();
    const body = {
      email: 'early@example.test',
      password: 'a long enough secret',
      firstName: 'Rosa',
      acceptTerms: true,
    };
    expect((await test.call(register, { body })).status).toBe(201);
    await test.drain();
    expect(await rowOf('early@example.test')).toMatchObject({ status: 'waiting' });
    sink = await startSmtpSink(sink.port);
    await untilDecided('early@example.test');
    expect(sink.mails.map((mail) => mail.to)).toEqual([['early@example.test']]);
  });

  it('is not created if its transaction is rolled back', async () => {
    const undone = test.db.transaction().execute(async (tx) => {
      await queueMail(
        tx,
        { to: 'undone@example.test', accountId: null, template: 'resetPassword', data: { token: 'x' } },
        test.clock.now(),
      );
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    await test.drain();
    expect(sink.mails).toHaveLength(0);
  });

  it.each([
    ['a line break', 'rosa@example.test\r\nBcc: thief@example.test'],
    ['a second address', 'rosa@example.test, thief@example.test'],
    ['a display name', 'thief@example.test <rosa@example.test>'],
    ['an SMTP argument', 'rosa@example.test> NOTIFY=SUCCESS'],
  ])('goes to no one else when the address has %s', async (_, address) => {
    await queue(address);
    await test.drain();
    for (const mail of sink.mails) {
      expect(mail.to).toHaveLength(1);
      expect(mail.headers).not.toMatch(/^(Bcc|Cc):/im);
      expect(mail.to[0]).not.toBe('thief@example.test');
    }
  });

  it('shows a member’s text as plain text, in both the text and the HTML part', async () => {
    const name = '<img src=x onerror=alert(1)>\r\nBcc: thief@example.test';
    await queue('rosa@example.test', { name }, 'passkeyAdded');
    await test.drain();
    const [mail] = sink.mails;
    expect(mail?.to).toEqual(['rosa@example.test']);
    expect(mail?.headers).not.toMatch(/thief/);
    const html = mail?.source.replaceAll(/=\r\n/g, '').split(/Content-Type: text\/html/)[1] ?? '';
    expect(html).not.toMatch(/<img/);
    expect(html).toMatch(/&lt;img/);
  });
});

describe('a mail server that requires a password', () => {
  const warnings = () => {
    const lines: string[] = [];
    return { lines, log: { warn: (_: object, words: string) => lines.push(words) } as unknown as FastifyBaseLogger };
  };

  it.each([
    ['right', []],
    ['wrong', [expect.stringMatching(/^the mail server refuses our sign-in, so emails wait: .* SMTP_URL$/)]],
  ])('causes, with the %s password, these warnings: %j', async (password, expected) => {
    const server = await startSmtpSink(0, 'right');
    const transport = createMailTransport(`smtp://ada:${password}@127.0.0.1:${server.port}`);
    const { lines, log } = warnings();
    await warnOfMailServer(transport, log);
    expect(lines).toEqual(expected);
    transport.close();
    await server.close();
  });

  it('is named in the error if it is unreachable', async () => {
    const silent = await startSilentServer();
    const transport = createMailTransport(`smtp://127.0.0.1:${silent.port}`, 100);
    const { lines, log } = warnings();
    await warnOfMailServer(transport, log);
    expect(lines).toEqual([expect.stringMatching(/^the mail server cannot be reached, so emails wait: .* SMTP_URL$/)]);
    transport.close();
    await silent.close();
  });

  it('delays emails when it refuses our sign-in, and administrators see the reason', async () => {
    const server = await startSmtpSink(0, 'right');
    const app = await startApp({
      SMTP_URL: `smtp://ada:wrong@127.0.0.1:${server.port}`,
      MAIL_FROM: 'no-reply@heartwood.test',
    });
    const mail = { to: 'rosa@example.test', accountId: null, template: 'resetPassword', data: { token: 'x' } };
    await queueMail(app.db, mail, app.clock.now());
    await app.drain();
    const { token } = await makeAdministrator(app);
    const { parts, mail: queued } = (await app.call(getOperations, { token })).body.data;
    expect(queued).toMatchObject({ waiting: 1, problem: 'signIn' });
    expect(parts).toContainEqual({ part: 'mail', state: 'down' });
    await app.close();
    await server.close();
  });
});

describe('problemOf', () => {
  it.each([
    ['signIn', { code: 'EAUTH', responseCode: 535, command: 'AUTH PLAIN' }],
    ['signIn', { code: 'EENVELOPE', responseCode: 530, command: 'MAIL FROM' }],
    ['sender', { code: 'EENVELOPE', responseCode: 553, command: 'MAIL FROM' }],
    ['sender', { code: 'EENVELOPE', responseCode: 553, command: 'RCPT TO', response: '553 5.7.1 Sender rejected' }],
    ['sender', { code: 'EENVELOPE', responseCode: 554, command: 'RCPT TO', response: '554-5.7.1 Relay denied' }],
    ['sender', { code: 'EENVELOPE', responseCode: 550, command: 'RCPT TO', response: '550 5.1.8 Unknown domain' }],
    ['recipient', { code: 'EENVELOPE', responseCode: 550, command: 'RCPT TO', response: '550 5.1.1 User unknown' }],
    ['recipient', { code: 'EENVELOPE', responseCode: 550, command: 'RCPT TO', response: '550 No such user' }],
    ['content', { code: 'EMESSAGE', responseCode: 554, command: 'DATA' }],
    ['later', { code: 'EENVELOPE', responseCode: 451, command: 'RCPT TO' }],
    ['unreachable', { code: 'ETIMEDOUT', command: 'CONN' }],
    ['other', new Error('unknown')],
  ])('returns %s for %o', (problem, error) => {
    expect(problemOf(error)).toBe(problem);
  });
});

describe('a mail server that never answers', () => {
  it('is abandoned after a timeout', async () => {
    const silent = await startSilentServer();
    const transport = createMailTransport(`smtp://127.0.0.1:${silent.port}`, 100);
    const mail = { from: 'a@example.test', to: 'b@example.test', text: 'Hello' };
    await expect(transport.send(mail)).rejects.toMatchObject({ code: 'ETIMEDOUT' });
    transport.close();
    await silent.close();
  });

  it('doesn’t block other jobs, neither our own nor those for other services', async () => {
    const silent = await startSilentServer();
    const app = await startApp({ SMTP_URL: `smtp://127.0.0.1:${silent.port}`, MAIL_FROM: 'no-reply@heartwood.test' });
    const worker = await app.app.background.startWorker();
    for (const name of ['a', 'b', 'c', 'd']) {
      const mail = { to: `${name}@example.test`, accountId: null, template: 'resetPassword', data: { token: 'x' } };
      await queueMail(app.db, mail, app.clock.now());
    }
    await vi.waitFor(() => expect(silent.connections.size).toBe(2), { timeout: 15_000 });
    await sql`insert into media_discard (object_key, due_at) values ('a-discarded-key', now())`.execute(app.db);
    await addJob(app.db, 'media.sweep', {});
    await sql`insert into used_token (token_hash, expires_at) values ('\\x00', ${app.clock.now()})`.execute(app.db);
    await addJob(app.db, 'auth.cleanUp', {});
    const left = () => sql`select 1 from media_discard union all select 1 from used_token`.execute(app.db);
    await vi.waitFor(async () => expect((await left()).rows).toEqual([]), { timeout: 8000 });
    const mails = await app.db.selectFrom('mail').select(['status', 'attempts']).execute();
    expect(mails).toEqual(Array.from({ length: 4 }, () => ({ status: 'waiting', attempts: 0 })));
    await silent.close();
    await worker.stop();
    await app.close();
  });
});

describe('the content of an email', () => {
  it('has a one-line subject', async () => {
    const { subject } = await renderMail({
      subject: msg`One\r\nBcc: thief@example.test`,
      heading: msg`x`,
      paragraphs: [],
    });
    expect(subject).not.toMatch(/[\r\n]/);
  });

  it('has the code and the link in both text and HTML, and no name before the address is verified', async () => {
    const content = authMails.verifyEmail({ name: 'Rosa', code: '123456', token: 'abc' }, 'https://heartwood.example');
    const { html, text } = await renderMail(content);
    for (const part of [html, text]) {
      expect(part).toContain('123456');
      expect(part).toContain('https://heartwood.example/app/verify-email?token=abc');
      expect(part).not.toContain('Rosa');
    }
    expect(text).not.toMatch(/<\w/);
  });

  it.each(Object.entries(authMails))('has a subject that reveals nothing to bystanders: %s', (_, template) => {
    const data = { email: 'rosa@example.test', newEmail: 'rosa@example.test', name: 'Rosa' };
    const subject = textOf(template(data, 'https://heartwood.example').subject);
    expect(subject).not.toMatch(/heartwood|dating|match|like|love|rosa|@/i);
    expect(subject.length).toBeGreaterThan(5);
  });
});

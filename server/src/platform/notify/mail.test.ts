import { msg } from '@lingui/core/runtime-macro';
import type { FastifyBaseLogger } from 'fastify';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { register } from '#contract/auth/auth.ts';
import type { BodyOf } from '#contract/endpoint.ts';
import { listAudit } from '#contract/moderation/audit.ts';
import { getOperations, retryMail } from '#contract/operations.ts';
import { makeAdministrator, makeMember } from '../../../test/factories.ts';
import { startApp, type TestApp } from '../../../test/harness.ts';
import { startSilentServer, startSmtpSink, type SmtpSink } from '../../../test/doubles/smtp-sink.ts';
import { authMails } from '../../features/auth/mails.ts';
import { addJob } from '../jobs/jobs.ts';
import { secondsAfter } from '../process/clock.ts';
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
beforeEach(async () => {
  await test.db.deleteFrom('mail').execute();
  sink.mails.length = 0;
  sink.refuse('mail', 0, 0);
});
afterAll(async () => {
  await test.close();
  await sink.close();
});

const queue = (
  to: string,
  {
    data = {},
    template = 'resetPassword',
    expiresAt = null as Date | null,
    accountId = null as string | null,
    replacesWaiting = false,
  } = {},
) =>
  queueMail(
    test.db,
    { to, accountId, template, data: { token: 'the-secret-token', ...data }, expiresAt, replacesWaiting },
    test.clock.now(),
  );
const rowOf = (to: string) =>
  test.db.selectFrom('mail').selectAll().where('recipient', '=', to).executeTakeFirstOrThrow();

/** Advances the clock, by default an hour. */
async function later(seconds = 3600): Promise<void> {
  test.clock.advance(seconds);
  await test.app.background.tasks['mail.sweep']?.({}, {} as never);
  await test.drain();
}

describe('an email sent by SMTP', () => {
  it('is sent once, as text and HTML, and its content is deleted afterwards', async () => {
    await queue('rosa@example.test');
    await test.drain();
    expect(await rowOf('rosa@example.test')).toMatchObject({ status: 'sent', attempts: 1, sent_at: test.clock.now() });
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
      '/app/reset-password#token=the-secret-token',
    );
    expect((await rowOf('rosa@example.test')).data).toEqual({});
  });

  it.each([
    ['mailbox', 451],
    ['mail', 451],
    // The operator can still fix the sender or its reputation, which some servers check only with the whole email.
    ['mail', 554],
    ['sender', 451],
    ['sender', 553],
    // This reply says nothing about whether the mailbox exists.
    ['mailbox', 550],
  ] as const)('is retried after the %s was refused with %i', async (at, status) => {
    const to = `later-${at}-${status}@example.test`;
    sink.refuse(at, status, 2);
    await queue(to);
    await test.drain();
    expect(await rowOf(to)).toMatchObject({ status: 'waiting', attempts: 1 });
    for (let hour = 0; hour < 3; hour += 1) await later();
    expect(sink.mails).toHaveLength(1);
    expect(await rowOf(to)).toMatchObject({ status: 'sent', attempts: 3, last_error: null });
  });

  it('is given up if its mailbox doesn’t exist, and loses its content after nineteen days', async () => {
    const to = 'nobody@example.test';
    sink.refuse('mailbox', 550, 99, '5.1.1 User unknown');
    await queue(to);
    await test.drain();
    await later();
    expect(sink.mails).toHaveLength(0);
    expect(await rowOf(to)).toMatchObject({ status: 'dead', attempts: 1, data: { token: 'the-secret-token' } });
    test.clock.advance(19 * 86_400);
    await later();
    expect(await rowOf(to)).toMatchObject({ status: 'dead', attempts: 1, data: {} });
  });

  it('is not sent again to one recipient because another was unreachable', async () => {
    sink.refuse('mailbox', 451, 1);
    await queue('first@example.test');
    await queue('second@example.test');
    await test.drain();
    expect(sink.mails).toHaveLength(1);
    await later();
    expect(sink.mails.map(({ to }) => to).sort()).toEqual([['first@example.test'], ['second@example.test']]);
  });

  it('is given up after five days, and can be sent again by administrators', async () => {
    const unsent = async () => {
      const { token } = await makeAdministrator(test);
      return (await test.call(getOperations, { token })).body.data.mail.unsent;
    };
    const retry = async (body: BodyOf<typeof retryMail>) => {
      const { token } = await makeAdministrator(test);
      return (await test.call(retryMail, { token, body })).body.data.retried;
    };
    sink.refuse('mail', 421, 999);
    await queue('vain@example.test');
    await queue('late@example.test', { expiresAt: secondsAfter(test.clock.now(), 6 * 86_400) });
    for (let hour = 0; hour < 116; hour += 4) await later(4 * 3600);
    expect(await rowOf('vain@example.test')).toMatchObject({ status: 'waiting' });
    expect(await unsent()).toEqual([]);
    await later(5 * 3600);
    const kind = { template: 'resetPassword', problem: 'later' as const };
    expect(await unsent()).toEqual([{ ...kind, count: 2, newestAt: expect.any(String) as string }]);
    test.clock.advance(86_400);
    sink.refuse('mail', 0, 0);
    expect(await retry({ kind: { ...kind, problem: 'sender' } })).toBe(0);
    expect(await retry({ kind })).toBe(1);
    expect(await retry({})).toBe(0);
    await later();
    expect(sink.mails.map(({ to }) => to)).toEqual([['vain@example.test']]);
    expect(await unsent()).toEqual([]);
    const { token } = await makeAdministrator(test);
    const { events } = (await test.call(listAudit, { token, query: { action: 'mail.retried' } })).body.data;
    expect(events.map(({ changes }) => changes)).toEqual([{ resetPassword: { from: 'dead', to: 'waiting' } }]);
  });

  it('is dropped when a newer one makes its link invalid', async () => {
    const { id, email } = await makeMember(test);
    sink.refuse('mail', 421, 2);
    for (const token of ['first', 'second'])
      await queue(email, { accountId: id, data: { token }, replacesWaiting: true }).then(() => test.drain());
    await later();
    expect(sink.mails).toHaveLength(1);
    expect(sink.mails[0]?.source).toContain('second');
  });

  it('does not wait for other emails, and does not depend on its own job', async () => {
    await queue('broken@example.test', { template: 'from-a-newer-release' });
    await queue('lost@example.test');
    await test.sql`delete from graphile_worker._private_jobs`;
    await later();
    await later();
    expect(sink.mails.map(({ to }) => to)).toEqual([['lost@example.test']]);
    expect(await rowOf('broken@example.test')).toMatchObject({ status: 'waiting', attempts: 2 });
    await test.sql`delete from mail where status = 'waiting'`;
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
    await later(300);
    expect(sink.mails.map((mail) => mail.to)).toEqual([['early@example.test']]);
  });

  describe.each([
    ['is away', () => sink.close(), async () => void (sink = await startSmtpSink(sink.port))],
    [
      'refuses our password',
      () => Promise.resolve(sink.refuse('sender', 535, 9999)),
      () => Promise.resolve(sink.refuse('sender', 0, 0)),
    ],
  ])('while the mail server %s', (trouble, begin, end) => {
    it.each([
      ['an hour', 1],
      ['a night', 10],
      ['a weekend', 62],
    ])('for %s, is kept during an outage, but dropped if its code expires', async (length, hours) => {
      await begin();
      const name = (what: string, hour: number) => `${what}-${hour}@${trouble}-${length}.test`.replaceAll(' ', '-');
      const code = (to: string) => queue(to, { expiresAt: secondsAfter(test.clock.now(), 600) });
      const asked = Array.from({ length: Math.ceil(hours / 6) }, (_, at) => 6 * at);
      for (let hour = 0; hour < hours; hour += 1) {
        if (asked.includes(hour)) await queue(name('news', hour)).then(() => code(name('code', hour)));
        await test.drain();
        await later();
      }
      await code(name('fresh', 0));
      await test.drain();
      await end();
      await later(300);
      for (let hour = 0; hour < 2; hour += 1) await later();
      const expected = [name('fresh', 0), ...asked.map((hour) => name('news', hour))];
      expect(sink.mails.map(({ to: [to] }) => to).sort()).toEqual(expected.sort());
      const dropped = await test.db
        .selectFrom('mail')
        .select(['data', 'last_error'])
        .where('recipient', 'like', name('code-%', 0).replace('-0', ''))
        .where('status', '=', 'dead')
        .execute();
      expect(dropped).toEqual(asked.map(() => ({ data: {}, last_error: 'expired' })));
    });
  });

  it('is not created if its transaction is rolled back', async () => {
    const undone = test.db.transaction().execute(async (tx) => {
      await queueMail(
        tx,
        { to: 'undone@example.test', accountId: null, template: 'passwordGuessed', data: {} },
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
  ])('is never sent to anyone else when the address has %s', async (_, address) => {
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
    await queue('rosa@example.test', { data: { name }, template: 'passkeyAdded' });
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
    const mail = { to: 'rosa@example.test', accountId: null, template: 'passwordGuessed', data: {} };
    await queueMail(app.db, mail, app.clock.now());
    await app.drain();
    const { token } = await makeAdministrator(app);
    const { parts, mail: queued } = (await app.call(getOperations, { token })).body.data;
    expect(queued).toMatchObject({ waiting: 1, problem: 'signIn' });
    expect(parts).toContainEqual({ part: 'mail', state: 'down' });
    const { body: metrics } = await app.app.inject({ url: '/metrics', remoteAddress: '127.0.0.1' });
    expect(metrics).toContain('mail_queue{state="refused"} 1');
    await app.close();
    await server.close();
  });
});

/** Replies of real servers to the recipient's command, by meaning. */
const toRecipient: Record<string, string[]> = {
  recipient: [
    '550 5.1.1 <a@example.test>: Recipient address rejected: User unknown in virtual mailbox table',
    '550-5.1.1 The email account that you tried to reach does not exist. Please try\n550 5.1.1 double-checking',
    '550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient not found by SMTP address lookup',
    '550 5.1.2 The recipient domain does not exist',
    '553 5.1.3 The recipient address is not a valid RFC 5321 address',
    '551 5.1.6 Recipient has moved',
    '550 No such user here',
    '550 Unknown user',
    '550 user unknown',
    '550 Unrouteable address',
    '550 Invalid recipient',
    '554 delivery error: dd This user doesn’t have a yahoo.com account (a@yahoo.com) [0]',
    '552 1 Requested mail action aborted, mailbox not found',
    '550 <a@example.test>: Recipient address rejected: Address does not exist',
  ],
  mailbox: [
    '552-5.2.2 The email account that you tried to reach is over quota.',
    '452-4.2.2 The email account that you tried to reach is over quota.',
    '552 Mailbox full',
    '554 5.2.2 mailbox full',
    '550 Quota exceeded (mailbox for user is full)',
    '552 Requested mail action aborted: exceeded storage allocation',
    '550 5.2.1 The email account that you tried to reach is disabled.',
    '450 4.2.1 The user you are trying to contact is receiving mail at a rate that',
    '450 4.2.0 <a@example.test>: Recipient address rejected: Greylisted',
    '451 4.7.1 Greylisting in action, please come back in 00:05:00',
    '450 4.1.1 <a@example.test>: Recipient address rejected: unverified address: Address verification in progress',
    '550 Requested action not taken: mailbox unavailable',
    '550 5.5.0 Requested action not taken: mailbox unavailable (S2017062302).',
  ],
  sender: [
    '553 5.7.1 Sender rejected',
    '554-5.7.1 Relay denied',
    '554 5.7.1 <a@example.test>: Relay access denied',
    '550 relay not permitted',
    '550 5.1.8 Unknown domain',
    '550 5.1.0 <b@example.test>: Sender address rejected: User unknown in local recipient table',
    '550-Verification failed for <b@example.test>\n550 Sender verify failed',
    '550 5.7.1 Service unavailable, client host [192.0.2.1] blocked using Spamhaus',
    '550 5.7.606 Access denied, banned sending IP [192.0.2.1]',
  ],
  later: [
    '421 4.7.0 Try again later, closing connection.',
    '451 4.3.0 <a@example.test>: Temporary lookup failure',
    '452 4.3.1 Insufficient system resources',
    '450 4.7.1 Client host rejected: cannot find your hostname',
    '450 4.1.8 <b@example.test>: Sender address rejected: Domain not found',
    '454 Throttling failure: Maximum sending rate exceeded.',
  ],
  other: [
    '550 5.4.5 Daily user sending limit exceeded. For more information on Gmail',
    '550 5.4.1 Recipient address rejected: Access denied',
    '550 Administrative prohibition',
    '550 refused',
    '554 Too many messages today',
  ],
  signIn: ['530 5.7.0 Authentication required', '530 Must issue a STARTTLS command first', '535 5.7.8 Bad credentials'],
};

describe('problemOf', () => {
  it.each(Object.entries(toRecipient).flatMap(([problem, replies]) => replies.map((reply) => [problem, reply])))(
    'returns %s for the reply “%s” to the recipient, which alone may be final',
    (problem, response = '') => {
      const error = { code: 'EENVELOPE', command: 'RCPT TO', responseCode: Number.parseInt(response, 10), response };
      expect(problemOf(error)).toBe(problem);
    },
  );

  it.each([
    ['signIn', { code: 'EAUTH', responseCode: 535, command: 'AUTH PLAIN' }],
    ['later', { code: 'EAUTH', responseCode: 454, response: '454 4.7.0 Temporary authentication failure' }],
    ['signIn', { code: 'EENVELOPE', responseCode: 530, command: 'MAIL FROM' }],
    ['sender', { code: 'EENVELOPE', responseCode: 553, command: 'MAIL FROM' }],
    ['sender', { responseCode: 550, command: 'MAIL FROM', response: '550 5.4.5 Daily sending quota exceeded' }],
    ['later', { responseCode: 452, command: 'MAIL FROM', response: '452 4.3.1 Insufficient system storage' }],
    ['content', { code: 'EMESSAGE', responseCode: 554, command: 'DATA' }],
    [
      'content',
      { responseCode: 554, command: 'DATA', response: '554 Message rejected: Email address is not verified' },
    ],
    ['content', { responseCode: 550, command: 'DATA', response: '550 5.7.26 Unauthenticated email is not accepted' }],
    ['content', { responseCode: 552, command: 'DATA', response: '552 5.3.4 Message size exceeds fixed limit' }],
    ['recipient', { responseCode: 550, command: 'DATA', response: '550 5.1.1 User unknown' }],
    [
      'later',
      { responseCode: 454, command: 'DATA', response: '454 Throttling failure: Daily message quota exceeded.' },
    ],
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
    for (const name of 'abcdefgh') {
      const mail = { to: `${name}@example.test`, accountId: null, template: 'passwordGuessed', data: {} };
      await queueMail(app.db, mail, app.clock.now());
    }
    await vi.waitFor(() => expect(silent.connections.size).toBe(2), { timeout: 60_000 });
    await sql`insert into media_discard (object_key, due_at) values ('a-discarded-key', now())`.execute(app.db);
    await addJob(app.db, 'media.sweep', {});
    await sql`insert into used_token (token_hash, expires_at) values ('\\x00', ${app.clock.now()})`.execute(app.db);
    await addJob(app.db, 'auth.cleanUp', {});
    const left = () => sql`select 1 from media_discard union all select 1 from used_token`.execute(app.db);
    await vi.waitFor(async () => expect((await left()).rows).toEqual([]), { timeout: 60_000 });
    // Jobs that wait for a slot behind these emails would run after the last of them.
    const mails = await app.db.selectFrom('mail').select('attempts').where('status', '=', 'waiting').execute();
    expect(mails).toHaveLength(8);
    expect(mails).toContainEqual({ attempts: 0 });
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
      expect(part).toContain('https://heartwood.example/app/verify-email#token=abc');
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

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { register } from '#contract/auth/auth.ts';
import { listOutbox } from '#contract/system.ts';
import { startApp, type TestApp } from '../../../test/harness.ts';
import { escapeHtml } from './pages.ts';
import { queueMail } from '../notify/mail.ts';

let test: TestApp;
beforeAll(async () => {
  test = await startApp();
});
afterAll(() => test.close());

describe('the development outbox', () => {
  it('escapes members’ text on its page and in the emails', async () => {
    const name = '<img src=x onerror=alert(1)>';
    const body = { email: 'words@example.test', password: 'a long enough secret', firstName: name, acceptTerms: true };
    await test.call(register, { body });
    expect((await test.app.inject('/dev/outbox')).body).not.toContain('img src=x');
    const mail = { to: body.email, accountId: null, template: 'passkeyAdded', data: { name } };
    test.clock.advance(1);
    await queueMail(test.db, mail, test.clock.now());
    const page = (await test.app.inject('/dev/outbox')).body;
    expect(page).toContain('&lt;img src=x');
    expect(page).not.toMatch(/<img|<script/i);
    const [shown] = (await test.call(listOutbox, { query: { to: 'WORDS@example.test' } })).body.data.mails;
    expect(shown?.text).toContain(name);
    expect(shown?.html).not.toContain('<img src=x');
  });

  it('lists the newest hundred emails', async () => {
    for (let n = 0; n < 102; n += 1) {
      test.clock.advance(1);
      await test.db
        .insertInto('mail')
        .values({
          recipient: 'many@example.test',
          template: 'passwordChanged',
          data: '{}',
          created_at: test.clock.now(),
          last_error: null,
          sent_at: null,
        })
        .execute();
    }
    const { mails } = (await test.call(listOutbox, { query: { to: 'many@example.test' } })).body.data;
    expect(mails).toHaveLength(100);
    expect(mails[0]?.createdAt).toBe(test.clock.now().toISOString());
  });
});

describe('text inserted into HTML', () => {
  it('is escaped in elements and attributes', () => {
    expect(escapeHtml(`<a href="x" title='y'>&`)).toBe('&lt;a href=&quot;x&quot; title=&#39;y&#39;&gt;&amp;');
    expect(escapeHtml('ключ 🔑')).toBe('ключ 🔑');
  });
});

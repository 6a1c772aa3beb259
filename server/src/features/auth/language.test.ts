import { describe, expect, it } from 'vitest';
import { chooseLanguage, forgotPassword, register } from '#contract/auth/auth.ts';
import { login } from '#contract/auth/session.ts';
import { apiBasePath } from '#contract/constants.ts';
import { languages } from '#contract/languages.ts';
import { getProfile } from '#contract/profiles/profiles.ts';
import { takeArchive } from '../../../test/archive.ts';
import { makeMember, makeModerator } from '../../../test/factories.ts';
import { startAppForTests } from '../../../test/harness.ts';
import { hashPassword } from './password/hashing.ts';

const password = 'a long enough secret';
const test = startAppForTests();

const asking = (language: string) => ({ headers: { 'accept-language': language } });
const languageOf = async (token: string) => (await test.call(getProfile, { token })).body.userData.user.language;

describe('the language of an account', () => {
  it.each<[string, string]>([
    ...languages.map((language): [string, string] => [language, language]),
    ['cs, de;q=0.5', 'de'],
    ['no tag;;q=', 'en'],
  ])('is the one that joining asked for: %s', async (header, language) => {
    const body = { email: `${language}${header.length}@x.test`, password, firstName: 'Rosa', acceptTerms: true };
    const joined = await test.call(register, { body, ...asking(header) });
    expect(joined.body.user.language).toBe(language);
    const [mail] = await test.outbox(body.email);
    expect(mail?.html).toContain(`lang="${language}"`);
    expect(mail?.html).toContain(`dir="${language === 'ar' ? 'rtl' : 'ltr'}"`);
    if (language === 'de') expect(mail?.subject).toBe('Dein Bestätigungscode');
  });

  it('can be changed by members and staff as often as they like, and applies to mails that are waiting', async () => {
    const email = 'chooser@x.test';
    const { token } = await makeMember(test, { email, verified: false, passwordHash: await hashPassword(password) });
    await test.call(forgotPassword, { body: { email }, ...asking('pl') });
    for (let times = 0; times < 2; times += 1) {
      const { body } = await test.call(chooseLanguage, { token, body: { language: 'de' }, ...asking('en') });
      expect(body.data).toEqual({ language: 'de' });
    }
    expect(await languageOf(token)).toBe('de');
    await test.drain('auth.forgotPassword');
    expect((await test.outbox(email))[0]?.subject).toBe('Neues Passwort wählen');
    const staff = await makeModerator(test);
    await test.call(chooseLanguage, { token: staff.token, body: { language: 'de' } });
    expect(await languageOf(staff.token)).toBe('de');
    expect((await test.call(login, { body: { email, password } })).body.data).toMatchObject({
      user: { language: 'de' },
    });
  });

  it('cannot be set without a session or to an unsupported language', async () => {
    expect((await test.call(chooseLanguage, { body: { language: 'de' } })).status).toBe(401);
    const { token } = await makeMember(test);
    const refused = await test.call(chooseLanguage, { token, body: { language: 'xx' as 'de' } });
    expect([refused.status, refused.error.errors?.[0]?.field]).toEqual([400, 'language']);
    expect(await languageOf(token)).toBe('en');
  });

  it('is used for the data export', async () => {
    const { token } = await makeMember(test, { passwordHash: await hashPassword(password) });
    await test.call(chooseLanguage, { token, body: { language: 'de' } });
    const files = await takeArchive(test, token, { password });
    expect(Buffer.from(files['README.txt'] ?? []).toString()).toMatch(
      /^Was Heartwood über dich weiß und was du geschrieben hast\.\n\naccount\.json +deine E-Mail-Adresse/,
    );
    expect(JSON.parse(Buffer.from(files['account.json'] ?? []).toString())).toMatchObject({ language: 'de' });
  });
});

describe('an answer', () => {
  it.each([
    ['en', 'Please sign in', 'Use at least 10 characters', 'Not found', 'The body is not valid JSON'],
    ['de', 'Bitte melde dich an', 'Mindestens 10 Zeichen nötig', 'Nicht gefunden', 'Der Inhalt ist kein gültiges JSON'],
  ])('is in %s if the request asks for it', async (language, signIn, tooShort, missing, noJson) => {
    expect((await test.call(getProfile, asking(language))).error.message).toBe(signIn);
    const person = { email: 'short@x.test', password: 'short', firstName: 'Rosa', acceptTerms: true };
    const { error } = await test.call(register, { body: person, ...asking(language) });
    expect(error.errors).toContainEqual({ field: 'password', msg: tooShort });
    const headers = { 'accept-language': language };
    const unknown = await test.app.inject({ url: `${apiBasePath}/nowhere`, headers });
    expect(unknown.json()).toMatchObject({ message: missing });
    const broken = await test.app.inject({
      method: 'POST',
      url: apiBasePath + register.path,
      headers: { ...headers, 'content-type': 'application/json' },
      payload: '{',
    });
    expect(broken.json()).toMatchObject({ message: noJson });
  });
});

import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { register } from '#contract/auth/auth.ts';
import { login } from '#contract/auth/session.ts';
import { addJob } from '#platform/jobs/jobs.ts';
import { makeAdministrator, makeMember } from '../factories.ts';
import { startApp, startAppForTests } from '../harness.ts';
import { addressOf, contractEndpoints } from './contract-endpoints.ts';
import { password, passwordHash } from './people.ts';
import { registerNewcomer, requestFor, send } from './requests.ts';

const endpoints = await contractEndpoints();
/** Private data in unique words. */
const secrets = {
  password,
  email: 'canary-mailbox@example.test',
  firstName: 'Canarietta',
  lastName: 'Kanarienvogel',
  bio: 'yellow-feathers-in-my-bio',
  city: 'Canarytown',
  search: 'canary-search-term',
  reason: 'canary-reason-for-staff',
  latitude: '48.123456',
  longitude: '16.654321',
  userAgent: 'CanaryBrowser/7.7',
};

const test = startAppForTests();

const canaryBody: Record<string, unknown> = {
  firstName: secrets.firstName,
  lastName: secrets.lastName,
  bio: secrets.bio,
  reason: secrets.reason,
  latitude: Number(secrets.latitude),
  longitude: Number(secrets.longitude),
};

/** Every token in a set of answers and emails: long random words, and the emailed codes. */
const tokensIn = (texts: string[]) =>
  texts.flatMap((text) => text.match(/eyJ[\w-]+\.[\w-]+\.[\w-]+|(?<![\w-])[\w-]{43}(?![\w-])/g) ?? []);

async function makeEveryCall(heard: string[]): Promise<number> {
  let denied = 0;
  for (const endpoint of endpoints) {
    const options = {
      passwordHash: await passwordHash(),
      firstName: secrets.firstName,
      lastName: secrets.lastName,
      city: secrets.city,
      bio: secrets.bio,
    };
    const other = await makeMember(test, options);
    for (const actor of [await makeMember(test, options), await makeAdministrator(test, options)]) {
      const scene = { test, actor, other };
      const request = await requestFor(endpoint, scene);
      const fields = JSON.stringify(request.body ?? {});
      const known = Object.entries(canaryBody).filter(([name]) => fields.includes(`"${name}"`));
      const query =
        request.query?.['search'] === undefined ? request.query : { ...request.query, search: secrets.search };
      const headers = { 'user-agent': secrets.userAgent };
      const answer = await send(
        scene,
        endpoint,
        {
          ...request,
          ...(query === undefined ? {} : { query }),
          ...(request.body === undefined ? {} : { body: { ...request.body, ...Object.fromEntries(known) } }),
        },
        headers,
      );
      heard.push(answer.raw, actor.token, actor.refreshToken, fields);
      const url = `${addressOf(endpoint, secrets.search)}?search=${secrets.search}&token=${secrets.search}`;
      const refused = await test.app.inject({
        method: endpoint.method,
        url,
        headers: { ...headers, authorization: `Bearer ${secrets.search}` },
        payload: JSON.stringify({ ...canaryBody, password, token: secrets.search }),
      });
      for (const { status, raw } of [answer, { status: refused.statusCode, raw: refused.body }])
        if ([401, 403, 429].includes(status) || /"code":"(INVALID_CODE|PASSKEY_REFUSED)"/.test(raw)) denied += 1;
    }
  }
  return denied;
}

describe('logs', () => {
  it('contain every refusal but no password, token, address, code, search term, text or place, even when verbose', async () => {
    const heard: string[] = [];
    const person = await registerNewcomer(test, {
      email: secrets.email,
      firstName: secrets.firstName,
      lastName: secrets.lastName,
    });
    heard.push(person.token, person.refreshToken, person.verificationToken, person.linkToken);
    const before = deniedIn(test.logLines());
    const denied = await makeEveryCall(heard);
    await test.drain();
    const lines = test.logLines();
    expect(deniedIn(lines) - before).toBe(denied);
    const outbox = await sql<{ text: string }>`select data::text as text from mail`.execute(test.db);
    const mails = outbox.rows.map(({ text }) => text);
    const codes = mails.flatMap((text) => /"code": ?"(\d{6})"/.exec(text)?.[1] ?? []);
    expect(codes.length).toBeGreaterThan(3);
    expect(codes.filter((code) => new RegExp(`(?<![\\w.-])${code}(?![\\w.-])`).test(lines))).toEqual([]);
    const tokens = [...new Set(tokensIn([...heard, ...mails]))];
    expect(tokens.length).toBeGreaterThan(50);
    expect(tokens.filter((token) => lines.includes(token))).toEqual([]);
    expect(Object.entries(secrets).filter(([, secret]) => lines.includes(secret))).toEqual([]);
    expect(lines).not.toContain('@');
  });

  it('contain the request id, route, status and time of each answer', async () => {
    const refused = await test.call(login, { body: { email: 'nobody@example.test', password } });
    const lines = linesOf(test.logLines()).filter((line) => JSON.stringify(line).includes(refused.error.requestId));
    expect(lines).toContainEqual(
      expect.objectContaining({ msg: 'request denied', code: 'INVALID_CREDENTIALS', network: '127.0.0.0/24' }),
    );
    expect(lines).toContainEqual(
      expect.objectContaining({
        msg: 'answered',
        req: expect.objectContaining({ route: '/api/v1/auth/login' }) as unknown,
      }),
    );
  });

  it('contain the location of unexpected errors, without any member’s text', async () => {
    const broken = await startApp();
    await sql`alter table profile rename column first_name to given_name`.execute(broken.db);
    const failed = await broken.call(register, {
      body: { email: secrets.email, password, firstName: secrets.firstName, acceptTerms: true },
    });
    await addJob(broken.db, 'auth.resendVerification', { email: secrets.email, handleHash: 7 });
    await broken.drain();
    const lines = broken.logLines();
    expect(failed.error).toMatchObject({ code: 'UNAVAILABLE', message: register.faultMessage.message });
    expect(lines).toContain('"code":"42703"');
    expect(lines).toMatch(/auth\/join\/join\.ts:\d+/);
    expect(lines).toContain('"task":"auth.resendVerification"');
    expect(Object.values(secrets).filter((secret) => lines.includes(secret))).toEqual([]);
    await broken.close();
  });
});

const linesOf = (lines: string) =>
  lines
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
const deniedIn = (lines: string) => linesOf(lines).filter((line) => line['msg'] === 'request denied').length;

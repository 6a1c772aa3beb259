import { strFromU8 } from 'fflate';
import { beforeAll, describe, expect, it } from 'vitest';
import { type AgeAnswer, getAgeCheck, startAgeCheck, takeAgeAnswer } from '#contract/age-check.ts';
import { requestLimits } from '#contract/constants.ts';
import { askForAge } from '#contract/moderation/age.ts';
import { decideCase, getCase } from '#contract/moderation/cases.ts';
import { editProfile } from '#contract/profiles/profiles.ts';
import { sendMessage } from '#contract/messages/messages.ts';
import { takeArchive } from '../../../../test/archive.ts';
import { makeMember, type MemberOptions, makeModerator, signIn, type TestMember } from '../../../../test/factories.ts';
import { startApp, startAppForTests } from '../../../../test/harness.ts';
import { likesIn, placeMatch } from '../../../../test/likes.ts';
import { caseIdOf, fileReport } from '../../../../test/moderation/reports.ts';
import { hashPassword } from '../../auth/password/hashing.ts';
import { ageSignature } from './provider.ts';

const secret = 'a secret that is shared with the provider';
let moderator: TestMember;
const app = startAppForTests({
  AGE_PROVIDER: 'https://age.example/check?client=7',
  AGE_SECRET: secret,
  AGE_REQUIRED: 'NO:joining, DK:first-message',
});
beforeAll(async () => {
  moderator = await makeModerator(app);
});

const { like } = likesIn(() => app);
const long = (options: MemberOptions = {}) =>
  makeMember(app, { createdAt: new Date('2026-01-01T00:00:00.000Z'), country: 'Chile', ...options });
const own = async ({ token }: TestMember) => (await app.call(getAgeCheck, { token })).body.data;
const begin = ({ token }: TestMember) => app.call(startAgeCheck, { token });
const today = () => app.clock.now().toISOString().slice(0, 10);
const answered = (body: AgeAnswer) => app.call(takeAgeAnswer, { body });
const signed = (check: string, result: AgeAnswer['result']) =>
  answered({ check, result, signature: ageSignature(secret, check, result) });
const write = async (by: TestMember, to: TestMember) =>
  app.call(sendMessage, {
    token: by.token,
    params: { id: await placeMatch(app, by, to) },
    body: { clientId: crypto.randomUUID(), text: 'Hello' },
  });

/** Starts a check; returns its id at the provider. */
async function check(member: TestMember): Promise<string> {
  const { url } = (await begin(member)).body.data;
  return new URL(url).searchParams.get('check') ?? '';
}

async function finish(member: TestMember, result: AgeAnswer['result']) {
  return await signed(await check(member), result);
}

const ask = (id: string) => app.call(askForAge, { token: moderator.token, params: { id } });

/** Someone reported as a possible minor. */
async function reportedMember() {
  const person = await long();
  const about = { problem_type: 'Harassment' as const, reportedUser: person.id, mayBeMinor: true };
  const report = await fileReport(app, await long(), about);
  return { person, caseId: await caseIdOf(app, report._id) };
}

/** The same person, asked by a moderator. */
async function askedMember() {
  const reported = await reportedMember();
  expect((await ask(reported.caseId)).status).toBe(200);
  return reported;
}
const fileOf = async (id: string) => (await app.call(getCase, { token: moderator.token, params: { id } })).body.data;

describe('an age check', () => {
  it('sends the member to the provider with a random name and nothing else about them', async () => {
    const member = await long();
    const { url } = (await begin(member)).body.data;
    const { origin, searchParams } = new URL(url);
    expect(origin).toBe('https://age.example');
    expect([...searchParams.keys()]).toEqual(['client', 'check', 'return', 'signature']);
    const [name, back] = [searchParams.get('check') ?? '', searchParams.get('return') ?? ''];
    expect(searchParams.get('signature')).toBe(ageSignature(secret, name, back));
    expect(back).toBe('http://localhost:3000/app/verify-age');
    expect(url).not.toContain(member.id);
  });

  it('stores only that the member is an adult, and when', async () => {
    const member = await long();
    expect(await own(member)).toMatchObject({ state: 'declared', since: null, canStart: true });
    expect((await finish(member, 'adult')).status).toBe(200);
    expect(await own(member)).toMatchObject({ state: 'assured', since: today(), canStart: false });
    const row = await app.db.selectFrom('age_check').selectAll().where('account_id', '=', member.id).executeTakeFirst();
    expect(row).toEqual({
      account_id: member.id,
      state: 'assured',
      at: app.clock.now(),
      open_check: null,
      open_until: null,
      asked_at: null,
    });
    expect((await begin(member)).status).toBe(409);
  });

  it('rejects answers that are unsigned, for another result, or repeated', async () => {
    const member = await long();
    const name = await check(member);
    const right = ageSignature(secret, name, 'adult');
    const forged: AgeAnswer[] = [
      { check: name, result: 'adult', signature: ageSignature('another secret', name, 'adult') },
      { check: name, result: 'adult', signature: ageSignature(secret, name, 'minor') },
      { check: name, result: 'adult', signature: right.slice(1) },
      { check: crypto.randomUUID(), result: 'adult', signature: right },
    ];
    for (const one of forged) expect((await answered(one)).status).toBe(404);
    expect(await own(member)).toMatchObject({ state: 'declared' });
    const given = { check: name, result: 'adult' as const, signature: right };
    expect((await answered(given)).status).toBe(200);
    expect((await answered(given)).status).toBe(404);
  });

  it('stays the same when it is restarted or requested again, so that no one can discard the answer', async () => {
    const { person, caseId } = await reportedMember();
    const name = await check(person);
    expect(await check(person)).toBe(name);
    expect((await ask(caseId)).status).toBe(200);
    expect((await signed(name, 'minor')).status).toBe(200);
    expect(await own(person)).toMatchObject({ state: 'failed', canStart: false });
  });

  it('expires after an hour, and can be restarted', async () => {
    const member = await long();
    const name = await check(member);
    app.clock.advance(3600);
    Object.assign(member, await signIn(app, member.id));
    expect(await own(member)).toMatchObject({ state: 'expired', canStart: true });
    expect((await signed(name, 'adult')).status).toBe(404);
    expect(await check(member)).not.toBe(name);
    expect((await finish(member, 'adult')).status).toBe(200);
    moderator = { ...moderator, ...(await signIn(app, moderator.id, true)) };
  });

  it('is part of the data export', async () => {
    const member = await long({ passwordHash: await hashPassword('correct horse battery') });
    await finish(member, 'adult');
    const files = await takeArchive(app, member.token, { password: 'correct horse battery' });
    expect(JSON.parse(strFromU8(files['age.json'] ?? new Uint8Array()))).toEqual({
      state: 'assured',
      since: today(),
      askedOn: null,
    });
  });
});

describe('a country that requires an age check', () => {
  it('at joining: rejects a place there until the age is confirmed', async () => {
    const newcomer = await long({ city: null, country: null, latitude: null, longitude: null });
    const move = () =>
      app.call(editProfile, { token: newcomer.token, body: { location: { city: 'Oslo', country: 'Norway' } } });
    const refused = await move();
    expect([refused.status, refused.error.code]).toEqual([403, 'AGE_ASSURANCE_REQUIRED']);
    await finish(newcomer, 'adult');
    expect((await move()).status).toBe(200);
  });

  it('at the first message: rejects it and notes, but no answers, until the age is confirmed', async () => {
    const [dane, other] = [await long({ country: 'Denmark' }), await long()];
    const refused = await write(dane, other);
    expect([refused.status, refused.error.code]).toEqual([403, 'AGE_ASSURANCE_REQUIRED']);
    expect((await like(dane, await long(), { note: 'Hello' })).error.code).toBe('AGE_ASSURANCE_REQUIRED');
    expect((await like(dane, await long())).status).toBe(201);
    const third = await long();
    const matchId = await placeMatch(app, third, dane);
    const say = (by: TestMember) =>
      app.call(sendMessage, {
        token: by.token,
        params: { id: matchId },
        body: { clientId: crypto.randomUUID(), text: 'Hello' },
      });
    expect((await say(third)).status).toBe(201);
    expect((await say(dane)).status).toBe(201);
    await finish(dane, 'adult');
    expect((await write(dane, await long())).status).toBe(201);
  });

  it('never: requires no check', async () => {
    expect((await write(await long(), await long())).status).toBe(201);
  });
});

describe('POST /admin/cases/{id}/ask-age', () => {
  it('emails the request, and keeps the person from writing first until their age is confirmed', async () => {
    const { person, caseId } = await askedMember();
    expect((await fileOf(caseId)).age).toEqual({ state: 'declared', since: today(), askedOn: today(), canAsk: false });
    expect((await app.outbox(person.email)).map(({ subject }) => subject)).toContain(
      'Please confirm that you are an adult',
    );
    expect((await write(person, await long())).error.code).toBe('AGE_ASSURANCE_REQUIRED');
    await finish(person, 'adult');
    expect((await write(person, await long())).status).toBe(201);
    const { age, timeline } = await fileOf(caseId);
    expect(age).toMatchObject({ state: 'assured', canAsk: false });
    expect(timeline.map(({ kind, to }) => [kind, to])).toEqual(
      expect.arrayContaining([
        ['age_asked', null],
        ['age_answered', 'assured'],
      ]),
    );
  });

  it('makes the case critical if the check fails, and allows another one on request, even without an open report', async () => {
    const { person, caseId } = await askedMember();
    await finish(person, 'minor');
    const { case: of, age } = await fileOf(caseId);
    expect(of).toMatchObject({ priority: 'critical', criticalBecause: 'minor', openReports: 2 });
    expect(age).toMatchObject({ state: 'failed', canAsk: true });
    expect((await begin(person)).status).toBe(409);
    expect((await write(person, await long())).error.code).toBe('AGE_ASSURANCE_REQUIRED');
    await app.db.updateTable('report').set({ status: 'rejected' }).where('case_id', '=', caseId).execute();
    expect((await ask(caseId)).status).toBe(200);
    expect((await begin(person)).status).toBe(200);
  });

  it('explains the consequences to someone who failed, and ends with a decision without a measure', async () => {
    const { person, caseId } = await askedMember();
    await finish(person, 'minor');
    const subjects = async () => (await app.outbox(person.email)).map(({ subject }) => subject);
    expect(await subjects()).toContain("Your age check didn't succeed");
    const body = { outcome: 'no_violation' as const, facts: 'The passport shows an adult.' };
    expect((await app.call(decideCase, { token: moderator.token, params: { id: caseId }, body })).status).toBe(201);
    expect(await own(person)).toMatchObject({ state: 'declared', isAsked: false, canStart: true });
    expect((await write(person, await long())).status).toBe(201);
    expect(await subjects()).toContain('We reviewed your age check');
  });

  it('opens a critical case for someone who fails without a report', async () => {
    const person = await long();
    await finish(person, 'minor');
    const { id } = await app.db
      .selectFrom('moderation_case')
      .select('id')
      .where('person_id', '=', person.id)
      .executeTakeFirstOrThrow();
    expect((await fileOf(id)).case).toMatchObject({ priority: 'critical', criticalBecause: 'minor' });
  });

  it('returns 409 without a report that the person may be a minor, and after an earlier request', async () => {
    const report = await fileReport(app, await long(), { problem_type: 'Harassment', reportedUser: (await long()).id });
    const other = await caseIdOf(app, report._id);
    expect((await ask(other)).status).toBe(409);
    const { caseId } = await askedMember();
    expect((await ask(caseId)).status).toBe(409);
  });
});

describe('an installation without a provider', () => {
  it('offers no check and requires none', async () => {
    const without = await startApp({ AGE_PROVIDER: 'off' });
    const member = await makeMember(without);
    const { body } = await without.call(getAgeCheck, { token: member.token });
    expect(body.data).toMatchObject({ state: 'declared', rule: 'never', canStart: false });
    expect((await without.call(startAgeCheck, { token: member.token })).status).toBe(409);
    const forged = { check: crypto.randomUUID(), result: 'adult' as const, signature: '' };
    expect((await without.call(takeAgeAnswer, { body: { ...forged, signature: 'x' } })).status).toBe(404);
    await without.close();
  });
});

describe('POST /age-check/answer', () => {
  it('limits forged answers, but never those of the provider', async () => {
    const limited = await startApp({ RATE_LIMITS: 'on', AGE_PROVIDER: 'https://age.example/', AGE_SECRET: secret });
    const given = { check: crypto.randomUUID(), result: 'adult' as const };
    const send = async (signature: string) =>
      (await limited.call(takeAgeAnswer, { body: { ...given, signature } })).status;
    const right = ageSignature(secret, given.check, given.result);
    const most = requestLimits.codeTry.requests;
    for (let n = 0; n <= most; n += 1) expect(await send(right)).toBe(404);
    for (let n = 0; n < most; n += 1) expect(await send('forged')).toBe(404);
    expect(await send('forged')).toBe(429);
    expect(await send(right)).toBe(404);
    await limited.close();
  });
});

import { strFromU8, unzipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { apiBasePath } from '#contract/constants.ts';
import { blockUser } from '#contract/connections/blocks.ts';
import { putAnswer } from '#contract/compatibility/compatibility.ts';
import { putPreferences } from '#contract/discovery/discovery.ts';
import { editProfile } from '#contract/profiles/profiles.ts';
import { currentCodeHeader, currentPasskeyHeader, currentPasswordHeader, exportOwnData } from '#contract/takeout.ts';
import { hashPassword } from '../auth/password/hashing.ts';
import { makeAdministrator, makeMember, makeModerator, type TestMember } from '../../../test/factories.ts';
import { startApp, type TestApp } from '../../../test/harness.ts';
import { answer, fileReport } from '../../../test/reports.ts';

const password = 'mín heslo & более';
let app: TestApp;
let passwordHash: string;
beforeAll(async () => {
  app = await startApp();
  passwordHash = await hashPassword(password);
});
afterAll(() => app.close());

const take = (by: TestMember, given = encodeURIComponent(password)) =>
  app.app.inject({
    url: `${apiBasePath}${exportOwnData.path}`,
    headers: { authorization: `Bearer ${by.token}`, [currentPasswordHeader]: given },
  });

async function archiveOf(by: TestMember): Promise<Record<string, string>> {
  const { rawPayload, statusCode, headers } = await take(by);
  expect([statusCode, headers['content-type'], headers['cache-control']]).toEqual([200, 'application/zip', 'no-store']);
  const files = unzipSync(new Uint8Array(rawPayload));
  return Object.fromEntries(Object.entries(files).map(([name, bytes]) => [name, strFromU8(bytes)]));
}

describe('the data export', () => {
  test('contains all my data in one archive', async () => {
    const ada = await makeMember(app, {
      passwordHash,
      firstName: 'Ada',
      bio: 'Bio of mine',
      latitude: 50.1,
      longitude: 14.4,
    });
    const bo = await makeMember(app, { firstName: 'Bo' });
    await app.call(editProfile, { token: ada.token, body: { interests: ['beekeeping'], heightCm: 171 } });
    await app.call(putPreferences, {
      token: ada.token,
      body: { age: { min: 30, max: 44, required: true } },
    });
    await app.call(putAnswer, {
      token: ada.token,
      params: { questionId: 'tidiness' },
      body: { answer: 'blind', accepted: ['strict', 'lived-in'], importance: 'mandatory' },
    });
    await app.call(blockUser, { token: ada.token, params: { userId: bo.id } });
    const report = await fileReport(app, ada, { description: 'What I told you' });
    await answer(app, ada, report._id, 'And what I added');
    const files = await archiveOf(ada);
    const all = Object.values(files).join('\n');
    for (const mine of [
      ada.id,
      ada.email,
      'Bio of mine',
      'beekeeping',
      '171',
      '50.1',
      'Firefox on Linux',
      '"min": 30',
      'Bo',
      'What I told you',
      'And what I added',
    ]) {
      expect(all, mine).toContain(mine);
    }
    expect(JSON.parse(files['answers.json'] ?? '')).toEqual([
      {
        question: 'How tidy should a shared home be?',
        answer: 'I hardly notice',
        accepted: ['Everything in its place', 'Tidy, but lived in'],
        importance: 'A must',
      },
    ]);
    for (const [name, text] of Object.entries(files)) {
      if (name.endsWith('.json')) expect(() => JSON.parse(text) as unknown, name).not.toThrow();
    }
    expect(files['README.txt']).toContain('reports.json');
  });

  test('contains no internal notes, staff names, reporters, blockers, hashes or tokens', async () => {
    const ada = await makeMember(app, { passwordHash });
    const enemy = await makeMember(app, { firstName: 'Canaryenemy', email: 'canary-enemy@example.test' });
    const moderator = await makeModerator(app, { firstName: 'Canarymoderator' });
    const mine = await fileReport(app, ada);
    const theirs = await fileReport(app, enemy, { reportedUser: ada.id, description: 'CANARYREPORT' });
    await answer(app, moderator, mine._id, 'CANARYNOTE', true);
    await answer(app, moderator, mine._id, 'Answer to me');
    await app.call(blockUser, { token: ada.token, params: { userId: enemy.id } });
    const all = Object.values(await archiveOf(ada)).join('\n');
    expect(all).toContain('Answer to me');
    const secret = [theirs._id, 'CANARY', 'Canarymoderator', 'Canaryenemy', 'canary-enemy', passwordHash.slice(-20)];
    expect([...secret, ada.token, ada.refreshToken].filter((canary) => all.includes(canary))).toEqual([]);
  });

  test.each([
    ['a wrong one', encodeURIComponent('not mine at all'), 'WRONG_PASSWORD'],
    ['one that cannot be decoded', '%E0%A4%A', 'WRONG_PASSWORD'],
    ['a huge one', 'x'.repeat(3000), 'PROOF_REQUIRED'],
    ['none', '', 'PROOF_REQUIRED'],
  ])('requires the password: %s is refused', async (_, given, code) => {
    const refused = await take(await makeMember(app, { passwordHash }), given);
    expect(refused.statusCode).toBe(403);
    expect(refused.json()).toMatchObject({ code });
  });

  test.each([
    ['a code that is none', currentCodeHeader, 'not a code'],
    ['a passkey that is no JSON', currentPasskeyHeader, '%7B'],
    ['a passkey of another form', currentPasskeyHeader, encodeURIComponent('{"id":1}')],
    ['a passkey that is a text', currentPasskeyHeader, '%22passkey%22'],
    ['a passkey that is nothing', currentPasskeyHeader, 'null'],
    ['an empty passkey', currentPasskeyHeader, ''],
    ['a prototype', currentPasskeyHeader, encodeURIComponent('{"__proto__":{"id":"x"}}')],
  ])('refuses %s with the right password', async (_, header, value) => {
    const { token } = await makeMember(app, { passwordHash });
    const refused = await app.app.inject({
      url: `${apiBasePath}${exportOwnData.path}`,
      headers: {
        authorization: `Bearer ${token}`,
        [currentPasswordHeader]: encodeURIComponent(password),
        [header]: value,
      },
    });
    expect(refused.statusCode).toBe(403);
    expect(refused.json()).toMatchObject({ code: 'PROOF_REQUIRED' });
  });

  test('is refused to staff and visitors', async () => {
    for (const staff of [await makeAdministrator(app, { passwordHash }), await makeModerator(app, { passwordHash })]) {
      expect((await take(staff)).statusCode).toBe(403);
    }
    expect((await app.app.inject({ url: `${apiBasePath}${exportOwnData.path}` })).statusCode).toBe(401);
  });
});

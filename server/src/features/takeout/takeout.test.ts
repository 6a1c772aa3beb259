import { randomBytes } from 'node:crypto';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { strFromU8, unzipSync } from 'fflate';
import type { JobHelpers } from 'graphile-worker';
import { sql } from 'kysely';
import pg from 'pg';
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { apiBasePath, termsVersion } from '#contract/constants.ts';
import { blockUser } from '#contract/connections.ts';
import { putAnswer } from '#contract/compatibility.ts';
import { putPreferences } from '#contract/discovery.ts';
import { editProfile } from '#contract/profiles/profiles.ts';
import { tagUser } from '#contract/moderation/tags.ts';
import {
  askForExport,
  currentCodeHeader,
  currentPasskeyHeader,
  currentPasswordHeader,
  getExport,
} from '#contract/takeout.ts';
import { agreeToTerms, changePassword, leaveService } from '#contract/auth/auth.ts';
import { listNotifications } from '#contract/notifications.ts';
import { rowsOfPeople } from '#platform/people/forget.ts';
import { hashPassword } from '../auth/password/hashing.ts';
import { diskStorage } from '../media/storage/storage.ts';
import { downloadArchive, takeArchive, whileJobsRun } from '../../../test/archive.ts';
import { deleteAccounts, makeMember, makeModerator, signIn, type TestMember } from '../../../test/factories.ts';
import { bareUpload } from '../../../test/pictures.ts';
import { startApp, startAppForTests } from '../../../test/harness.ts';
import { answer, fileReport, leaveNote } from '../../../test/moderation/reports.ts';
import { hitByRule } from '../../../test/moderation/automatic-rules.ts';
import { newTag, noteAbout } from '../../../test/user-files.ts';

const password = 'mín heslo & более';
const app = startAppForTests();
let passwordHash: string;
beforeAll(async () => {
  passwordHash = await hashPassword(password);
});

const take = (by: TestMember, given = encodeURIComponent(password)) =>
  downloadArchive(app, by.token, { [currentPasswordHeader]: given });

async function archiveOf(by: TestMember): Promise<Record<string, string>> {
  const files = await takeArchive(app, by.token, { password });
  return Object.fromEntries(Object.entries(files).map(([name, bytes]) => [name, strFromU8(bytes)]));
}

const prepare = (by: TestMember) => app.call(askForExport, { token: by.token, body: { password } });
const stateOf = async ({ token }: TestMember) => (await app.call(getExport, { token })).body.data.export.state;

/** The archive files in the storage, after those due within two hours were deleted. */
async function storedFiles(): Promise<string[]> {
  await app.sql`update media_discard set due_at = now() where due_at < now() + interval '2 hours'`;
  await app.app.background.tasks['media.sweep']?.({}, undefined as never);
  const files = await readdir(app.mediaDir, { recursive: true, withFileTypes: true });
  return files.filter((file) => file.isFile() && file.name.startsWith('export-')).map(({ name }) => name);
}

/** Two pictures of 2.5 MB each, the second of which can't be read until it is repaired. */
async function breakPicture(by: TestMember): Promise<() => Promise<void>> {
  const storage = diskStorage(app.mediaDir);
  const keys = [1, 2].map(() => randomBytes(16).toString('base64url'));
  for (const [place, key] of keys.entries()) {
    const now = app.clock.now();
    const taken = { account_id: by.id, state: 'approved' as const, place, claimed_at: now, decided_at: now };
    await app.db
      .insertInto('picture')
      .values({ ...bareUpload(key, key, now), ...taken })
      .execute();
    await storage.put(`${key}.large`, randomBytes(2_500_000));
  }
  const files = await readdir(app.mediaDir, { recursive: true });
  const file = join(app.mediaDir, files.find((name) => name.endsWith(`${keys[1]}.large`)) ?? '');
  await rm(file);
  await mkdir(file);
  return () => rm(file, { recursive: true });
}

describe('a data export', () => {
  test('reads every table that belongs to a file of the export', async () => {
    const member = await makeMember(app);
    await fileReport(app, member);
    const now = app.clock.now();
    const factor = { account_id: member.id, sealed_secret: randomBytes(8), since: now, last_step: 1 };
    await app.db.insertInto('totp_factor').values(factor).execute();
    const asked = { account_id: member.id, asked_at: now, proven_at: now };
    const { id } = await app.db.insertInto('data_export').values(asked).returning('id').executeTakeFirstOrThrow();
    const queries = vi.spyOn(pg.Client.prototype, 'query');
    await app.app.background.tasks['takeout.prepare']?.({ id }, { job: { attempts: 1, max_attempts: 1 } } as never);
    const texts = queries.mock.calls.map(([query]: unknown[]) =>
      typeof query === 'string' ? query : (query as { text: string }).text,
    );
    queries.mockRestore();
    const read = new Set(texts.join(' ').match(/(?<=\b(?:from|join) "?)\w+/g));
    const exported = rowsOfPeople.filter(([, { exportAs }]) => /[./]/.test(exportAs)).map(([table]) => table);
    const unread = exported.filter((table) => !read.has(table));
    expect(unread, 'Read them in archive.ts, for the file that people/tables.ts names').toEqual([]);
  });

  test('contains all of the member’s data in one archive', async () => {
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
    const agreed = { account_id: ada.id, kind: 'terms', version: '2024-05-01', accepted_at: new Date('2024-06-01') };
    await app.db.insertInto('consent').values(agreed).execute();
    await app.call(agreeToTerms, { token: ada.token, body: { version: termsVersion } });
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
    expect(JSON.parse(files['account.json'] ?? '')).toMatchObject({
      consents: [
        { kind: 'terms', version: '2024-05-01', acceptedAt: '2024-06-01T00:00:00.000Z' },
        { kind: 'terms', version: termsVersion, acceptedAt: app.clock.now().toISOString() },
      ],
    });
    expect(JSON.parse(files['changes.json'] ?? '')).toEqual([
      { at: app.clock.now().toISOString(), fields: ['interests', 'heightCm'] },
    ]);
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
    expect(files['README.txt']).toMatch(/reports\.json[^]*appeals\.json[^]*ask for a copy through Support/);
  });

  test('contains no internal notes, staff names, reporters, blockers, hashes or tokens', async () => {
    const ada = await makeMember(app, { passwordHash });
    const enemy = await makeMember(app, { firstName: 'Canaryenemy', email: 'canary-enemy@example.test' });
    const moderator = await makeModerator(app, { firstName: 'Canarymoderator' });
    const mine = await fileReport(app, ada);
    const theirs = await fileReport(app, enemy, { reportedUser: ada.id, description: 'CANARYREPORT' });
    await leaveNote(app, moderator, mine._id, 'CANARYNOTE');
    await answer(app, moderator, mine._id, 'Answer to me');
    await app.call(blockUser, { token: ada.token, params: { userId: enemy.id } });
    await noteAbout(app, ada.id, moderator.id, 'CANARYSTAFFNOTE');
    await hitByRule(app, ada, { name: 'CANARYRULE' });
    const tags = { add: [await newTag(app, 'CANARYTAG')] };
    expect((await app.call(tagUser, { token: moderator.token, params: { id: ada.id }, body: tags })).status).toBe(200);
    const all = Object.values(await archiveOf(ada)).join('\n');
    expect(all).toContain('Answer to me');
    const secret = [theirs._id, 'CANARY', 'Canarymoderator', 'Canaryenemy', 'canary-enemy', passwordHash.slice(-20)];
    expect([...secret, ada.token, ada.refreshToken].filter((canary) => all.includes(canary))).toEqual([]);
  });

  test.each([
    ['a wrong one', encodeURIComponent('not mine at all'), 'WRONG_PASSWORD'],
    ['one that cannot be decoded', '%E0%A4%A', 'WRONG_PASSWORD'],
    ['a huge one', 'x'.repeat(3000), 'PROOF_REQUIRED'],
    ['no password', '', 'PROOF_REQUIRED'],
  ])('is rejected without the right password, with %s', async (_, given, code) => {
    const refused = await take(await makeMember(app, { passwordHash }), given);
    expect(refused.statusCode).toBe(403);
    expect(refused.json()).toMatchObject({ code });
  });

  test.each([
    ['an invalid code', currentCodeHeader, 'not a code'],
    ['a passkey that is not JSON', currentPasskeyHeader, '%7B'],
    ['a passkey of another shape', currentPasskeyHeader, encodeURIComponent('{"id":1}')],
    ['a passkey that is a string', currentPasskeyHeader, '%22passkey%22'],
    ['a passkey that is null', currentPasskeyHeader, 'null'],
    ['an empty passkey', currentPasskeyHeader, ''],
    ['a prototype', currentPasskeyHeader, encodeURIComponent('{"__proto__":{"id":"x"}}')],
  ])('is rejected with the right password and %s', async (_, header, value) => {
    const { token } = await makeMember(app, { passwordHash });
    const refused = await downloadArchive(app, token, {
      [currentPasswordHeader]: encodeURIComponent(password),
      [header]: value,
    });
    expect(refused.statusCode).toBe(403);
    expect(refused.json()).toMatchObject({ code: 'PROOF_REQUIRED' });
  });
});

describe('the archive of a data export', () => {
  const day = 86_400;
  beforeEach(async () => {
    await app.db.deleteFrom('data_export').execute();
    await app.sql`update media_discard set due_at = now()`;
    await storedFiles();
  });
  /** The token of another session. */
  const tokenOf = async ({ id }: TestMember) => (await signIn(app, id)).token;

  test('is prepared by a job, announced by mail, and kept for seven days', async () => {
    const ada = await makeMember(app, { passwordHash });
    const asked = (await prepare(ada)).body.data.export;
    expect(asked).toMatchObject({ state: 'preparing', sizeBytes: null, availableUntil: null });
    await app.drain();
    const { export: ready } = (await app.call(getExport, { token: ada.token })).body.data;
    const until = new Date(app.clock.now().getTime() + 7 * day * 1000).toISOString();
    const { rawPayload, headers } = await downloadArchive(app, ada.token);
    expect(ready).toMatchObject({ state: 'ready', sizeBytes: rawPayload.length, availableUntil: until });
    expect([headers['content-type'], headers['content-length'], headers['cache-control']]).toEqual([
      'application/zip',
      String(rawPayload.length),
      'no-store',
    ]);
    const [mail] = await app.outbox(ada.email);
    expect(mail?.text).toContain(`until ${until.slice(0, 10)}`);
    const listed = async () =>
      (await app.call(listNotifications, { token: await tokenOf(ada) })).body.data.notifications;
    expect(await listed()).toMatchObject([{ kind: 'export', subjectId: null, isRead: true }]);
    expect(await storedFiles()).toHaveLength(1);

    app.clock.advance(7 * day);
    await app.sql`update media_discard set due_at = due_at - interval '7 days'`;
    await app.app.background.tasks['takeout.cleanUp']?.({}, undefined as never);
    expect([await listed(), await storedFiles()]).toEqual([[], []]);
  });

  test('can be downloaded with a proof, or for ten minutes in the session that requested it', async () => {
    const ada = await makeMember(app, { passwordHash });
    await prepare(ada);
    await app.drain();
    expect((await downloadArchive(app, await tokenOf(ada))).json()).toMatchObject({ code: 'WRONG_PASSWORD' });
    expect((await downloadArchive(app, ada.token)).statusCode).toBe(200);
    expect((await take(ada, 'not mine')).statusCode).toBe(403);
    app.clock.advance(600);
    expect((await downloadArchive(app, ada.token)).statusCode).toBe(403);
    expect((await take(ada)).statusCode).toBe(200);
  });

  test('is prepared for clients that only download', async () => {
    const ada = await makeMember(app, { passwordHash });
    const answered = await whileJobsRun(app, take(ada));
    expect(answered.headers['content-disposition']).toMatch(/filename="heartwood-\d{4}-\d\d-\d\d\.zip"/);
    expect(Object.keys(unzipSync(new Uint8Array(answered.rawPayload)))).toContain('account.json');
  });

  test('is prepared once when it is requested twice, and replaced when it is ready', async () => {
    const ada = await makeMember(app, { passwordHash });
    const [first, second] = await Promise.all([prepare(ada), prepare(ada)]);
    expect([first.body.data.export.state, second.body.data.export.state]).toEqual(['preparing', 'preparing']);
    await app.drain();
    expect(await app.outbox(ada.email)).toHaveLength(1);
    const before = await storedFiles();
    expect((await prepare(ada)).body.data.export.state).toBe('preparing');
    expect(await storedFiles()).toEqual([]);
    await app.drain();
    expect(await storedFiles()).not.toEqual(before);
  });

  test('can be replaced after an hour at the earliest', async () => {
    const limited = await startApp({ RATE_LIMITS: 'on' });
    const { id, token } = await makeMember(limited, { passwordHash });
    const ask = async (by: string) => limited.call(askForExport, { token: by, body: { password } });
    await ask(token);
    await limited.drain();
    const refused = await ask(token);
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, '3600']);
    limited.clock.advance(3600);
    expect((await ask((await signIn(limited, id)).token)).status).toBe(200);
    await limited.close();
  });

  test('is not offered until all of it is stored, and an interrupted attempt leaves nothing behind', async () => {
    const ada = await makeMember(app, { passwordHash, pictureless: true });
    const repair = await breakPicture(ada);
    await prepare(ada);
    await app.drain();
    expect(await stateOf(ada)).toBe('preparing');
    const { rows } = await sql`select from media_discard where object_key like 'export-%'`.execute(app.db);
    expect(rows).toHaveLength(1);
    expect(await storedFiles()).toEqual([]);

    await repair();
    await app.drainLater();
    expect((await downloadArchive(app, ada.token)).statusCode).toBe(200);
    expect((await storedFiles()).length).toBeGreaterThan(1);
  });

  test('is given up if it can never be prepared, and can be requested again', async () => {
    const ada = await makeMember(app, { passwordHash, pictureless: true });
    await breakPicture(ada);
    await prepare(ada);
    const { id } = await app.db
      .selectFrom('data_export')
      .select('id')
      .where('account_id', '=', ada.id)
      .executeTakeFirstOrThrow();
    const lastTry = { job: { attempts: 8, max_attempts: 8 } } as JobHelpers;
    await expect(app.app.background.tasks['takeout.prepare']?.({ id }, lastTry)).rejects.toThrow('EISDIR');
    expect(await stateOf(ada)).toBe('failed');
    expect((await prepare(ada)).body.data.export.state).toBe('preparing');
  });

  test.each(
    Object.entries<(by: TestMember) => Promise<unknown>>({
      'a new password': ({ token }) =>
        app.call(changePassword, { token, body: { currentPassword: password, password: 'nine quiet walnut trees' } }),
      'a new address': ({ id }) =>
        app.db
          .updateTable('account')
          .set({ email: `new-${id}@example.test` })
          .where('id', '=', id)
          .execute(),
      leaving: ({ token }) => app.call(leaveService, { token, body: { password } }),
      deactivation: ({ id }) =>
        app.db
          .updateTable('account')
          .set({ is_active: false, deactivated_at: app.clock.now(), deactivation_reason: 'Spam' })
          .where('id', '=', id)
          .execute(),
      'the end of the account': ({ id }) => deleteAccounts(app, id),
    }),
  )('is deleted with %s, even while it is being prepared', async (_, happen) => {
    const [ada, bo] = [await makeMember(app, { passwordHash }), await makeMember(app, { passwordHash })];
    await prepare(ada);
    await app.drain();
    await prepare(bo);
    await happen(ada);
    await happen(bo);
    await app.drain();
    const kept = await app.db
      .selectFrom('data_export')
      .select('id')
      .where('account_id', 'in', [ada.id, bo.id])
      .where((eb) => eb.or([eb('state', '<>', 'failed'), eb('secret', 'is not', null)]))
      .execute();
    expect(kept).toEqual([]);
  });

  test('is deleted immediately by a new password, which does not shorten the hour', async () => {
    const limited = await startApp({ RATE_LIMITS: 'on' });
    const { token } = await makeMember(limited, { passwordHash });
    await limited.call(askForExport, { token, body: { password } });
    await limited.drain();
    const next = 'nine quiet walnut trees';
    await limited.call(changePassword, { token, body: { currentPassword: password, password: next } });
    expect((await limited.call(getExport, { token })).body.data.export.state).toBe('none');
    const { rows } = await sql`select from media_discard where due_at <= now() and object_key like 'export-%'`.execute(
      limited.db,
    );
    expect(rows).toHaveLength(1);
    expect((await limited.call(askForExport, { token, body: { password: next } })).status).toBe(429);
    await limited.close();
  });

  test('is stored encrypted, and no address of the storage or of pictures leads to it', async () => {
    const ada = await makeMember(app, { passwordHash, bio: 'Bio of mine' });
    await prepare(ada);
    await app.drain();
    const { object_key: key } = await app.db
      .selectFrom('data_export')
      .select('object_key')
      .where('account_id', '=', ada.id)
      .executeTakeFirstOrThrow();
    const stored = (await diskStorage(app.mediaDir).get(`${key}.0`)) ?? Buffer.alloc(0);
    expect(stored.length).toBeGreaterThan(100);
    expect(['PK\u0003\u0004', 'account.json'].filter((text) => stored.includes(text))).toEqual([]);
    for (const name of [`${key}.0`, `${key}.large`]) {
      const { statusCode } = await app.app.inject({
        url: `${apiBasePath}/media/${name}?for=${ada.id}&until=9999999999&sig=x`,
        headers: { authorization: `Bearer ${ada.token}` },
      });
      expect(statusCode, name).toBeGreaterThanOrEqual(400);
    }
  });
});

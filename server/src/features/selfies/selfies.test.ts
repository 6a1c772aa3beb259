import { readdir } from 'node:fs/promises';
import { basename } from 'node:path';
import { sql } from 'kysely';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { selfiesPerWeek } from '#contract/constants.ts';
import { addPictures, orderPictures, setProfilePicture } from '#contract/media.ts';
import {
  decideSelfie,
  drawPose,
  giveUpBadge,
  selfieTermsVersion,
  getPhotoVerification,
  listSelfies,
  poseNames,
  type QueuedSelfie,
  type SelfieVerdict,
  sendSelfies,
  uploadSelfie,
  withdrawSelfies,
} from '#contract/photo-verification.ts';
import { getUser } from '#contract/profiles/profiles.ts';
import { changeAdminUser } from '#contract/profiles/staff.ts';
import { makeAdministrator, makeMember, makeModerator, type TestMember } from '../../../test/factories.ts';
import { startAppForTests } from '../../../test/harness.ts';
import { draw, upload, uploadFurther, uploadProfilePicture } from '../../../test/pictures.ts';
import { fileReport } from '../../../test/moderation/reports.ts';
import { diskStorage } from '../media/storage/storage.ts';
import { isUnsent } from './jobs.ts';
import { placeCheck, sentSelfies, takeSelfies } from '../../../test/selfies.ts';

const day = 86_400;
const test = startAppForTests();
let moderator: TestMember;
let member: TestMember;
beforeAll(async () => {
  // The database decides with its own clock which bytes are due.
  test.clock.set(new Date());
  moderator = await makeModerator(test);
});
beforeEach(async () => {
  member = await makeMember(test);
});

const own = async ({ token }: TestMember = member) => (await test.call(getPhotoVerification, { token })).body.data;
const queue = async (staff = moderator) => (await test.call(listSelfies, { token: staff.token })).body.data;
const entryOf = async (id: string): Promise<QueuedSelfie> => {
  const entry = (await queue()).selfies.find(({ _id }) => _id === id);
  if (entry === undefined) throw new Error('not in the queue');
  return entry;
};
const decide = async (
  id: string,
  verdict: SelfieVerdict,
  { reason, pictures, by = moderator }: { reason?: string; pictures?: string[]; by?: TestMember } = {},
) =>
  test.call(decideSelfie, {
    token: by.token,
    params: { id },
    body: {
      verdict,
      ...(reason !== undefined && { reason }),
      pictures: pictures ?? (await entryOf(id)).pictures.map(({ publicId }) => publicId),
    },
  });
/** Makes the member photo verified. */
async function verify(who: TestMember = member): Promise<void> {
  await decide(await sentSelfies(test, who), 'approved');
}
/** Sets the state of the member's profile picture. */
const review = (state: 'approved' | 'pending') =>
  test.db.updateTable('picture').set({ state }).where('account_id', '=', member.id).where('place', '=', 0).execute();
async function selfieFiles(): Promise<string[]> {
  return (await readdir(test.mediaDir, { recursive: true }))
    .map((path) => basename(path))
    .filter((name) => name.startsWith('selfie-'));
}
/** Makes all attempts of the member older. */
const age = (seconds: number) =>
  test.pool.query(
    `update selfie_check set asked_at = asked_at - make_interval(secs => $2), sent_at = sent_at - make_interval(secs => $2)
     where account_id = $1`,
    [member.id, seconds],
  );
const sweep = async () => test.app.background.tasks['media.sweep']?.({}, {} as never);
const tidy = async () => {
  await test.app.background.tasks['selfies.tidy']?.({}, {} as never);
  await test.drain();
};

describe('the cleanup each minute', () => {
  it('reads neither all accounts nor all attempts while selfies wait', async () => {
    await sentSelfies(test, member);
    const plan = await test.db.transaction().execute(async (tx) => {
      await sql`insert into account (email, created_at) select 'many-' || n || '@example.test', now() from generate_series(1, 5000) n`.execute(
        tx,
      );
      await sql`insert into selfie_check (account_id, pose, state, asked_at)
        select id, 'peace', 'approved', now() from account where email like 'many-%'`.execute(tx);
      await sql`analyze account, selfie_check`.execute(tx);
      const { rows } = await sql<object>`explain select from selfie_check where ${isUnsent(test.clock.now())}`.execute(
        tx,
      );
      await sql`delete from account where email like 'many-%'`.execute(tx);
      return JSON.stringify(rows);
    });
    expect(plan).toContain('account_pkey');
    expect(plan).not.toContain('Seq Scan');
  });
});

describe('POST /photo-verification', () => {
  it('draws one of the twelve poses, keeps it for repeated requests, and draws another one on request', async () => {
    expect(poseNames).toHaveLength(12);
    const { token } = member;
    expect((await test.call(drawPose, { token, body: { agreedTo: '2025-01-01' as '2026-11-27' } })).status).toBe(400);
    const first = (await test.call(drawPose, { token, body: { agreedTo: selfieTermsVersion } })).body.data.check;
    expect(poseNames).toContain(first?.pose);
    expect((await test.call(drawPose, { token, body: { agreedTo: selfieTermsVersion } })).body.data.check).toEqual(
      first,
    );
    const second = (await test.call(drawPose, { token, body: { agreedTo: selfieTermsVersion, another: true } })).body
      .data.check;
    expect(second?.pose).not.toBe(first?.pose);
    expect(second).toMatchObject({ _id: first?._id, sendUntil: first?.sendUntil });
  });

  it('returns 409 without a profile picture, while selfies wait, and once verified', async () => {
    const start = async ({ token }: TestMember) =>
      (await test.call(drawPose, { token, body: { agreedTo: selfieTermsVersion } })).status;
    const further = await makeMember(test, { pictureless: true });
    await uploadFurther(test, further, 1);
    expect(await start(further)).toBe(409);
    const id = await sentSelfies(test, member);
    expect(await start(member)).toBe(409);
    await decide(id, 'approved');
    expect(await start(member)).toBe(409);
  });

  it('returns 429 after three attempts within seven days, and works afterwards', async () => {
    for (let n = 0; n < selfiesPerWeek; n += 1)
      await decide(await sentSelfies(test, member), 'again', { reason: 'Too dark' });
    const { status, headers } = await test.call(drawPose, {
      token: member.token,
      body: { agreedTo: selfieTermsVersion },
    });
    expect(status).toBe(429);
    expect(Number(headers['retry-after'])).toBe(7 * day);
    expect((await own()).nextAttemptAt).not.toBeNull();
    await age(7 * day);
    expect((await test.call(drawPose, { token: member.token, body: { agreedTo: selfieTermsVersion } })).status).toBe(
      200,
    );
  });

  it('returns 429 after six poses in a day, even if the selfies were withdrawn in between', async () => {
    const another = () =>
      test.call(drawPose, { token: member.token, body: { agreedTo: selfieTermsVersion, another: true } });
    for (let n = 0; n < 5; n += 1) expect((await another()).status).toBe(200);
    const { check } = await own();
    await test.call(withdrawSelfies, { token: member.token, params: { id: check?._id ?? '' } });
    for (let n = 0; n < 1; n += 1) expect((await another()).status).toBe(200);
    expect((await another()).status).toBe(429);
  });
});

describe('sending selfies', () => {
  it('requires both pictures, and a pose that is younger than 30 minutes', async () => {
    const { token } = member;
    const { check } = (await test.call(drawPose, { token, body: { agreedTo: selfieTermsVersion } })).body.data;
    const params = { id: check?._id ?? '' };
    expect((await test.call(sendSelfies, { token, params })).status).toBe(409);
    await takeSelfies(test, member);
    await age(1801);
    expect((await test.call(sendSelfies, { token, params })).status).toBe(422);
    const late = { token, params: { ...params, shot: 'front' as const }, file: { bytes: await draw() } };
    expect((await test.call(uploadSelfie, late)).status).toBe(422);
    expect((await own()).check).toBeNull();
  });

  it('puts them in the queue once, even if the request is repeated', async () => {
    const id = await sentSelfies(test, member);
    expect((await test.call(sendSelfies, { token: member.token, params: { id } })).status).toBe(200);
    expect((await queue()).selfies.filter(({ user }) => user._id === member.id)).toHaveLength(1);
    expect((await own()).check).toMatchObject({ state: 'waiting', shots: ['front', 'posed'], sendUntil: null });
  });
});

describe('the bytes of selfies', () => {
  beforeEach(async () => {
    await test.pool.query('delete from selfie_check');
    await sweep();
  });

  it('are stored only in files with a separate prefix', async () => {
    await sentSelfies(test, member);
    expect(await selfieFiles()).toHaveLength(2);
    const all = (await readdir(test.mediaDir, { recursive: true })).filter((path) => path.endsWith('.webp'));
    expect(all).toHaveLength(2);
  });

  it('are deleted at night if a restored database doesn’t know them', async () => {
    await sentSelfies(test, member);
    const known = await selfieFiles();
    await test.pool.query('delete from media_discard');
    await diskStorage(test.mediaDir).put('selfie-Qk3_x-9yT0aW2bC4dE6fGh.webp', Buffer.from('a face'));
    await test.app.background.tasks['selfies.forgetUnknown']?.({}, {} as never);
    expect((await selfieFiles()).sort()).toEqual(known.sort());
  });

  it('are deleted when their account is closed', async () => {
    await sentSelfies(test, member);
    const body = { isActive: false, reason: 'A scammer' };
    const { token } = await makeAdministrator(test);
    await test.call(changeAdminUser, { token, params: { id: member.id }, body });
    expect((await queue()).selfies).toEqual([]);
    await tidy();
    expect(await selfieFiles()).toEqual([]);
  });

  it.each([
    ['approval', 'approved', undefined],
    ['a request for new ones', 'again', 'Too dark'],
    ['a rejection', 'rejected', 'The selfies show someone else entirely.'],
  ] as const)('are deleted by the jobs that follow %s', async (_what, verdict, reason) => {
    const id = await sentSelfies(test, member);
    const { frontUrl, posedUrl } = await entryOf(id);
    for (const url of [frontUrl, posedUrl]) {
      const answer = await test.app.inject({ url });
      expect([answer.statusCode, answer.headers['cache-control']]).toEqual([200, 'no-store']);
    }
    expect((await decide(id, verdict, reason === undefined ? {} : { reason })).status).toBe(200);
    for (const url of [frontUrl, posedUrl]) expect((await test.app.inject({ url })).statusCode).toBe(404);
    await test.drain();
    expect(await selfieFiles()).toEqual([]);
  });

  it('are deleted when they are withdrawn, replaced, or their account leaves or is deleted', async () => {
    const id = await sentSelfies(test, member);
    await test.call(withdrawSelfies, { token: member.token, params: { id } });
    await test.drain();
    expect(await selfieFiles()).toEqual([]);

    const again = await takeSelfies(test, member);
    const file = { bytes: await draw() };
    await test.call(uploadSelfie, { token: member.token, params: { id: again, shot: 'front' }, file });
    await test.drain();
    expect(await selfieFiles()).toHaveLength(2);
    await test.call(sendSelfies, { token: member.token, params: { id: again } });
    await test.pool.query('update account set leaving_since = now() where id = $1', [member.id]);
    await tidy();
    await sweep();
    expect(await selfieFiles()).toEqual([]);

    const other = await makeMember(test);
    await sentSelfies(test, other);
    await test.pool.query('delete from account where id = $1', [other.id]);
    await sweep();
    expect(await selfieFiles()).toEqual([]);
  });

  it('are deleted after seven days without a decision, and the member is notified', async () => {
    await sentSelfies(test, member);
    await age(7 * day);
    await tidy();
    expect(await selfieFiles()).toEqual([]);
    expect((await own()).check?.state).toBe('expired');
    expect((await test.outbox(member.email))[0]?.text).toMatch(/within seven days/);
  });

  it('are sent to no member, including their owner, and only to staff who may act on the person', async () => {
    const id = await sentSelfies(test, member);
    const { frontUrl } = await entryOf(id);
    expect((await test.app.inject({ url: frontUrl.replace(moderator.id, member.id) })).statusCode).toBe(401);
    const involved = await makeModerator(test);
    const url = (await queue(involved)).selfies.find(({ _id }) => _id === id)?.frontUrl ?? '';
    expect((await test.app.inject({ url })).statusCode).toBe(200);
    await fileReport(test, involved, { problem_type: 'Harassment', reportedUser: member.id });
    expect((await test.app.inject({ url })).statusCode).toBe(404);
    expect((await queue(involved)).selfies.map(({ _id }) => _id)).not.toContain(id);
    expect((await decide(id, 'approved', { by: involved })).status).toBe(403);
    await test.pool.query(`update account set staff_role = null where id = $1`, [moderator.id]);
    expect((await test.app.inject({ url: frontUrl })).statusCode).toBe(404);
    await test.pool.query(`update account set staff_role = 'moderator' where id = $1`, [moderator.id]);
  });
});

describe('POST /admin/selfies/{id}/decision', () => {
  const shownTo = async (viewer: TestMember) =>
    (await test.call(getUser, { token: viewer.token, params: { id: member.id } })).body.data.user;

  it('makes a member photo verified, notifies them, and is recorded once', async () => {
    const id = await sentSelfies(test, member);
    for (const _ of [1, 2]) expect((await decide(id, 'approved', { pictures: await onlyPicture() })).status).toBe(200);
    const viewer = await makeMember(test);
    expect(await shownTo(viewer)).toMatchObject({
      isPhotoVerified: true,
      photoVerifiedAt: test.clock.now().toISOString(),
    });
    expect((await test.outbox(member.email)).map(({ subject }) => subject)).toEqual(['About your pictures']);
    const { rowCount } = await test.pool.query(
      `select from audit_event where target_id = $1 and action = 'selfie.approved'`,
      [member.id],
    );
    expect(rowCount).toBe(1);
  });
  const onlyPicture = async () => {
    const rows = await test.db
      .selectFrom('picture')
      .select('public_id')
      .where('account_id', '=', member.id)
      .where('place', '>=', 0)
      .execute();
    return rows.map(({ public_id }) => public_id);
  };

  it('returns 409 if the pictures have changed since they were compared', async () => {
    const id = await sentSelfies(test, member);
    const seen = await onlyPicture();
    await uploadFurther(test, member, 1);
    expect((await decide(id, 'approved', { pictures: seen })).status).toBe(409);
    expect((await own()).verifiedAt).toBeNull();
    expect((await decide(id, 'approved')).status).toBe(200);
  });

  it('returns 409 while others still see the previous profile picture', async () => {
    const id = await sentSelfies(test, member);
    await uploadProfilePicture(test, member);
    await review('pending');
    expect((await decide(id, 'approved')).status).toBe(409);
    expect((await own()).verifiedAt).toBeNull();
  });

  it('returns 400 without a reason, and 409 after another decision or a withdrawal', async () => {
    const id = await sentSelfies(test, member);
    expect((await decide(id, 'again')).status).toBe(400);
    expect((await decide(id, 'rejected', { reason: 'Someone else' })).status).toBe(400);
    await decide(id, 'again', { reason: 'Too dark' });
    expect((await decide(id, 'approved', { pictures: [] })).status).toBe(409);
    expect((await own()).check).toMatchObject({ state: 'again', reason: 'Too dark' });
  });

  it('opens a case with a copy of the profile, but without the selfies, when it is a rejection', async () => {
    const id = await sentSelfies(test, member);
    const { frontUrl } = await entryOf(id);
    const reason = 'The selfies show a man of about sixty.';
    expect((await decide(id, 'rejected', { reason })).status).toBe(200);
    const { rows } = await test.pool.query<{ description: string; content: string }>(
      `select r.description, e.content from report r join report_evidence e on e.report_id = r.id
       join moderation_case c on c.id = r.case_id where c.person_id = $1 and r.source = 'own_initiative'`,
      [member.id],
    );
    expect(rows.map(({ description }) => description)).toEqual([reason]);
    expect(rows[0]?.content).not.toContain('selfie');
    expect(rows[0]?.content).not.toContain(/media\/([\w-]+)/.exec(frontUrl)?.[1] ?? 'none');
    expect(await own()).toMatchObject({ check: { state: 'rejected', reason: null }, nextAttemptAt: null });
  });

  it('returns 403 to staff about someone above them', async () => {
    const administrator = await makeAdministrator(test);
    const id = await placeCheck(test, administrator.id, 'waiting');
    expect((await decide(id, 'approved', { pictures: [] })).status).toBe(403);
    await test.pool.query('delete from selfie_check where id = $1', [id]);
  });
});

describe('photo verification', () => {
  it('ends with a new profile picture, and the member can verify again', async () => {
    await uploadProfilePicture(test, member);
    await review('approved');
    await verify();
    expect((await own()).verifiedAt).not.toBeNull();
    const { publicId } = await upload(test, member);
    await test.call(setProfilePicture, { token: member.token, body: { publicId } });
    expect(await own()).toMatchObject({ verifiedAt: null, isLost: true });
    await review('approved');
    await verify();
    expect(await own()).toMatchObject({ verifiedAt: expect.any(String) as string, isLost: false });
  });

  it('ends when the member withdraws it', async () => {
    await verify();
    const answer = await test.call(giveUpBadge, { token: member.token });
    expect(answer.body.data).toMatchObject({ verifiedAt: null, isLost: false });
    expect(
      await test.db.selectFrom('consent').select('kind').where('account_id', '=', member.id).execute(),
    ).toContainEqual({
      kind: 'selfies',
    });
  });

  it('ends with the third new picture, not with the first two or with a new order', async () => {
    const further = await uploadFurther(test, member, 2);
    await verify();
    const first = (
      await test.db
        .selectFrom('picture')
        .select('public_id')
        .where('account_id', '=', member.id)
        .where('place', '=', 0)
        .executeTakeFirstOrThrow()
    ).public_id;
    await test.call(orderPictures, { token: member.token, body: { publicIds: [first, ...further.toReversed()] } });
    await uploadFurther(test, member, 2);
    expect((await own()).isLost).toBe(false);
    const { publicId } = await upload(test, member);
    await test.call(addPictures, { token: member.token, body: { imagesData: [{ publicId }] } });
    expect(await own()).toMatchObject({ verifiedAt: null, isLost: true });
  });

  it('is counted in the figures of the queue', async () => {
    const { figures } = await queue();
    await verify();
    expect((await queue()).figures.verified).toBe(figures.verified + 1);
    expect(figures.members).toBeGreaterThan(figures.verified);
  });

  it('forgets attempts after a year', async () => {
    await verify();
    await age(366 * day);
    await tidy();
    const { rowCount } = await test.pool.query('select from selfie_check where account_id = $1', [member.id]);
    expect(rowCount).toBe(0);
  });
});

describe('forty selfies', () => {
  it('are listed longest waiting first, and each is decided once', async () => {
    const people: TestMember[] = [];
    for (let n = 0; n < 40; n += 1) {
      test.clock.advance(1);
      const one = await makeMember(test);
      await placeCheck(test, one.id, 'waiting');
      people.push(one);
    }
    const decided: string[] = [];
    for (let page = await queue(); decided.length < 40 && page.selfies.length > 0; page = await queue())
      for (const { _id, user, pictures } of page.selfies) {
        await decide(_id, 'approved', { pictures: pictures.map(({ publicId }) => publicId) });
        if (people.some(({ id }) => id === user._id)) decided.push(user._id);
      }
    expect(decided).toEqual(people.map(({ id }) => id));
  });
});

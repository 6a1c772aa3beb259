import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import { listAudit } from '#contract/moderation/audit.ts';
import { decidePicture, listQueuedPictures } from '#contract/moderation/picture-queue.ts';
import { getProfile, getUser } from '#contract/profiles/profiles.ts';
import { makeAdministrator, makeMember, makeModerator, type TestMember } from '../../../test/factories.ts';
import { startApp, startAppForTests } from '../../../test/harness.ts';
import { draw, sendFile, upload, uploadFurther, uploadProfilePicture } from '../../../test/pictures.ts';
import { fileReport } from '../../../test/moderation/reports.ts';
import { makePicture, rememberImageHash } from './image.ts';

const test = startAppForTests();
let moderator: TestMember;
let administrator: TestMember;
beforeAll(async () => {
  moderator = await makeModerator(test);
  administrator = await makeAdministrator(test);
});

type Verdict = 'approved' | 'rejected';
const decide = (publicId: string, verdict: Verdict, reason?: string, by = moderator) =>
  test.call(decidePicture, {
    token: by.token,
    params: { publicId },
    body: { verdict, ...(reason === undefined ? {} : { reason }) },
  });
const queue = async (query: { state?: 'pending' | 'approved'; limit?: string; cursor?: string } = {}) =>
  (await test.call(listQueuedPictures, { token: moderator.token, query })).body.data;
const profileOf = async (member: TestMember) =>
  (await test.call(getProfile, { token: member.token })).body.userData.user;

describe('the review queue', () => {
  it('lists the pictures that have waited longest first, page by page, each once', async () => {
    await test.db.deleteFrom('picture').execute();
    const waiting: string[] = [];
    for (let n = 0; n < 5; n += 1) {
      test.clock.advance(1);
      waiting.push(await uploadProfilePicture(test, await makeMember(test)));
    }
    const first = await queue({ limit: '3' });
    expect(first.pagination).toMatchObject({ limit: 3, total: 5 });
    const second = await queue({ limit: '3', cursor: first.pagination.nextCursor ?? '' });
    expect([...first.pictures, ...second.pictures].map(({ publicId }) => publicId)).toEqual(waiting);
    expect(second.pagination.nextCursor).toBeNull();
    const [picture] = first.pictures;
    expect(picture).toMatchObject({ state: 'pending', isProfilePicture: true, name: '', user: { age: 36 } });
    expect((await test.app.inject({ url: picture?.url ?? '' })).statusCode).toBe(200);
  });

  it('audits each viewer once in ten minutes', async () => {
    const looker = await makeModerator(test);
    const look = () => test.call(listQueuedPictures, { token: looker.token, query: { limit: '1' } });
    const recorded = async () => {
      const { body } = await test.call(listAudit, { token: administrator.token, query: { actorId: looker.id } });
      return body.data.events.map(({ action }) => action);
    };
    for (const _ of [1, 2, 3]) await look();
    expect(await recorded()).toEqual(['pictures.read']);
    test.clock.advance(11 * 60);
    await look();
    expect(await recorded()).toEqual(['pictures.read', 'pictures.read']);
  });

  it('rejects cursors of other lists', async () => {
    const { pagination } = await queue({ limit: '1' });
    const cursor = pagination.nextCursor ?? '';
    for (const query of [{ cursor: 'x' }, { state: 'approved' as const, cursor }, { limit: '1001' }]) {
      const { status } = await test.call(listQueuedPictures, { token: moderator.token, query });
      expect(status).toBe(400);
    }
  });

  it('leaves out pictures that the viewer may not decide on: their own, and those of people they reported or who rank above them', async () => {
    const [viewer, reported, above] = [
      await makeModerator(test),
      await makeMember(test),
      await makeAdministrator(test),
    ];
    await fileReport(test, viewer, { reportedUser: reported.id, hideFromEachOther: false });
    const refused: string[] = [];
    for (const person of [viewer, reported, above]) refused.push(await uploadProfilePicture(test, person));
    const shownTo = async ({ token }: TestMember) => {
      const { data } = (await test.call(listQueuedPictures, { token, query: { limit: '100' } })).body;
      return data.pictures.map(({ publicId }) => publicId).filter((id) => refused.includes(id));
    };
    expect(await shownTo(viewer)).toEqual([]);
    expect(await shownTo(administrator)).toHaveLength(3);
    for (const publicId of refused) {
      expect((await decide(publicId, 'approved', undefined, viewer)).status).toBe(403);
      expect((await decide(publicId, 'approved', undefined, administrator)).status).toBe(200);
    }
  });

  it('leaves out pictures of leaving members', async () => {
    const leaver = await makeMember(test);
    const publicId = await uploadProfilePicture(test, leaver);
    await test.pool.query('update account set leaving_since = now() where id = $1', [leaver.id]);
    expect((await queue({ limit: '100' })).pictures.map((picture) => picture.publicId)).not.toContain(publicId);
  });
});

describe('a decision about a picture', () => {
  it('writes one audit row with its reason, and mails the owner when it is a rejection', async () => {
    const member = await makeMember(test);
    const one = await uploadProfilePicture(test, member);
    await decide(one, 'approved');
    await decide(one, 'approved');
    await decide(one, 'rejected', '  There is no one in it ');
    await decide(one, 'rejected', 'Again');
    const { events } = (await test.call(listAudit, { token: administrator.token, query: { targetId: member.id } })).body
      .data;
    expect(events.map(({ action, reason }) => [action, reason])).toEqual([
      ['picture.rejected', 'There is no one in it'],
      ['picture.approved', undefined],
    ]);
    await test.drain();
    const [mail] = await test.outbox(member.email);
    expect(mail?.text).toContain('There is no one in it');
    expect((await profileOf(member)).pictures.at(-1)).toMatchObject({
      state: 'rejected',
      reason: 'There is no one in it',
    });
  });

  it('requires a reason for a rejection, which is then final', async () => {
    const publicId = await uploadProfilePicture(test, await makeMember(test));
    expect((await decide(publicId, 'rejected')).status).toBe(400);
    expect((await decide(publicId, 'rejected', ' ')).status).toBe(400);
    expect((await decide(publicId, 'rejected', '\u202e\u2069')).status).toBe(400);
    expect((await decide(publicId, 'rejected', 'No')).status).toBe(200);
    expect((await decide(publicId, 'approved')).error.code).toBe('CONFLICT');
    expect((await decide('A'.repeat(22), 'approved')).status).toBe(404);
  });

  it('is recorded once when two moderators make it at the same time', async () => {
    const member = await makeMember(test);
    const publicId = await uploadProfilePicture(test, member);
    const verdicts = ['approved', 'rejected', 'approved', 'rejected', 'rejected', 'approved'] as const;
    await Promise.all(
      verdicts.map((verdict, n) => decide(publicId, verdict, 'Because', n % 2 === 0 ? moderator : administrator)),
    );
    const { pictures } = await profileOf(member);
    expect(pictures.at(-1)?.state).toBe('rejected');
    const { rows } = await test.pool.query(
      `select action from audit_event where target_id = $1 and action like 'picture.%' order by id`,
      [member.id],
    );
    expect(rows.filter(({ action }) => action === 'picture.rejected')).toHaveLength(1);
    expect(rows.length).toBeLessThanOrEqual(2);
  });

  it('is rejected for one’s own picture', async () => {
    const publicId = await uploadProfilePicture(test, moderator);
    expect((await decide(publicId, 'approved')).status).toBe(403);
    expect((await decide(publicId, 'approved', undefined, administrator)).status).toBe(200);
  });

  it('is rejected for an upload that is not on a profile', async () => {
    const { publicId } = await upload(test, await makeMember(test));
    expect((await decide(publicId, 'approved')).status).toBe(404);
  });

  it('closes the gap and deletes the bytes when it is a rejection', async () => {
    const member = await makeMember(test);
    const [one = '', two = '', three = ''] = await uploadFurther(test, member, 3);
    const before = (await profileOf(member)).pictures;
    await decide(two, 'rejected', 'Advertising');
    const standing = (await profileOf(member)).pictures.filter(({ state }) => state !== 'rejected').slice(1);
    expect(standing.map(({ publicId }) => publicId)).toEqual([one, three]);
    const address = before.find(({ publicId }) => publicId === two)?.url ?? '';
    expect((await test.app.inject({ url: address })).statusCode).toBe(404);
    await test.pool.query('update media_discard set due_at = now()');
    await test.pool.query(`select graphile_worker.add_job('media.sweep')`);
    await test.drain();
    for (const { publicId, url } of before.slice(1).filter((picture) => picture.publicId !== two))
      expect([publicId, (await test.app.inject({ url })).statusCode]).toEqual([publicId, 200]);
  });
});

describe('a rejected picture', () => {
  it('cannot be uploaded again by its owner, even resized, recompressed or brightened, but a different picture can', async () => {
    const bytes = await draw({ width: 900, height: 1200, seed: 424_242 });
    const owner = await makeMember(test);
    await decide(await uploadProfilePicture(test, owner, bytes), 'rejected', 'Someone else');
    const again = [
      bytes,
      await sharp(bytes).resize(400).jpeg({ quality: 40 }).toBuffer(),
      await sharp(bytes).modulate({ brightness: 1.15 }).webp().toBuffer(),
      await sharp(bytes).greyscale().png().toBuffer(),
    ];
    for (const copy of again) {
      const answer = await sendFile(test, owner, { bytes: copy });
      expect([answer.status, answer.error.code]).toEqual([422, 'PICTURE_REFUSED']);
    }
    expect((await sendFile(test, owner, { bytes: await draw() })).status).toBe(201);
  });

  it.each(['Not your own picture', 'No person is visible'])(
    'can still be uploaded by someone else: %s',
    async (reason) => {
      const bytes = await draw();
      await decide(await uploadProfilePicture(test, await makeMember(test), bytes), 'rejected', reason);
      const upload = await sendFile(test, await makeMember(test), { bytes: await sharp(bytes).resize(400).toBuffer() });
      expect(upload.status).toBe(201);
    },
  );

  it('can still be uploaded by a member whose own picture was approved before the automatic check rejected a copy', async () => {
    const [bytes, owner] = [await draw(), await makeMember(test)];
    await decide(await uploadProfilePicture(test, owner, bytes), 'approved');
    test.clock.advance(1);
    const { dhash } = await makePicture(bytes, owner.id);
    await rememberImageHash(test.db, null, String(dhash), test.clock.now());
    expect((await sendFile(test, await makeMember(test), { bytes })).error.code).toBe('PICTURE_REFUSED');
    expect((await sendFile(test, owner, { bytes })).status).toBe(201);
  });

  it.each(['senior', 'admin'] as const)(
    'is refused to everyone if a role that may ban decides so: %s',
    async (staffRole) => {
      const [bytes, by] = [await draw(), await makeMember(test, { staffRole })];
      const [publicId, copied] = [
        await uploadProfilePicture(test, await makeMember(test), bytes),
        await uploadProfilePicture(test, await makeMember(test), await draw()),
      ];
      const refuse = (token: string, id: string, verdict: Verdict = 'rejected') =>
        test.call(decidePicture, {
          token,
          params: { publicId: id },
          body: { verdict, reason: 'Forbidden', fromEveryone: true },
        });
      expect((await refuse(moderator.token, publicId)).status).toBe(403);
      expect((await refuse(by.token, publicId)).status).toBe(200);
      expect((await refuse(by.token, copied, 'approved')).status).toBe(200);
      const copy = await sharp(bytes).resize(400).toBuffer();
      expect((await sendFile(test, await makeMember(test), { bytes: copy })).error.code).toBe('PICTURE_REFUSED');
      const { rows } = await test.pool.query(
        `select changes -> 'fromEveryone' ->> 'to' as said from audit_event where actor_id = $1 order by at, id`,
        [by.id],
      );
      expect(rows).toEqual([{ said: 'true' }, { said: null }]);
    },
  );

  it('does not block other plain surfaces, which all look alike', async () => {
    const plain = (background: string) =>
      sharp({ create: { width: 400, height: 500, channels: 3, background } })
        .jpeg()
        .toBuffer();
    await decide(await uploadProfilePicture(test, await makeMember(test), await plain('#222')), 'rejected', 'Nobody');
    expect((await sendFile(test, await makeMember(test), { bytes: await plain('#eee') })).status).toBe(201);
  });
});

describe('publishing before review', () => {
  it('is possible if configured', async () => {
    const app = await startApp({ PHOTO_POLICY: 'post' });
    const [ada, bo] = [await makeMember(app, { pictureless: true }), await makeMember(app)];
    await uploadProfilePicture(app, ada);
    const { user } = (await app.call(getUser, { token: bo.token, params: { id: ada.id } })).body.data;
    expect(user.pictures).toHaveLength(1);
    expect((await app.app.inject({ url: user.pictures[0]?.url ?? '' })).statusCode).toBe(200);
    await app.close();
  });
});

describe('rejecting pictures that were approved', () => {
  it('returns 429 after ten within an hour, and leaves pending pictures unlimited', async () => {
    const by = await makeModerator(test);
    const approved = async () => {
      const { id } = await makeMember(test);
      const of = test.db.selectFrom('picture').select('public_id').where('account_id', '=', id);
      return (await of.executeTakeFirstOrThrow()).public_id;
    };
    const reject = async (publicId: string) => (await decide(publicId, 'rejected', 'Not a picture of you', by)).status;
    const statuses = [];
    for (let n = 0; n < 11; n += 1) statuses.push(await reject(await approved()));
    expect(statuses).toEqual([...Array<number>(10).fill(200), 429]);
    expect(await reject(await uploadProfilePicture(test, await makeMember(test)))).toBe(200);
  });
});

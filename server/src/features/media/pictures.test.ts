import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import * as calls from '#contract/media.ts';
import { decidePicture } from '#contract/moderation/picture-queue.ts';
import { editProfile, getProfile, getUser } from '#contract/profiles/profiles.ts';
import { blockUser } from '#contract/connections.ts';
import { createReport } from '#contract/moderation/reports.ts';
import { getReportFile } from '#contract/moderation/report-file.ts';
import { makeMember, makeModerator, type TestMember } from '../../../test/factories.ts';
import { startAppForTests } from '../../../test/harness.ts';
import { draw, upload, uploadFurther, uploadProfilePicture } from '../../../test/pictures.ts';

const app = startAppForTests();

describe('pictures on a profile', () => {
  let moderator: TestMember;
  let other: TestMember;
  let ada: TestMember;

  beforeAll(async () => {
    moderator = await makeModerator(app);
    other = await makeMember(app);
  });

  beforeEach(async () => {
    ada = await makeMember(app, { pictureless: true });
  });

  const own = async () => (await app.call(getProfile, { token: ada.token })).body.userData.user;
  const seen = async () => (await app.call(getUser, { token: other.token, params: { id: ada.id } })).body.data.user;
  const handles = async () => (await own()).pictures.map(({ publicId }) => publicId);
  const decide = (publicId: string, verdict: 'approved' | 'rejected', reason = 'There is no one in it') =>
    app.call(decidePicture, { token: moderator.token, params: { publicId }, body: { verdict, reason } });
  const setPicture = (publicId: string) =>
    app.call(calls.setProfilePicture, { token: ada.token, body: { imageData: { publicId } } });

  describe('a profile picture', () => {
    it('is visible only to its owner until approved, then to others', async () => {
      const publicId = await uploadProfilePicture(app, ada);
      const user = await own();
      expect(user.pictures).toMatchObject([{ publicId, state: 'pending', isProfilePicture: true, reason: null }]);
      expect(user.profilePicture).toBe(user.pictures[0]?.thumbnailUrl);
      expect(user.more_pictures).toEqual([]);
      expect(await seen()).toMatchObject({ profilePicture: null, pictures: [], more_pictures: [] });
      expect((await decide(publicId, 'approved')).status).toBe(200);
      const shown = await seen();
      expect(shown.profilePicture).toBe(shown.pictures[0]?.thumbnailUrl);
      expect(shown.pictures).toHaveLength(1);
      expect((await app.app.inject({ url: shown.pictures[0]?.url ?? '' })).statusCode).toBe(200);
    });

    it('completes a profile while it is pending, but not once it is rejected', async () => {
      expect((await own()).profileComplete).toBe(false);
      const publicId = await uploadProfilePicture(app, ada);
      expect((await own()).profileComplete).toBe(true);
      await decide(publicId, 'rejected');
      expect((await own()).profileComplete).toBe(false);
    });

    it('can be replaced; others see the previous one until the new one is approved', async () => {
      const first = await uploadProfilePicture(app, ada);
      await decide(first, 'approved');
      const [before] = (await seen()).pictures;
      const second = await uploadProfilePicture(app, ada);
      expect(await handles()).toEqual([second]);
      expect((await seen()).pictures.map(({ publicId }) => publicId)).toEqual([before?.publicId]);
      await decide(second, 'approved');
      const [after, ...rest] = (await seen()).pictures;
      expect(rest).toEqual([]);
      expect(after?.publicId).not.toBe(before?.publicId);
      expect((await app.app.inject({ url: before?.url ?? '' })).statusCode).toBe(404);
    });

    it('comes back when its replacement is rejected', async () => {
      const first = await uploadProfilePicture(app, ada);
      await decide(first, 'approved');
      const second = await uploadProfilePicture(app, ada);
      await decide(second, 'rejected', 'It shows someone else');
      expect((await own()).pictures).toMatchObject([
        { publicId: first, state: 'approved', isProfilePicture: true },
        { publicId: second, state: 'rejected', reason: 'It shows someone else', url: '', thumbnailUrl: '' },
      ]);
      expect((await seen()).pictures).toHaveLength(1);
    });

    it('cannot be referenced or deleted after it was replaced, and disappears once an approved picture comes first', async () => {
      const first = await uploadProfilePicture(app, ada);
      await decide(first, 'approved');
      const [further = ''] = await uploadFurther(app, ada, 1);
      await decide(further, 'approved');
      const second = await uploadProfilePicture(app, ada);
      expect((await setPicture(first)).status).toBe(404);
      const params = { publicId: first };
      expect((await app.call(calls.deletePicture, { token: ada.token, params })).status).toBe(404);
      await app.call(calls.orderPictures, { token: ada.token, body: { publicIds: [further, second] } });
      await decide(further, 'rejected');
      expect(await handles()).toEqual([second, further]);
      expect((await seen()).pictures).toEqual([]);
    });

    it('accepts a bare upload handle and ignores other fields', async () => {
      const { publicId } = await upload(app, ada);
      const body = { publicId, url: 'https://evil.test/x.png', size: 1, mimeType: 'text/html' };
      expect((await app.call(calls.setProfilePicture, { token: ada.token, body })).status).toBe(200);
      expect(JSON.stringify(await own())).not.toContain('evil.test');
    });

    it('can be deleted repeatedly without affecting the others', async () => {
      const further = await uploadFurther(app, ada, 2);
      await uploadProfilePicture(app, ada);
      for (const _ of [1, 2])
        expect((await app.call(calls.deleteProfilePicture, { token: ada.token })).status).toBe(200);
      expect(await handles()).toEqual(further);
      expect((await own()).profilePicture).toBeNull();
    });

    it('swaps places with another picture that becomes the profile picture', async () => {
      const profile = await uploadProfilePicture(app, ada);
      const [one, two] = await uploadFurther(app, ada, 2);
      await setPicture(two ?? '');
      expect(await handles()).toEqual([two, one, profile]);
    });
  });

  describe('additional pictures', () => {
    it('are appended, up to eight, either all or none', async () => {
      const first = await uploadFurther(app, ada, 7);
      expect(await handles()).toEqual(first);
      const two = await Promise.all([upload(app, ada), upload(app, ada)]);
      const imagesData = two.map(({ publicId }) => ({ publicId }));
      const tooMany = await app.call(calls.addPictures, { token: ada.token, body: { imagesData } });
      expect([tooMany.status, tooMany.error.code]).toEqual([422, 'TOO_MANY_PICTURES']);
      expect(await handles()).toEqual(first);
      const one = await app.call(calls.addPictures, { token: ada.token, body: imagesData.slice(0, 1) });
      expect(one.body.data.uploadedImages.map(({ publicId }) => publicId)).toEqual([imagesData[0]?.publicId]);
      expect(await handles()).toHaveLength(8);
    });

    it('do not change when a request is repeated, and are added once when sent from many devices at the same time', async () => {
      const { publicId } = await upload(app, ada);
      const body = { imagesData: [{ publicId }, { publicId }] };
      const answers = await Promise.all(
        Array.from({ length: 8 }, () => app.call(calls.addPictures, { token: ada.token, body })),
      );
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
      expect(await handles()).toEqual([publicId]);
    });

    it('do not change when the request contains unknown pictures or those of another member', async () => {
      const mine = await upload(app, ada);
      const theirs = await upload(app, other);
      for (const publicId of [theirs.publicId, 'A'.repeat(22)]) {
        const body = { imagesData: [{ publicId: mine.publicId }, { publicId }] };
        expect((await app.call(calls.addPictures, { token: ada.token, body })).status).toBe(404);
        expect((await setPicture(publicId)).status).toBe(404);
        const params = { publicId };
        expect((await app.call(calls.deletePicture, { token: ada.token, params })).status).toBe(404);
      }
      expect(await handles()).toEqual([]);
      const found = await app.db
        .selectFrom('picture')
        .select('state')
        .where('public_id', '=', theirs.publicId)
        .executeTakeFirst();
      expect(found?.state).toBe('unclaimed');
    });

    it('close the gap when one is deleted, and its addresses stop working immediately', async () => {
      const further = await uploadFurther(app, ada, 3);
      const gone = (await own()).pictures[1];
      const params = { publicId: gone?.publicId ?? '' };
      expect((await app.call(calls.deletePicture, { token: ada.token, params })).status).toBe(200);
      expect(await handles()).toEqual([further[0], further[2]]);
      for (const url of [gone?.url ?? '', gone?.thumbnailUrl ?? ''])
        expect((await app.app.inject({ url })).statusCode).toBe(404);
      expect((await app.call(calls.deletePicture, { token: ada.token, params })).status).toBe(404);
    });

    it('stay consistent when they are added, ordered and deleted from several devices at the same time', async () => {
      await uploadFurther(app, ada, 4);
      const uploads = await Promise.all(Array.from({ length: 4 }, () => upload(app, ada)));
      const standing = await handles();
      await Promise.all([
        ...uploads.map(({ publicId }) => app.call(calls.addPictures, { token: ada.token, body: [{ publicId }] })),
        ...standing
          .slice(0, 2)
          .map((publicId) => app.call(calls.deletePicture, { token: ada.token, params: { publicId } })),
        app.call(calls.orderPictures, { token: ada.token, body: { publicIds: standing.toReversed() } }),
      ]);
      const { rows } = await app.pool.query<{ place: number }>(
        'select place from picture where account_id = $1 and place is not null order by place',
        [ada.id],
      );
      expect(rows.length).toBe(6);
      expect(new Set(rows.map(({ place }) => place)).size).toBe(6);
      expect(await handles()).toHaveLength(6);
    });
  });

  describe('the order of pictures', () => {
    it('is stored as requested, with the first as the profile picture', async () => {
      const profile = await uploadProfilePicture(app, ada);
      const [one = '', two = ''] = await uploadFurther(app, ada, 2);
      const publicIds = [two, profile, one];
      const { body } = await app.call(calls.orderPictures, { token: ada.token, body: { publicIds } });
      expect(body.data.pictures.map(({ publicId }) => publicId)).toEqual(publicIds);
      expect((await own()).pictures[0]).toMatchObject({ publicId: two, isProfilePicture: true });
    });

    it('is rejected unless it lists exactly the current pictures', async () => {
      const [one = '', two = ''] = await uploadFurther(app, ada, 2);
      const [loose, theirs] = [await upload(app, ada), await uploadProfilePicture(app, other)];
      for (const publicIds of [[one], [one, one], [one, two, two], [one, two, loose.publicId], [one, theirs], []]) {
        const answer = await app.call(calls.orderPictures, { token: ada.token, body: { publicIds } });
        expect([answer.status, answer.error.code]).toEqual([409, 'CONFLICT']);
      }
      expect(await handles()).toEqual([one, two]);
    });
  });

  describe('a picture', () => {
    it('has different ids for its owner and others, and shows its file name only to its owner', async () => {
      const publicId = await uploadProfilePicture(app, ada, await draw());
      await decide(publicId, 'approved');
      const shown = await seen();
      expect(JSON.stringify(shown)).not.toContain(publicId);
      expect(shown.pictures[0]).toMatchObject({ name: '' });
      const params = { publicId: shown.pictures[0]?.publicId ?? '' };
      expect((await app.call(calls.deletePicture, { token: ada.token, params })).status).toBe(404);
    });

    it('cannot be put on a profile by editing the profile', async () => {
      const body = { profilePicture: 'https://evil.test/x.png', pictures: [], picture_count: 1 };
      await app.call(editProfile, { token: ada.token, body: body as object });
      expect(await own()).toMatchObject({ pictures: [], profilePicture: null, profileComplete: false });
    });
  });
});

describe('serving pictures', () => {
  let moderator: TestMember;
  let ada: TestMember;
  let bo: TestMember;

  beforeAll(async () => {
    moderator = await makeModerator(app);
  });

  beforeEach(async () => {
    ada = await makeMember(app, { pictureless: true });
    bo = await makeMember(app);
  });

  const statusOf = async (url: string) => (await app.app.inject({ url })).statusCode;
  const decide = (publicId: string, verdict: 'approved' | 'rejected') =>
    app.call(decidePicture, { token: moderator.token, params: { publicId }, body: { verdict, reason: 'Because' } });
  /** The addresses under which Bo sees Ada's approved picture. */
  async function adaSeenByBo(): Promise<{ url: string; thumbnailUrl: string; publicId: string }> {
    await decide(await uploadProfilePicture(app, ada), 'approved');
    const { pictures } = (await app.call(getUser, { token: bo.token, params: { id: ada.id } })).body.data.user;
    const [picture] = pictures;
    if (picture === undefined) throw new Error('a picture was expected');
    return picture;
  }

  describe('the address of a picture', () => {
    it('stays the same for at least five minutes and expires after at most ten', async () => {
      const first = await adaSeenByBo();
      const seen = new Map<string, number>();
      for (let minute = 0; minute < 12; minute += 1) {
        const { pictures } = (await app.call(getUser, { token: bo.token, params: { id: ada.id } })).body.data.user;
        const url = pictures[0]?.url ?? '';
        seen.set(url, (seen.get(url) ?? 0) + 1);
        expect(await statusOf(url)).toBe(200);
        app.clock.advance(60);
      }
      expect(Math.max(...seen.values())).toBe(5);
      expect(seen.size).toBeLessThanOrEqual(4);
      expect(await statusOf(first.url)).toBe(404);
    });

    it('does not work without its signature or for another picture', async () => {
      const { url, thumbnailUrl } = await adaSeenByBo();
      const address = new URL(url, 'https://heartwood.test');
      const changed = (name: string, value: string) => {
        const other = new URL(address);
        other.searchParams.set(name, value);
        return `${other.pathname}${other.search}`;
      };
      const later = String(Number(address.searchParams.get('until')) + 600);
      for (const forged of [
        address.pathname,
        changed('until', later),
        changed('for', ada.id),
        changed('sig', 'x'.repeat(22)),
      ])
        expect(await statusOf(forged)).toBe(401);
      expect(await statusOf(changed('for', "' or 1=1"))).toBe(404);
      expect(await statusOf(changed('until', '1e9'))).toBe(400);
      expect(await statusOf(changed('report', ada.id))).toBe(404);
      expect(await statusOf(thumbnailUrl)).toBe(200);
      for (const key of ['..%2F..%2Fetc%2Fpasswd', 'x.large', '%00', 'a'.repeat(5000)])
        expect([401, 404, 400, 414]).toContain(await statusOf(`/api/v1/media/${key}${address.search}`));
      expect(await statusOf(`/api/v1/media/${address.search}`)).toBe(400);
      expect(await statusOf(`/api/v1/media${address.search}`)).toBe(404);
    });

    it.each<[string, () => Promise<unknown>]>([
      ['a block by its owner', () => app.call(blockUser, { token: ada.token, params: { userId: bo.id } })],
      ['a block by its viewer', () => app.call(blockUser, { token: bo.token, params: { userId: ada.id } })],
      ['the owner’s deactivation', () => setAccount(ada, `is_active = false, deactivated_at = now()`)],
      ['the owner’s leaving', () => setAccount(ada, 'leaving_since = now()')],
      ['the owner’s deletion', () => app.pool.query('delete from account where id = $1', [ada.id])],
      ['the viewer’s deactivation', () => setAccount(bo, `is_active = false, deactivated_at = now()`)],
      ['the viewer’s leaving', () => setAccount(bo, 'leaving_since = now()')],
    ])('stops working after %s', async (_what, happen) => {
      const { url, thumbnailUrl } = await adaSeenByBo();
      expect(await statusOf(url)).toBe(200);
      await happen();
      expect([await statusOf(url), await statusOf(thumbnailUrl)]).toEqual([404, 404]);
    });

    const setAccount = (member: TestMember, change: string) =>
      app.pool.query(`update account set ${change} where id = $1`, [member.id]);

    it('works only for its owner and staff while the picture is pending', async () => {
      await uploadProfilePicture(app, ada);
      const { pictures } = (await app.call(getProfile, { token: ada.token })).body.userData.user;
      const own = pictures[0]?.url ?? '';
      expect(await statusOf(own)).toBe(200);
      expect(await statusOf(own.replaceAll(ada.id, bo.id))).toBe(401);
    });
  });

  describe('a report about a member', () => {
    const evidenceOf = async (report: string) =>
      (await app.call(getReportFile, { token: moderator.token, params: { id: report } })).body.data.evidence;
    const file = async (evidence: { type: 'picture'; id: string }[] = []) =>
      (
        await app.call(createReport, {
          token: bo.token,
          body: { problem_type: 'Inappropriate Content', description: 'See there', reportedUser: ada.id, evidence },
        })
      ).body.data.report._id;

    it('stores copies of the visible pictures, even after the pictures or their owner are deleted', async () => {
      const picture = await adaSeenByBo();
      await uploadFurther(app, ada, 1);
      const report = await file([{ type: 'picture', id: picture.publicId }]);
      await app.pool.query('delete from account where id = $1', [ada.id]);
      await app.pool.query('update media_discard set due_at = now()');
      await app.pool.query(`select graphile_worker.add_job('media.sweep')`);
      await app.drain();
      const evidence = await evidenceOf(report);
      expect(evidence.map(({ type, pictures, isIntact }) => [type, pictures.length, isIntact])).toEqual([
        ['profile', 1, true],
        ['picture', 1, true],
      ]);
      expect(evidence[1]?.profile).toBeNull();
      for (const { pictures } of evidence) expect(await statusOf(pictures[0]?.url ?? '')).toBe(200);
      expect(await statusOf(picture.url)).toBe(404);
    });

    it('keeps a picture that is rejected because of it', async () => {
      const publicId = await uploadProfilePicture(app, ada, await draw());
      await decide(publicId, 'approved');
      const report = await file();
      await decide(publicId, 'rejected');
      await app.pool.query('update media_discard set due_at = now()');
      await app.pool.query(`select graphile_worker.add_job('media.sweep')`);
      await app.drain();
      const [profile] = await evidenceOf(report);
      expect(await statusOf(profile?.pictures[0]?.url ?? '')).toBe(200);
    });

    it('shows its evidence only to staff it is not about, while it exists', async () => {
      await adaSeenByBo();
      const report = await file();
      const [profile] = await evidenceOf(report);
      const address = profile?.pictures[0]?.url ?? '';
      expect(await statusOf(address)).toBe(200);
      expect(await statusOf(address.replaceAll(moderator.id, bo.id))).toBe(401);
      expect(await statusOf(address.replace(/report=[^&]*&/, ''))).toBe(401);
      await app.pool.query('update account set staff_role = null where id = $1', [moderator.id]);
      expect(await statusOf(address)).toBe(404);
      await app.pool.query(`update account set staff_role = 'moderator' where id = $1`, [moderator.id]);
      await app.pool.query('update report set deleted_at = now() where id = $1', [report]);
      expect(await statusOf(address)).toBe(404);
    });

    it('ignores pictures of other members', async () => {
      const cy = await makeMember(app);
      const { pictures } = (await app.call(getUser, { token: bo.token, params: { id: cy.id } })).body.data.user;
      const report = await file([{ type: 'picture', id: pictures[0]?.publicId ?? '' }]);
      expect((await evidenceOf(report)).map(({ type }) => type)).toEqual(['profile']);
    });
  });
});

import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import * as calls from '#contract/media.ts';
import { decidePicture } from '#contract/moderation/picture-queue.ts';
import { editProfile, getProfile, getUser } from '#contract/profiles/profiles.ts';
import { makeMember, makeModerator, type TestMember } from '../../../test/factories.ts';
import { startAppForTests } from '../../../test/harness.ts';
import { draw, upload, uploadFurther, uploadProfilePicture } from '../../../test/pictures.ts';

const test = startAppForTests();
let moderator: TestMember;
let other: TestMember;
let ada: TestMember;
beforeAll(async () => {
  moderator = await makeModerator(test);
  other = await makeMember(test);
});
beforeEach(async () => {
  ada = await makeMember(test, { pictureless: true });
});

const own = async () => (await test.call(getProfile, { token: ada.token })).body.userData.user;
const seen = async () => (await test.call(getUser, { token: other.token, params: { id: ada.id } })).body.data.user;
const handles = async () => (await own()).pictures.map(({ publicId }) => publicId);
const decide = (publicId: string, verdict: 'approved' | 'rejected', reason = 'There is no one in it') =>
  test.call(decidePicture, { token: moderator.token, params: { publicId }, body: { verdict, reason } });
const setPicture = (publicId: string) =>
  test.call(calls.setProfilePicture, { token: ada.token, body: { imageData: { publicId } } });

describe('a profile picture', () => {
  it('is visible only to its owner until approved, then to others', async () => {
    const publicId = await uploadProfilePicture(test, ada);
    const user = await own();
    expect(user.pictures).toMatchObject([{ publicId, state: 'pending', isProfilePicture: true, reason: null }]);
    expect(user.profilePicture).toBe(user.pictures[0]?.thumbnailUrl);
    expect(user.more_pictures).toEqual([]);
    expect(await seen()).toMatchObject({ profilePicture: null, pictures: [], more_pictures: [] });
    expect((await decide(publicId, 'approved')).status).toBe(200);
    const shown = await seen();
    expect(shown.profilePicture).toBe(shown.pictures[0]?.thumbnailUrl);
    expect(shown.pictures).toHaveLength(1);
    expect((await test.app.inject({ url: shown.pictures[0]?.url ?? '' })).statusCode).toBe(200);
  });

  it('completes a profile while it is pending, but not once it is rejected', async () => {
    expect((await own()).profileComplete).toBe(false);
    const publicId = await uploadProfilePicture(test, ada);
    expect((await own()).profileComplete).toBe(true);
    await decide(publicId, 'rejected');
    expect((await own()).profileComplete).toBe(false);
  });

  it('can be replaced; others see the previous one until the new one is approved', async () => {
    const first = await uploadProfilePicture(test, ada);
    await decide(first, 'approved');
    const [before] = (await seen()).pictures;
    const second = await uploadProfilePicture(test, ada);
    expect(await handles()).toEqual([second]);
    expect((await seen()).pictures.map(({ publicId }) => publicId)).toEqual([before?.publicId]);
    await decide(second, 'approved');
    const [after, ...rest] = (await seen()).pictures;
    expect(rest).toEqual([]);
    expect(after?.publicId).not.toBe(before?.publicId);
    expect((await test.app.inject({ url: before?.url ?? '' })).statusCode).toBe(404);
  });

  it('comes back when its replacement is rejected', async () => {
    const first = await uploadProfilePicture(test, ada);
    await decide(first, 'approved');
    const second = await uploadProfilePicture(test, ada);
    await decide(second, 'rejected', 'It shows someone else');
    expect((await own()).pictures).toMatchObject([
      { publicId: first, state: 'approved', isProfilePicture: true },
      { publicId: second, state: 'rejected', reason: 'It shows someone else', url: '', thumbnailUrl: '' },
    ]);
    expect((await seen()).pictures).toHaveLength(1);
  });

  it('cannot be referenced or deleted after it was replaced, and disappears once an approved picture comes first', async () => {
    const first = await uploadProfilePicture(test, ada);
    await decide(first, 'approved');
    const [further = ''] = await uploadFurther(test, ada, 1);
    await decide(further, 'approved');
    const second = await uploadProfilePicture(test, ada);
    expect((await setPicture(first)).status).toBe(404);
    const params = { publicId: first };
    expect((await test.call(calls.deletePicture, { token: ada.token, params })).status).toBe(404);
    await test.call(calls.orderPictures, { token: ada.token, body: { publicIds: [further, second] } });
    await decide(further, 'rejected');
    expect(await handles()).toEqual([second, further]);
    expect((await seen()).pictures).toEqual([]);
  });

  it('accepts a bare upload handle and ignores other fields', async () => {
    const { publicId } = await upload(test, ada);
    const body = { publicId, url: 'https://evil.test/x.png', size: 1, mimeType: 'text/html' };
    expect((await test.call(calls.setProfilePicture, { token: ada.token, body })).status).toBe(200);
    expect(JSON.stringify(await own())).not.toContain('evil.test');
  });

  it('can be deleted repeatedly without affecting the others', async () => {
    const further = await uploadFurther(test, ada, 2);
    await uploadProfilePicture(test, ada);
    for (const _ of [1, 2])
      expect((await test.call(calls.deleteProfilePicture, { token: ada.token })).status).toBe(200);
    expect(await handles()).toEqual(further);
    expect((await own()).profilePicture).toBeNull();
  });

  it('swaps places with another picture that becomes the profile picture', async () => {
    const profile = await uploadProfilePicture(test, ada);
    const [one, two] = await uploadFurther(test, ada, 2);
    await setPicture(two ?? '');
    expect(await handles()).toEqual([two, one, profile]);
  });
});

describe('additional pictures', () => {
  it('are appended, up to eight, either all or none', async () => {
    const first = await uploadFurther(test, ada, 7);
    expect(await handles()).toEqual(first);
    const two = await Promise.all([upload(test, ada), upload(test, ada)]);
    const imagesData = two.map(({ publicId }) => ({ publicId }));
    const tooMany = await test.call(calls.addPictures, { token: ada.token, body: { imagesData } });
    expect([tooMany.status, tooMany.error.code]).toEqual([422, 'TOO_MANY_PICTURES']);
    expect(await handles()).toEqual(first);
    const one = await test.call(calls.addPictures, { token: ada.token, body: imagesData.slice(0, 1) });
    expect(one.body.data.uploadedImages.map(({ publicId }) => publicId)).toEqual([imagesData[0]?.publicId]);
    expect(await handles()).toHaveLength(8);
  });

  it('do not change when a request is repeated, and are added once when sent from many devices at the same time', async () => {
    const { publicId } = await upload(test, ada);
    const body = { imagesData: [{ publicId }, { publicId }] };
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => test.call(calls.addPictures, { token: ada.token, body })),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(await handles()).toEqual([publicId]);
  });

  it('do not change when the request contains unknown pictures or those of another member', async () => {
    const mine = await upload(test, ada);
    const theirs = await upload(test, other);
    for (const publicId of [theirs.publicId, 'A'.repeat(22)]) {
      const body = { imagesData: [{ publicId: mine.publicId }, { publicId }] };
      expect((await test.call(calls.addPictures, { token: ada.token, body })).status).toBe(404);
      expect((await setPicture(publicId)).status).toBe(404);
      const params = { publicId };
      expect((await test.call(calls.deletePicture, { token: ada.token, params })).status).toBe(404);
    }
    expect(await handles()).toEqual([]);
    const found = await test.db
      .selectFrom('picture')
      .select('state')
      .where('public_id', '=', theirs.publicId)
      .executeTakeFirst();
    expect(found?.state).toBe('unclaimed');
  });

  it('close the gap when one is deleted, and its addresses stop working immediately', async () => {
    const further = await uploadFurther(test, ada, 3);
    const gone = (await own()).pictures[1];
    const params = { publicId: gone?.publicId ?? '' };
    expect((await test.call(calls.deletePicture, { token: ada.token, params })).status).toBe(200);
    expect(await handles()).toEqual([further[0], further[2]]);
    for (const url of [gone?.url ?? '', gone?.thumbnailUrl ?? ''])
      expect((await test.app.inject({ url })).statusCode).toBe(404);
    expect((await test.call(calls.deletePicture, { token: ada.token, params })).status).toBe(404);
  });

  it('stay consistent when they are added, ordered and deleted from several devices at the same time', async () => {
    await uploadFurther(test, ada, 4);
    const uploads = await Promise.all(Array.from({ length: 4 }, () => upload(test, ada)));
    const standing = await handles();
    await Promise.all([
      ...uploads.map(({ publicId }) => test.call(calls.addPictures, { token: ada.token, body: [{ publicId }] })),
      ...standing
        .slice(0, 2)
        .map((publicId) => test.call(calls.deletePicture, { token: ada.token, params: { publicId } })),
      test.call(calls.orderPictures, { token: ada.token, body: { publicIds: standing.toReversed() } }),
    ]);
    const { rows } = await test.pool.query<{ place: number }>(
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
    const profile = await uploadProfilePicture(test, ada);
    const [one = '', two = ''] = await uploadFurther(test, ada, 2);
    const publicIds = [two, profile, one];
    const { body } = await test.call(calls.orderPictures, { token: ada.token, body: { publicIds } });
    expect(body.data.pictures.map(({ publicId }) => publicId)).toEqual(publicIds);
    expect((await own()).pictures[0]).toMatchObject({ publicId: two, isProfilePicture: true });
  });

  it('is rejected unless it lists exactly the current pictures', async () => {
    const [one = '', two = ''] = await uploadFurther(test, ada, 2);
    const [loose, theirs] = [await upload(test, ada), await uploadProfilePicture(test, other)];
    for (const publicIds of [[one], [one, one], [one, two, two], [one, two, loose.publicId], [one, theirs], []]) {
      const answer = await test.call(calls.orderPictures, { token: ada.token, body: { publicIds } });
      expect([answer.status, answer.error.code]).toEqual([409, 'CONFLICT']);
    }
    expect(await handles()).toEqual([one, two]);
  });
});

describe('a picture', () => {
  it('has different ids for its owner and others, and shows its file name only to its owner', async () => {
    const publicId = await uploadProfilePicture(test, ada, await draw());
    await decide(publicId, 'approved');
    const shown = await seen();
    expect(JSON.stringify(shown)).not.toContain(publicId);
    expect(shown.pictures[0]).toMatchObject({ name: '' });
    const params = { publicId: shown.pictures[0]?.publicId ?? '' };
    expect((await test.call(calls.deletePicture, { token: ada.token, params })).status).toBe(404);
  });

  it('cannot be put on a profile by editing the profile', async () => {
    const body = { profilePicture: 'https://evil.test/x.png', pictures: [], picture_count: 1 };
    await test.call(editProfile, { token: ada.token, body: body as object });
    expect(await own()).toMatchObject({ pictures: [], profilePicture: null, profileComplete: false });
  });
});

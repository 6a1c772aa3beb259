import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { blockUser } from '#contract/connections.ts';
import { decidePicture } from '#contract/moderation/picture-queue.ts';
import { getProfile, getUser } from '#contract/profiles/profiles.ts';
import { createReport } from '#contract/moderation/reports.ts';
import { getReportFile } from '#contract/moderation/report-file.ts';
import { makeMember, makeModerator, type TestMember } from '../../../test/factories.ts';
import { startAppForTests } from '../../../test/harness.ts';
import { draw, uploadFurther, uploadProfilePicture } from '../../../test/pictures.ts';

const test = startAppForTests();
let moderator: TestMember;
let ada: TestMember;
let bo: TestMember;
beforeAll(async () => {
  moderator = await makeModerator(test);
});
beforeEach(async () => {
  ada = await makeMember(test, { pictureless: true });
  bo = await makeMember(test);
});

const statusOf = async (url: string) => (await test.app.inject({ url })).statusCode;
const decide = (publicId: string, verdict: 'approved' | 'rejected') =>
  test.call(decidePicture, { token: moderator.token, params: { publicId }, body: { verdict, reason: 'Because' } });

/** The addresses under which Bo sees Ada's approved picture. */
async function adaSeenByBo(): Promise<{ url: string; thumbnailUrl: string; publicId: string }> {
  await decide(await uploadProfilePicture(test, ada), 'approved');
  const { pictures } = (await test.call(getUser, { token: bo.token, params: { id: ada.id } })).body.data.user;
  const [picture] = pictures;
  if (picture === undefined) throw new Error('a picture was expected');
  return picture;
}

describe('the address of a picture', () => {
  it('stays the same for at least five minutes and expires after at most ten', async () => {
    const first = await adaSeenByBo();
    const seen = new Map<string, number>();
    for (let minute = 0; minute < 12; minute += 1) {
      const { pictures } = (await test.call(getUser, { token: bo.token, params: { id: ada.id } })).body.data.user;
      const url = pictures[0]?.url ?? '';
      seen.set(url, (seen.get(url) ?? 0) + 1);
      expect(await statusOf(url)).toBe(200);
      test.clock.advance(60);
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
    ['a block by its owner', () => test.call(blockUser, { token: ada.token, params: { userId: bo.id } })],
    ['a block by its viewer', () => test.call(blockUser, { token: bo.token, params: { userId: ada.id } })],
    ['the owner’s deactivation', () => setAccount(ada, `is_active = false, deactivated_at = now()`)],
    ['the owner’s leaving', () => setAccount(ada, 'leaving_since = now()')],
    ['the owner’s deletion', () => test.pool.query('delete from account where id = $1', [ada.id])],
    ['the viewer’s deactivation', () => setAccount(bo, `is_active = false, deactivated_at = now()`)],
    ['the viewer’s leaving', () => setAccount(bo, 'leaving_since = now()')],
  ])('stops working after %s', async (_what, happen) => {
    const { url, thumbnailUrl } = await adaSeenByBo();
    expect(await statusOf(url)).toBe(200);
    await happen();
    expect([await statusOf(url), await statusOf(thumbnailUrl)]).toEqual([404, 404]);
  });

  const setAccount = (member: TestMember, change: string) =>
    test.pool.query(`update account set ${change} where id = $1`, [member.id]);

  it('works only for its owner and staff while the picture is pending', async () => {
    await uploadProfilePicture(test, ada);
    const { pictures } = (await test.call(getProfile, { token: ada.token })).body.userData.user;
    const own = pictures[0]?.url ?? '';
    expect(await statusOf(own)).toBe(200);
    expect(await statusOf(own.replaceAll(ada.id, bo.id))).toBe(401);
  });
});

describe('a report about a member', () => {
  const evidenceOf = async (report: string) =>
    (await test.call(getReportFile, { token: moderator.token, params: { id: report } })).body.data.evidence;
  const file = async (evidence: { type: 'picture'; id: string }[] = []) =>
    (
      await test.call(createReport, {
        token: bo.token,
        body: { problem_type: 'Inappropriate Content', description: 'See there', reportedUser: ada.id, evidence },
      })
    ).body.data.report._id;

  it('stores copies of the visible pictures, even after the pictures or their owner are deleted', async () => {
    const picture = await adaSeenByBo();
    await uploadFurther(test, ada, 1);
    const report = await file([{ type: 'picture', id: picture.publicId }]);
    await test.pool.query('delete from account where id = $1', [ada.id]);
    await test.pool.query('update media_discard set due_at = now()');
    await test.pool.query(`select graphile_worker.add_job('media.sweep')`);
    await test.drain();
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
    const publicId = await uploadProfilePicture(test, ada, await draw());
    await decide(publicId, 'approved');
    const report = await file();
    await decide(publicId, 'rejected');
    await test.pool.query('update media_discard set due_at = now()');
    await test.pool.query(`select graphile_worker.add_job('media.sweep')`);
    await test.drain();
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
    await test.pool.query('update account set staff_role = null where id = $1', [moderator.id]);
    expect(await statusOf(address)).toBe(404);
    await test.pool.query(`update account set staff_role = 'moderator' where id = $1`, [moderator.id]);
    await test.pool.query('update report set deleted_at = now() where id = $1', [report]);
    expect(await statusOf(address)).toBe(404);
  });

  it('ignores pictures of other members', async () => {
    const cy = await makeMember(test);
    const { pictures } = (await test.call(getUser, { token: bo.token, params: { id: cy.id } })).body.data.user;
    const report = await file([{ type: 'picture', id: pictures[0]?.publicId ?? '' }]);
    expect((await evidenceOf(report)).map(({ type }) => type)).toEqual(['profile']);
  });
});

import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sendMessage } from '#contract/messages/messages.ts';
import { decideCase, getCase, revokeSanction } from '#contract/moderation/cases.ts';
import { listStatements } from '#contract/moderation/decisions.ts';
import { setFirstContact } from '#contract/photo-verification.ts';
import { getProfile, getUser } from '#contract/profiles/profiles.ts';
import { cardsIn } from '../../../test/cards.ts';
import { makeAdministrator, makeMember, makeModerator, type TestMember } from '../../../test/factories.ts';
import { startAppForTests } from '../../../test/harness.ts';
import { likesIn, placeMatch } from '../../../test/likes.ts';
import { uploadFurther } from '../../../test/pictures.ts';
import { caseIdOf, currentRuleId, fileReport } from '../../../test/moderation/reports.ts';

const app = startAppForTests();
let moderator: TestMember;
let administrator: TestMember;
let member: TestMember;
let other: TestMember;
beforeAll(async () => {
  moderator = await makeModerator(app);
  administrator = await makeAdministrator(app);
});
beforeEach(async () => {
  [member, other] = [await makeMember(app), await makeMember(app)];
});

const { like } = likesIn(() => app);
const { meet, prefer, idsFor } = cardsIn(() => app);

/** Gives someone the badge, as an approval does. */
const verify = ({ id }: TestMember) =>
  app.pool.query(
    `update profile f set photo_verified_at = $2, photo_verified_ids = array(
       select p.id from picture p where p.account_id = f.account_id and p.place >= 0 order by p.place)
     where account_id = $1`,
    [id, app.clock.now()],
  );
const badgeOf = async ({ id }: TestMember, viewer = other) =>
  (await app.call(getUser, { token: viewer.token, params: { id } })).body.data.user.photoVerifiedAt;

describe('a decision that removes the badge', () => {
  /** Reports a verified member and removes the badge. */
  async function removed() {
    await verify(member);
    const report = await fileReport(app, other, {
      problem_type: 'Harassment',
      reportedUser: member.id,
      hideFromEachOther: false,
    });
    const params = { id: await caseIdOf(app, report._id) };
    const { evidence } = (await app.call(getCase, { token: moderator.token, params })).body.data;
    const profile = evidence.flatMap(({ items }) => items).find(({ type }) => type === 'profile');
    const givenAt = profile?.profile?.photoVerifiedAt ?? '';
    expect(givenAt).toBe(app.clock.now().toISOString());
    const content = { evidenceId: profile?._id ?? '', type: 'badge' as const, key: givenAt };
    const body = {
      outcome: 'actioned' as const,
      ruleId: await currentRuleId(app),
      facts: 'The pictures show someone else than the person in calls.',
      sanctions: [{ kind: 'remove_content' as const, content }],
    };
    const { status } = await app.call(decideCase, { token: moderator.token, params, body });
    expect(status).toBe(201);
    const { rows } = await app.pool.query<{ id: string }>('select id from sanction where account_id = $1', [member.id]);
    return rows[0]?.id ?? '';
  }
  const revoke = (id: string) =>
    app.call(revokeSanction, {
      token: administrator.token,
      params: { id },
      body: { reason: 'The appeal shows that it is the same person after all.' },
    });

  it('notifies the member, who can appeal, and restores it when the decision is revoked', async () => {
    const sanction = await removed();
    expect(await badgeOf(member)).toBeNull();
    const [statement] = (await app.call(listStatements, { token: member.token })).body.data.notices;
    expect(statement?.measures[0]?.content).toMatchObject({ type: 'badge', text: null });
    expect(statement?.appeal.mayAppeal).toBe(true);
    expect((await revoke(sanction)).status).toBe(200);
    expect(await badgeOf(member)).toBe(app.clock.now().toISOString());
  });

  it('does not restore it for pictures that no one compared', async () => {
    const sanction = await removed();
    await uploadFurther(app, member, 3);
    await revoke(sanction);
    expect(await badgeOf(member)).toBeNull();
  });
});

describe('members who want notes and first messages from photo-verified people only', () => {
  const want = (onlyVerifiedMayWrite: boolean) =>
    app.call(setFirstContact, { token: member.token, body: { onlyVerifiedMayWrite } });
  const write = (from: TestMember, id: string) =>
    app.call(sendMessage, { token: from.token, params: { id }, body: { clientId: randomUUID(), text: 'Hello' } });

  it('get likes without a note from everyone, and notes from verified people', async () => {
    expect((await want(true)).body.data.onlyVerifiedMayWrite).toBe(true);
    const refused = await like(other, member, { note: 'Nice boat' });
    expect([refused.status, refused.error.code]).toEqual([403, 'PHOTO_VERIFICATION_REQUIRED']);
    await verify(other);
    expect((await like(other, member, { note: 'Nice boat' })).status).toBe(201);
    expect((await like(await makeMember(app), member)).status).toBe(201);
  });

  it('get first messages from verified people only, but can write first themselves', async () => {
    await want(true);
    const id = await placeMatch(app, member, other);
    const refused = await write(other, id);
    expect([refused.status, refused.error.code]).toEqual([403, 'PHOTO_VERIFICATION_REQUIRED']);
    expect((await write(member, id)).status).toBe(201);
    expect((await write(other, id)).status).toBe(201);
    const stranger = await makeMember(app);
    await verify(stranger);
    expect((await write(stranger, await placeMatch(app, member, stranger))).status).toBe(201);
  });

  it('get first messages from everyone again after changing the setting', async () => {
    await want(true);
    await want(false);
    expect((await like(other, member, { note: 'Nice boat' })).status).toBe(201);
  });
});

describe('the filter for photo-verified people', () => {
  it('leaves out everyone else, and is free', async () => {
    const [viewer, verified, unverified] = [await meet(), await meet(), await meet()];
    await verify(verified);
    const shown = async () => (await idsFor(viewer)).filter((id) => id === verified.id || id === unverified.id).sort();
    await prefer(viewer, { photoVerifiedOnly: false });
    expect(await shown()).toEqual([verified.id, unverified.id].sort());
    const { preferences } = (await prefer(viewer, { photoVerifiedOnly: true })).body.data;
    expect(preferences.photoVerifiedOnly).toBe(true);
    expect(await shown()).toEqual([verified.id]);
    await app.pool.query('update profile set photo_verified_at = null where account_id = $1', [verified.id]);
    expect(await shown()).toEqual([]);
  });
});

describe('GET /auth/profile', () => {
  it('returns when the member was photo verified, next to the address', async () => {
    await verify(member);
    const { user } = (await app.call(getProfile, { token: member.token })).body.userData;
    expect(user).toMatchObject({
      isEmailVerified: true,
      isPhotoVerified: true,
      photoVerifiedAt: app.clock.now().toISOString(),
    });
  });
});

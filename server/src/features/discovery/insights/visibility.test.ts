import { beforeEach, describe, expect, it } from 'vitest';
import { getUserAsMember, getVisibility } from '#contract/visibility.ts';
import { brno, cardsIn, deleteAllMembers } from '../../../../test/cards.ts';
import { makeMember, type MemberOptions, type TestMember } from '../../../../test/factories.ts';
import { startAppForTests } from '../../../../test/harness.ts';
import { likesIn } from '../../../../test/likes.ts';
import { makeManyMembers } from '../../../../test/many-members.ts';

const app = startAppForTests();
beforeEach(async () => {
  await deleteAllMembers(app);
  // Populated search cells are remembered for five minutes.
  app.clock.advance(301);
});

const { meet, prefer } = cardsIn(() => app);
const { pass, block } = likesIn(() => app);
const support = () => makeMember(app, { staffRole: 'support' });
const visibility = async (by: TestMember, of: TestMember) =>
  (await app.call(getVisibility, { token: by.token, params: { id: of.id } })).body.data;
const auditOf = (id: string) =>
  app.db.selectFrom('audit_event').select(['action', 'actor_id']).where('target_id', '=', id).execute();

describe('GET /admin/users/{id}/visibility', () => {
  const now = () => app.clock.now();
  it.each<[string, string[], () => MemberOptions]>([
    ['a profile that others see', [], () => ({})],
    ['staff', ['staff'], () => ({ staffRole: 'analyst' })],
    ['a deactivated account', ['deactivated'], () => ({ deactivated: 'Spam' })],
    ['an unconfirmed address', ['unverified'], () => ({ verified: false })],
    ['a profile without a picture', ['incomplete'], () => ({ pictureless: true })],
    ['someone who has not come back since joining', ['unopened'], () => ({ lastActiveAt: null })],
    ['a long absence', ['inactive'], () => ({ lastActiveAt: new Date(now().getTime() - 31 * 86_400_000) })],
  ])('names the reason for %s', async (_, reasons, options) => {
    const person = await meet(options());
    expect((await visibility(await support(), person)).reasons).toEqual(reasons);
  });

  it('names a pause, and the parts that are missing', async () => {
    const person = await meet();
    await prefer(person, { isPaused: true });
    await app.db
      .updateTable('profile')
      .set({ gender: null, seeking: [] })
      .where('account_id', '=', person.id)
      .execute();
    expect(await visibility(await support(), person)).toMatchObject({
      reasons: ['incomplete', 'paused'],
      missing: ['gender', 'seeking'],
      audience: null,
    });
  });

  it('counts who can see the person, and what excludes the others, but no group under ten', async () => {
    const staff = await support();
    const person = await meet({ gender: 'man', seeking: ['woman'], birthDate: '1990-01-01' });
    const women = (count: number, options: MemberOptions = {}) =>
      Promise.all(
        Array.from({ length: count }, () =>
          meet({ gender: 'woman', seeking: ['man'], birthDate: '1992-01-01', ...options }),
        ),
      );
    await women(12);
    expect((await visibility(staff, person)).audience).toEqual({
      ...{ nearby: 12, canSee: 12, ownFilters: [], theirDistance: null, theirFilters: null, decided: null },
    });

    const [others, far, decided] = [await women(10, { seeking: ['woman'] }), await women(11, brno), await women(13)];
    for (const woman of far) await prefer(woman, { distance: { maxKm: 20, required: true } });
    for (const woman of decided) await pass(woman, person);
    const [blocker] = others;
    if (blocker !== undefined) await block(blocker, person);
    app.clock.advance(301);
    expect((await visibility(staff, person)).audience).toEqual({
      ...{ nearby: 45, canSee: 12, ownFilters: [], theirDistance: 11, theirFilters: null, decided: 13 },
    });

    await prefer(person, { age: { min: 40, max: 50, required: true } });
    expect((await visibility(staff, person)).audience).toMatchObject({
      canSee: null,
      ownFilters: [{ filter: 'age', excluded: 12 }],
    });
  });

  it('is audited, says nothing of others, and is refused to parties', async () => {
    const staff = await support();
    const person = await meet();
    await makeManyMembers(app, 20);
    const answer = await visibility(staff, person);
    expect(JSON.stringify(answer)).not.toMatch(/[0-9a-f]{8}-|latitude|email/);
    expect(await auditOf(person.id)).toEqual([{ action: 'user.visibilityExplained', actor_id: staff.id }]);
    const own = await app.call(getVisibility, { token: staff.token, params: { id: staff.id } });
    expect(own.status).toBe(403);
  });
});

describe('GET /admin/users/{id}/as-member', () => {
  it('has what members see and nothing that only staff or the member know, and is audited', async () => {
    const staff = await support();
    const person = await meet({ firstName: 'Ida', lastName: 'Holm' });
    const { status, body } = await app.call(getUserAsMember, { token: staff.token, params: { id: person.id } });
    expect(status).toBe(200);
    expect(body.data.user).toMatchObject({ _id: person.id, firstName: 'Ida', name: 'Ida' });
    expect(JSON.stringify(body)).not.toMatch(/Holm|birthDate|email|seeking/);
    expect(await auditOf(person.id)).toEqual([{ action: 'user.viewedAsMember', actor_id: staff.id }]);
  });
});

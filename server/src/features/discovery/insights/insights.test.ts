import { beforeEach, describe, expect, it } from 'vitest';
import { explainCard, getMatchingInsights } from '#contract/discovery.ts';
import { revealsPerHour } from '#contract/roles.ts';
import { getUserAsMember, getVisibility } from '#contract/visibility.ts';
import { brno, cardsIn, deleteAllMembers } from '../../../../test/cards.ts';
import { makeAdministrator, makeMember, type MemberOptions, type TestMember } from '../../../../test/factories.ts';
import { startApp, startAppForTests } from '../../../../test/harness.ts';
import { makeManyMembers } from '../../../../test/many-members.ts';
import { likesIn, placeDecision, placeMatch } from '../../../../test/likes.ts';
import { placeMessage } from '../../../../test/messages.ts';
import { gini } from '../../../../../lab/eval/figures.ts';
import { giniOf, published } from './weeks.ts';

const app = startAppForTests();

describe('insights into matching', () => {
  beforeEach(async () => {
    await deleteAllMembers(app);
    app.clock.advance(301);
  });

  const { meet, prefer, cardsOf } = cardsIn(() => app);
  const { like, pass, block } = likesIn(() => app);
  const count = async () => {
    await app.app.background.tasks['discovery.countWeeks']?.({}, {} as never);
  };

  const dayMs = 86_400_000;
  const monday = () => {
    const now = app.clock.now();
    return new Date(now.getTime() - ((now.getUTCDay() + 6) % 7) * dayMs).toISOString().slice(0, 10);
  };

  describe('GET /admin/matching', () => {
    const segmentsOf = async (by: TestMember) => {
      const { weeks } = (await app.call(getMatchingInsights, { token: by.token })).body.data;
      return new Map(
        weeks.flatMap(({ week, segments }) =>
          segments.map((one) => [`${week} ${one.gender ?? 'all'} ${one.age ?? 'all'}`, one] as const),
        ),
      );
    };

    it('is empty before the first count', async () => {
      const fresh = await startApp();
      const analyst = await makeMember(fresh, { staffRole: 'analyst' });
      expect((await fresh.call(getMatchingInsights, { token: analyst.token })).body.data).toEqual({
        weeks: [],
        countedAt: null,
      });
      await fresh.close();
    });

    it('contains what members did in a week, and counting again does not double it', async () => {
      const analyst = await makeMember(app, { staffRole: 'analyst' });
      const joined = new Date(app.clock.now().getTime() - 300 * dayMs);
      const [women, men] = await Promise.all(
        (['woman', 'man'] as const).map((gender) =>
          Promise.all(Array.from({ length: 12 }, () => meet({ gender, birthDate: '1995-01-01', createdAt: joined }))),
        ),
      );
      if (women === undefined || men === undefined) throw new Error('no members');
      const popular = women[0] as TestMember;
      for (const man of men) await like(man, popular);
      for (const woman of women.slice(1)) await pass(woman, men[0] as TestMember);
      const match = await placeMatch(app, popular, men[1] as TestMember);
      await placeMessage(app, match, popular);
      await app.db.updateTable('conversation').set({ opened_by: popular.id }).where('id', '=', match).execute();

      await count();
      await count();
      const found = await segmentsOf(analyst);
      const week = monday();
      expect(found.get(`${week} woman all`)).toMatchObject({ members: 10, coverage: 8 });
      expect(found.get(`${week} man all`)).toMatchObject({ members: 10, coverage: 8, unread: null });
      expect(found.get(`${week} woman 26-35`)).toMatchObject({ members: 10, unread: 100 });
      expect(found.get(`${week} all all`)).toMatchObject({ members: 20 });
      expect(found.get(`${week} woman all`)?.gini).toBeGreaterThan(0.9);
    });

    it('counts new members who matched within a week, without people who paused, and responds within a day', async () => {
      const administrator = await makeAdministrator(app);
      const joined = new Date(Date.parse(monday()) - 13.5 * dayMs);
      const people = await Promise.all(Array.from({ length: 10 }, () => meet({ createdAt: joined })));
      await prefer(await meet({ createdAt: joined }), { isPaused: true });
      const other = await meet({ createdAt: new Date(joined.getTime() - 300 * dayMs) });
      for (const [index, person] of people.entries()) {
        const match = await placeMatch(app, other, person);
        await placeMessage(app, match, other);
        await app.db
          .updateTable('conversation')
          .set({
            began_at: new Date(joined.getTime() + dayMs),
            opened_by: other.id,
            is_answered: index < 5,
            last_seq: index < 4 ? 6 : 2,
          })
          .where('id', '=', match)
          .execute();
        const sentAt = new Date(joined.getTime() + dayMs);
        await app.db.updateTable('message').set({ sent_at: sentAt }).where('conversation_id', '=', match).execute();
        if (index >= 5) continue;
        const hours = index < 3 ? 2 : 30;
        await app.db
          .insertInto('message')
          .values({
            conversation_id: match,
            seq: 2,
            sender_id: person.id,
            client_id: person.id,
            body: 'Hi',
            sent_at: new Date(sentAt.getTime() + hours * 3_600_000),
            caution: null,
          })
          .execute();
      }
      await app.db.updateTable('decision').set({ decided_at: joined }).execute();
      await count();
      const found = await segmentsOf(administrator);
      const week = new Date(Date.parse(monday()) - 14 * dayMs).toISOString().slice(0, 10);
      expect(found.get(`${week} all all`)).toMatchObject({
        ...{ members: 10, coverage: 100, newMatched: 100, replied: 30, conversations: 40 },
      });
    });

    it('leaves out segments and shares of fewer than ten people, and rounds figures from which they could be computed', () => {
      const row = (gender: string, age: string, members: number) => ({
        ...{
          gender,
          age,
          members,
          matched: 5,
          gini: 0.5,
          likes: 9,
          likes_unread: 1,
          newcomers: 0,
          newcomers_matched: 0,
        },
        ...{ first_messages: 1200, replied: 5, matches: 0, conversations: 0 },
      });
      const rows = published([row('', '', 76), row('woman', '', 61), row('woman', '18-25', 9), row('man', '', 14)]);
      expect(rows.map(({ gender, members, coverage }) => [gender, members, coverage])).toEqual([
        [null, 80, 7],
        ['woman', 60, 8],
        ['man', 10, 36],
      ]);
      expect(rows[0]).toMatchObject({ unread: null, replied: 0.4, newMatched: null });
    });
  });

  describe('the Gini coefficient of counts', () => {
    it('is that of the values themselves', () => {
      expect(giniOf({ 0: 3, 2: 1, 7: 2 })).toBeCloseTo(gini([0, 0, 0, 2, 7, 7]), 12);
      expect(giniOf({ 4: 10 })).toBeCloseTo(0, 12);
      expect(giniOf({})).toBe(0);
    });
  });

  describe('POST /admin/matching/explain', () => {
    const reason = 'Asked why they never meet';
    const explain = async (by: TestMember, viewer: TestMember, person: TestMember) =>
      await app.call(explainCard, { token: by.token, body: { viewerId: viewer.id, personId: person.id, reason } });
    const found = async (by: TestMember, viewer: TestMember, person: TestMember) =>
      (await explain(by, viewer, person)).body.data;

    it('returns the place of a card and the parts of its rank', async () => {
      const administrator = await makeAdministrator(app);
      const [viewer, person] = [await meet(), await meet()];
      expect(await found(administrator, viewer, person)).toMatchObject({ deck: null });
      await cardsOf(viewer);
      const shown = await found(administrator, viewer, person);
      expect(shown).toMatchObject({
        ...{ takesPart: true, isVisible: true, isActive: true, isIncognito: false, isBlocked: false },
        ...{ viewerRefuses: [], personRefuses: [], decided: null, hasPassed: false },
        deck: { cards: 1, place: 1, isOutdated: false },
        terms: { likesViewer: false, premium: 0 },
      });
      expect(JSON.stringify(shown)).not.toMatch(/latitude|longitude|answers|50\.08/);
    });

    it('compares people who were left out with the cards that they compete with, not with decoys', async () => {
      const administrator = await makeAdministrator(app);
      const viewer = await meet({ gender: 'man', seeking: ['woman'] });
      const people = await makeManyMembers(app, 100);
      await cardsOf(viewer);
      const { targets } = await app.db.selectFrom('deck').select('targets').executeTakeFirstOrThrow();
      const leftOut = people.filter(({ id }) => !targets.includes(id));
      expect(leftOut.length).toBeGreaterThan(30);
      for (const person of leftOut.slice(0, 12)) {
        const { deck, terms } = await found(administrator, viewer, person);
        expect(terms?.rank).toBeLessThanOrEqual(deck?.cut ?? -Infinity);
      }
    });

    it('mentions a pause on either side, and nothing else that hides a member', async () => {
      const administrator = await makeAdministrator(app);
      const [viewer, person] = [await meet(), await meet()];
      expect(await found(administrator, viewer, person)).toMatchObject({
        isViewerPaused: false,
        isPersonPaused: false,
      });
      await prefer(person, { isPaused: true });
      const paused = { takesPart: true, isVisible: true, isIncognito: false };
      expect(await found(administrator, viewer, person)).toMatchObject({ ...paused, isPersonPaused: true });
      expect(await found(administrator, person, viewer)).toMatchObject({ ...paused, isViewerPaused: true });
    });

    it('returns what excludes the two people from each other, in each direction', async () => {
      const viewer = await meet({ birthDate: '1990-01-01', seeking: ['man'] });
      const person = await meet({ gender: 'woman', birthDate: '1960-01-01', seeking: ['woman'], ...brno });
      await prefer(viewer, { age: { min: 30, max: 45, required: true }, distance: { maxKm: 50, required: true } });
      await pass(person, viewer);
      await block(person, viewer);
      app.clock.advance(86_400);
      const administrator = await makeAdministrator(app);
      expect(await found(administrator, viewer, person)).toMatchObject({
        viewerRefuses: ['gender', 'age', 'distance'],
        personRefuses: [],
        isBlocked: true,
        hasPassed: true,
      });
      await placeDecision(app, viewer, person, 'pass');
      expect((await found(administrator, viewer, person)).decided).toMatchObject({ kind: 'pass' });
    });

    it('accepts members outside discovery', async () => {
      const administrator = await makeAdministrator(app);
      const [viewer, person] = [
        await makeMember(app, { gender: null }),
        await makeMember(app, { staffRole: 'support' }),
      ];
      expect(await found(administrator, viewer, person)).toMatchObject({
        ...{ takesPart: false, isVisible: false, deck: null, terms: null, viewerRefuses: [] },
      });
    });

    it('is audited for both and counts as two reveals', async () => {
      const administrator = await makeAdministrator(app);
      const [viewer, person] = [await meet(), await meet()];
      expect((await found(administrator, viewer, person)).remaining).toBe(revealsPerHour.admin - 2);
      const events = await app.db
        .selectFrom('audit_event')
        .select(['action', 'target_id', 'reason', 'changes'])
        .where('actor_id', '=', administrator.id)
        .orderBy('id')
        .execute();
      const changes = { shown: { from: null, to: person.id }, shownTo: { from: null, to: viewer.id } };
      expect(events).toEqual(
        [viewer, person].map(({ id }) => ({ action: 'matching.explained', target_id: id, reason, changes })),
      );
      const now = app.clock.now();
      const used = Array.from({ length: revealsPerHour.admin - 3 }, () => ({
        staff_id: administrator.id,
        at: now,
        quota: 50,
      }));
      await app.db.insertInto('pii_reveal').values(used).execute();
      expect((await explain(administrator, viewer, person)).status).toBe(429);
    });

    it('rejects the same person twice, the caller’s own account and unknown ids', async () => {
      const administrator = await makeAdministrator(app);
      const viewer = await meet();
      expect((await explain(administrator, viewer, viewer)).status).toBe(400);
      expect((await explain(administrator, viewer, administrator)).status).toBe(403);
      expect((await explain(administrator, viewer, { ...viewer, id: crypto.randomUUID() })).status).toBe(404);
    });
  });
});

describe('insights into the visibility of a person', () => {
  beforeEach(async () => {
    await deleteAllMembers(app);
    // The number of people in populated search cells is cached for five minutes.
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

    it('names a pause and the missing parts of the profile', async () => {
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

    it('counts who can see the person and what excludes the others, but no group below ten', async () => {
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

    it('is audited, reveals nothing about others, and returns 403 to parties', async () => {
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
    it('returns what members see, without anything that only staff or the member know, and is audited', async () => {
      const staff = await support();
      const person = await meet({ firstName: 'Ida', lastName: 'Holm' });
      const { status, body } = await app.call(getUserAsMember, { token: staff.token, params: { id: person.id } });
      expect(status).toBe(200);
      expect(body.data.user).toMatchObject({ _id: person.id, firstName: 'Ida', name: 'Ida' });
      expect(JSON.stringify(body)).not.toMatch(/Holm|birthDate|email|seeking/);
      expect(await auditOf(person.id)).toEqual([{ action: 'user.viewedAsMember', actor_id: staff.id }]);
    });
  });
});

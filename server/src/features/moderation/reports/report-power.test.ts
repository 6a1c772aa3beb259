import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { getCards } from '#contract/discovery.ts';
import { decideAppeal, submitAppeal } from '#contract/moderation/appeals.ts';
import { decideCase, releaseHold } from '#contract/moderation/cases.ts';
import { markEmergency } from '#contract/moderation/emergencies.ts';
import type { createReport } from '#contract/moderation/reports.ts';
import { changeReport } from '#contract/moderation/staff-reports.ts';
import { getUser, searchUsers } from '#contract/profiles/profiles.ts';
import type { BodyInput } from '#contract/endpoint.ts';
import { prague } from '../../../../test/cards.ts';
import { makeAdministrator, makeMember, type MemberOptions, type TestMember } from '../../../../test/factories.ts';
import { newNetwork, startAppForTests } from '../../../../test/harness.ts';
import { likesIn, placeDecision, placeMatch } from '../../../../test/likes.ts';
import { makeManyMembers } from '../../../../test/many-members.ts';
import { mailedOutsiderToken, placeOutsiderReport } from '../../../../test/moderation/outsiders.ts';
import { openOutsiderLink } from '#contract/moderation/outsider-reports.ts';
import { caseIdOf, currentRuleId, fileReport, putInStatus } from '../../../../test/moderation/reports.ts';

type Given = Partial<BodyInput<typeof createReport>>;
type Person = Pick<TestMember, 'id'>;

const app = startAppForTests({ TRUSTED_PROXIES: 'loopback' });
let administrator: TestMember;
let person: TestMember;
let crowd: TestMember[];
beforeAll(async () => {
  crowd = await makeManyMembers(app, 144);
  administrator = await makeAdministrator(app);
});
beforeEach(async () => {
  await app.sql`truncate moderation_case, account_link, sanction cascade`;
  person = await oldMember();
});

const { like, pass } = likesIn(() => app);
const longAgo = new Date('2026-01-01T00:00:00.000Z');
/** Sign-ins happened in a separate network, by default an unknown one. */
async function oldMember(options: MemberOptions = {}, network = ''): Promise<TestMember> {
  const member = await makeMember(app, { createdAt: longAgo, lastActiveAt: app.clock.now(), ...prague, ...options });
  await app.db.updateTable('known_device').set({ network }).where('account_id', '=', member.id).execute();
  return member;
}
const minor: Given = { problem_type: 'Other', mayBeMinor: true };
const harassment: Given = { problem_type: 'Harassment' };
const report = (by: TestMember, about: Person, given: Given = minor, network = newNetwork()) =>
  fileReport(app, by, { ...given, reportedUser: about.id }, network);
const heldAmong = async (people: readonly Person[]) => {
  const ids = people.map(({ id }) => id);
  const rows = await app.db
    .selectFrom('account_hold')
    .select('account_id')
    .where('account_id', 'in', ids)
    .where('ended_at', 'is', null)
    .execute();
  return rows.length;
};
const isHeld = async (one: Person = person) => (await heldAmong([one])) === 1;
const caseOfPerson = () =>
  app.db.selectFrom('moderation_case').selectAll().where('person_id', '=', person.id).executeTakeFirstOrThrow();
/** A member who has been shown these people by the service, because all of them like the member. */
async function shown(people: readonly Person[]): Promise<TestMember> {
  const reporter = await oldMember();
  for (const one of people) await placeDecision(app, one, reporter, 'like');
  return reporter;
}
const decide = async (id: string, outcome: 'no_violation' | 'unfounded' | 'actioned') =>
  app.call(decideCase, {
    token: administrator.token,
    params: { id },
    body:
      outcome !== 'actioned'
        ? { outcome }
        : {
            outcome,
            ruleId: await currentRuleId(app),
            facts: 'Asked four people for money after a week of messages.',
            sanctions: [{ kind: 'warn' as const }],
          },
  });

describe('a report that someone may be a minor', () => {
  it.each<[string, boolean, (reporter: TestMember) => Promise<unknown>]>([
    [
      'a card of the deck',
      true,
      async (reporter) => {
        // The others are too far away, so that one page of cards contains the person.
        const far = { latitude: 0, longitude: 0 };
        await app.db.updateTable('profile').set(far).where('account_id', 'not in', [person.id, reporter.id]).execute();
        await app.call(getCards, { token: reporter.token });
      },
    ],
    ['a delivered like', true, (reporter) => like(person, reporter)],
    ['a match', true, (reporter) => placeMatch(app, person, reporter)],
    [
      'a match that has ended',
      true,
      async (reporter) => {
        const id = await placeMatch(app, person, reporter);
        await likesIn(() => app).unmatch(person, id);
      },
    ],
    ['nothing', false, () => Promise.resolve()],
    [
      'a profile opened by its id',
      false,
      (reporter) => app.call(getUser, { token: reporter.token, params: { id: person.id } }),
    ],
    ['a search', false, (reporter) => app.call(searchUsers, { token: reporter.token, query: {} })],
    ['a like of the reporter’s own', false, (reporter) => like(reporter, person)],
    ['a pass', false, (reporter) => pass(reporter, person)],
    [
      'a like that was held',
      false,
      (reporter) =>
        placeDecision(app, person, reporter, 'like').then(() =>
          app.db.updateTable('decision').set({ kind: 'held' }).where('viewer_id', '=', person.id).execute(),
        ),
    ],
  ])('after %s holds the person: %s', async (_, expected, show) => {
    const reporter = await oldMember();
    await show(reporter);
    await report(reporter, person);
    expect(await isHeld()).toBe(expected);
    expect(await caseOfPerson()).toMatchObject({ priority: 'critical', critical_because: 'minor' });
  });

  it.each<[string, boolean, MemberOptions, (reporter: TestMember) => Promise<unknown>]>([
    ['an old member', true, {}, () => Promise.resolve()],
    ['a member without a confirmed address', false, { verified: false }, () => Promise.resolve()],
    [
      'a member of twenty-three hours',
      false,
      { createdAt: new Date(Date.now() - 23 * 3_600_000) },
      () => Promise.resolve(),
    ],
    [
      'someone whose report was rejected',
      false,
      {},
      async (reporter) =>
        putInStatus(app, (await report(reporter, await oldMember(), { problem_type: 'Other' }))._id, 'rejected'),
    ],
  ])('by %s, who was shown the person, holds: %s', async (_, expected, options, prepare) => {
    const reporter = await oldMember(options);
    await placeDecision(app, person, reporter, 'like');
    await prepare(reporter);
    await report(reporter, person);
    expect(await isHeld()).toBe(expected);
  });
});

describe('two reports about the same person', () => {
  it.each<[string, boolean, MemberOptions, Given, Given]>([
    ['by two people', true, {}, harassment, harassment],
    ['that the person may be a minor', true, {}, minor, minor],
    ['of which one is about something else', false, {}, { problem_type: 'Account Issue' }, minor],
    ['by two people, one of them new', false, { createdAt: new Date(Date.now() - 3_600_000) }, harassment, harassment],
    ['by two people, one of them without a confirmed address', false, { verified: false }, harassment, harassment],
  ])('%s, who only found the person, hold: %s', async (_, expected, options, one, another) => {
    await report(await oldMember(options), person, one);
    expect(await isHeld()).toBe(false);
    await report(await oldMember(), person, another);
    expect(await isHeld()).toBe(expected);
  });

  interface Side {
    email?: string;
    /** The network from which they report, by default a separate one. */
    from?: string;
    /** The network in which they signed in. */
    known?: string;
  }
  it.each<[string, boolean, Side, Side]>([
    ['of two networks', true, { from: '198.51.100.7' }, { from: '198.51.101.7' }],
    ['of one network', false, { from: '198.51.100.7' }, { from: '198.51.100.200' }],
    ['of two IPv6 networks', true, { from: '2001:db8:a:100::1' }, { from: '2001:db8:b:100::1' }],
    ['of two parts of one IPv6 network', false, { from: '2001:db8:a:100::1' }, { from: '2001:db8:a:ff00::1' }],
    ['who signed in in two networks', true, { known: '203.0.113.0/24' }, { known: '203.0.114.0/24' }],
    ['who signed in in one network', false, { known: '203.0.113.0/24' }, { known: '203.0.113.0/24' }],
    ['who signed in in one IPv6 network', false, { known: '2001:db8:a:100::/56' }, { known: '2001:db8:a:200::/56' }],
    ['of whom one signed in where the other reports', false, { known: '203.0.113.0/24' }, { from: '203.0.113.9' }],
    ['of whom one reports where the other signed in', false, { from: '203.0.113.9' }, { known: '203.0.113.0/24' }],
    ['with two mailboxes', true, { email: 'pat@mail.example' }, { email: 'pat.b@mail.example' }],
    ['with one mailbox', false, { email: 'pat+1@mail.example' }, { email: 'pat+2@mail.example' }],
    ['with one mailbox at Google', false, { email: 'p.at@gmail.com' }, { email: 'pat+x@googlemail.com' }],
  ])('by people %s hold: %s', async (_, expected, ...sides) => {
    for (const { email, from, known } of sides) {
      const reporter = await oldMember(email === undefined ? {} : { email }, known);
      await report(reporter, person, harassment, from === undefined ? newNetwork() : { 'x-forwarded-for': from });
    }
    expect(await isHeld()).toBe(expected);
  });

  it.each([
    ['strong', false],
    ['medium', true],
  ] as const)('by two people with a %s link to the same ban: %s', async (strength, expected) => {
    const [one, another, banned] = [await oldMember(), await oldMember(), await oldMember()];
    const now = app.clock.now();
    const ban = {
      account_id: banned.id,
      decision_id: null,
      kind: 'ban',
      reason: 'A scam',
      created_by_name: 'Mo',
    } as const;
    const { id } = await app.db
      .insertInto('sanction')
      .values({ ...ban, starts_at: now, strikes: 0, strikes_until: now })
      .returning('id')
      .executeTakeFirstOrThrow();
    for (const { id: account_id } of [one, another])
      await app.db
        .insertInto('account_link')
        .values({ account_id, sanction_id: id, kind: 'card', strength, found_at: now, reviewed_at: now })
        .execute();
    await report(one, person, harassment);
    await report(another, person, harassment);
    expect(await isHeld()).toBe(expected);
  });
});

it('do not hold a first-day member for one ordinary report, which is urgent', async () => {
  person = await oldMember({ createdAt: app.clock.now() });
  await report(await shown([person]), person, { problem_type: 'Inappropriate Content' });
  expect(await isHeld()).toBe(false);
  expect(await caseOfPerson()).toMatchObject({ priority: 'critical' });
});

describe('the daily number of holds', () => {
  it('is at most three for a reporter, even with parallel reports; the other cases are urgent', async () => {
    const people = crowd.slice(0, 8);
    const reporter = await shown(people);
    await Promise.all(people.map((one) => report(reporter, one)));
    expect(await heldAmong(people)).toBe(3);
    const critical = await app.db
      .selectFrom('moderation_case')
      .select('id')
      .where('priority', '=', 'critical')
      .execute();
    expect(critical).toHaveLength(8);
  });

  it.each<[string, boolean]>([
    ['in turns', true],
    ['in one order', false],
  ])('count for both of two reporters who need each other, %s', async (_, isInTurns) => {
    const people = crowd.slice(0, 6);
    const pair = [await oldMember(), await oldMember()];
    for (const [n, one] of people.entries())
      for (const reporter of isInTurns && n % 2 === 1 ? pair.toReversed() : pair)
        await report(reporter, one, harassment);
    expect(await heldAmong(people)).toBe(3);
    const [fresh, another] = [await oldMember(), await oldMember()];
    for (const reporter of [pair[0], fresh]) await report(reporter ?? fresh, crowd[6] ?? person, harassment);
    expect(await isHeld(crowd[6])).toBe(false);
    await report(another, crowd[6] ?? person, harassment);
    expect(await isHeld(crowd[6])).toBe(true);
  });

  it('reaches a hundred only with thirty-four reporters in ten networks', async () => {
    const reporters: TestMember[] = [];
    for (let n = 0; n < 36; n += 1) reporters.push(await shown(crowd.slice(n * 4, n * 4 + 4)));
    const heldBy = async (count: number, networks: readonly Record<string, string>[]) => {
      await app.sql`truncate moderation_case cascade`;
      for (const [n, reporter] of reporters.slice(0, count).entries())
        for (const one of crowd.slice(n * 4, n * 4 + 4))
          await report(reporter, one, minor, networks[n % networks.length]);
      return await heldAmong(crowd);
    };
    expect(await heldBy(36, Array.from({ length: 9 }, newNetwork))).toBe(90);
    expect(await heldBy(33, Array.from({ length: 11 }, newNetwork))).toBe(99);
  });

  it('starts again after a day', async () => {
    const people = crowd.slice(0, 4);
    const reporter = await shown(people);
    for (const one of people.slice(0, 3)) await report(reporter, one);
    await app.sql`update report_power set held_at = held_at - interval '1 day'`;
    await app.sql`update report set created_at = created_at - interval '1 day'`;
    const [last] = people.slice(3);
    await report(reporter, last ?? person);
    expect(await heldAmong(people)).toBe(4);
  });
});

describe('a member cleared by staff', () => {
  const cleared = {
    'by a decision': async () => void (await decide((await caseOfPerson()).id, 'no_violation')),
    'because the reports could not be confirmed': async () =>
      void (await decide((await caseOfPerson()).id, 'unfounded')),
    'by an appeal against a decision': async () => {
      const { decision } = (await decide((await caseOfPerson()).id, 'actioned')).body.data;
      app.clock.advance(1);
      const appeal = { decisionId: decision._id, text: 'These were lines of a song that we both like.' };
      const { right } = (await app.call(submitAppeal, { token: person.token, body: appeal })).body.data;
      const { token } = await makeAdministrator(app);
      const body = {
        outcome: 'overturned' as const,
        reasons: 'The messages were quoted from a song that both had talked about.',
      };
      await app.call(decideAppeal, { token, params: { id: right.appeal?._id ?? '' }, body });
    },
    'by a release': async () => {
      const { id } = await caseOfPerson();
      const body = { reason: 'Known from a video call' };
      await app.call(releaseHold, { token: administrator.token, params: { id }, body });
    },
    'by a release before a decision about something else': async () => {
      await cleared['by a release']();
      const { id } = await caseOfPerson();
      await app.db.updateTable('report').set({ status: 'closed' }).where('case_id', '=', id).execute();
    },
  };
  const attacks: Record<string, () => Promise<unknown>> = {
    'a new account': async () => report(await makeMember(app), person),
    'the next person that the service showed': async () => report(await shown([person]), person),
    'three people that the service showed, in three networks': async () => {
      for (let n = 0; n < 3; n += 1) await report(await shown([person]), person, n === 0 ? harassment : minor);
    },
    'a match': async () => {
      const reporter = await oldMember();
      await placeMatch(app, person, reporter);
      await report(reporter, person);
    },
    'three outsider reports from confirmed mailboxes': async () => {
      for (const type of ['minor', 'threat', 'child_abuse'] as const) {
        const email = `${type}-${person.id}@outside.example`;
        await placeOutsiderReport(app, { type, email, address: `https://heartwood.test/app/members/${person.id}` });
        await app.call(openOutsiderLink, { body: { token: await mailedOutsiderToken(app, email) } });
        await app.drain('outsiders.confirmed');
      }
    },
  };
  it.each(Object.keys(cleared).flatMap((how) => Object.keys(attacks).map((attack) => [how, attack] as const)))(
    '%s is not held by %s',
    async (how, attack) => {
      await report(await shown([person]), person);
      expect(await isHeld()).toBe(true);
      await cleared[how as keyof typeof cleared]();
      app.clock.advance(1);
      expect(await isHeld()).toBe(false);
      await attacks[attack]?.();
      expect(await isHeld()).toBe(false);
    },
  );

  it.each(
    Object.entries<(reportId: string) => Promise<unknown>>({
      'made a new report critical': async (id) => {
        await app.call(changeReport, {
          token: administrator.token,
          params: { id },
          body: { priority: 'critical', reason: 'Their pictures' },
        });
      },
      'marked an emergency': async (id) => {
        const body = {
          kind: 'minor',
          ruleId: await currentRuleId(app),
          facts: 'The pictures show someone in a classroom of a school.',
        } as const;
        await app.call(markEmergency, { token: administrator.token, params: { id: await caseIdOf(app, id) }, body });
      },
      'confirmed a later report': async (id) => {
        await decide(await caseIdOf(app, id), 'actioned');
        app.clock.advance(1);
        await report(await shown([person]), person);
      },
    }),
  )('is held once staff %s', async (_, act) => {
    await report(await shown([person]), person);
    await decide((await caseOfPerson()).id, 'no_violation');
    app.clock.advance(1);
    const { _id } = await report(await shown([person]), person, { problem_type: 'Other' });
    expect(await isHeld()).toBe(false);
    await act(_id);
    expect(await isHeld()).toBe(true);
  });
});

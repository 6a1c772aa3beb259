import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { BodyInput } from '#contract/endpoint.ts';
import { decideAppeal, submitAppeal } from '#contract/moderation/appeals.ts';
import * as calls from '#contract/moderation/automatic-rules.ts';
import { editMessage, sendMessage } from '#contract/messages/messages.ts';
import { decideCase, getCase, type LinkStrength } from '#contract/moderation/cases.ts';
import { getStart } from '#contract/moderation/start.ts';
import { listReports } from '#contract/moderation/staff-reports.ts';
import { hitByRule, longText, newRule, ruleBody, sayFirst } from '../../../../test/moderation/automatic-rules.ts';
import {
  makeAdministrator,
  makeMember,
  makeModerator,
  type MemberOptions,
  type TestMember,
} from '../../../../test/factories.ts';
import { newNetwork, startAppForTests } from '../../../../test/harness.ts';
import { likesIn } from '../../../../test/likes.ts';
import { currentRuleId, fileReport } from '../../../../test/moderation/reports.ts';
import { newTag } from '../../../../test/user-files.ts';
import { secondsAfter } from '#platform/process/clock.ts';
import { countRulesAtLimit } from './hits.ts';
import type { DryRunState } from '#platform/db/json.ts';

const app = startAppForTests({ TRUSTED_PROXIES: 'loopback' });
let senior: TestMember;
let moderator: TestMember;
beforeAll(async () => {
  senior = await makeMember(app, { staffRole: 'senior', firstName: 'Sam', lastName: 'Ek' });
  moderator = await makeModerator(app);
});

type Given = Partial<BodyInput<typeof calls.addAutomaticRule>>;
const add = (given: Given = {}) =>
  app.call(calls.addAutomaticRule, { token: senior.token, body: ruleBody(app, given) });
const turn = (id: string, isOn: boolean, reason?: string) =>
  app.call(calls.switchAutomaticRule, {
    token: senior.token,
    params: { id },
    body: { isOn, ...(reason !== undefined && { reason }) },
  });
const dryRun = async (id: string) => {
  await app.call(calls.startDryRun, { token: senior.token, params: { id } });
  await app.drain('rules.dryRun');
  return await ruleOf(id);
};
const ruleOf = async (id: string) => {
  const { rules } = (await app.call(calls.listAutomaticRules, { token: senior.token })).body.data;
  return rules.find(({ _id }) => _id === id);
};
const caseOfPerson = async ({ id }: TestMember) => {
  const row = await app.db.selectFrom('moderation_case').select('id').where('person_id', '=', id).executeTakeFirst();
  return row?.id;
};
const fileOf = async (person: TestMember) =>
  (await app.call(getCase, { token: moderator.token, params: { id: (await caseOfPerson(person)) ?? '' } })).body.data;
const holdOf = ({ id }: TestMember) =>
  app.db.selectFrom('account_hold').selectAll().where('account_id', '=', id).executeTakeFirst();
const tagsOf = async ({ id }: TestMember) =>
  (await app.db.selectFrom('account_tag').select('tag_id').where('account_id', '=', id).execute()).map(
    ({ tag_id }) => tag_id,
  );
const hitOf = ({ id }: TestMember) =>
  app.db.selectFrom('rule_hit').selectAll().where('account_id', '=', id).executeTakeFirstOrThrow();
const run = (task: string) => app.app.background.tasks[task]?.({}, {} as never);
/** Makes the hits so far older. */
const moveHitsBack = (hours: number) =>
  sql`update rule_hit set hit_at = hit_at - make_interval(hours => ${hours})`.execute(app.db);
/** Stores the state of a dry run, a finished one by default. */
const storeRun = (id: string, state: Partial<DryRunState>) => {
  const [startedAt, finishedAt] = [app.clock.now().toISOString(), app.clock.now().toISOString()];
  return app.db
    .updateTable('automatic_rule')
    .set({ dry_run: JSON.stringify({ run: 'x', startedAt, finishedAt, ...state }) })
    .where('id', '=', id)
    .execute();
};
/** Facts of today, as the job stores them. */
const placeFacts = (people: TestMember[], reporters: number) =>
  app.db
    .insertInto('rule_fact')
    .values(
      people.map(({ id }) => ({
        account_id: id,
        day: app.clock.now().toISOString().slice(0, 10),
        country: null,
        moves: 0,
        warned: 0,
        facts: JSON.stringify({ reporters }),
      })),
    )
    .execute();

describe('POST /admin/automatic-rules', () => {
  // Rules of other tests could use up the allowed number of rules.
  beforeEach(() => app.sql`update automatic_rule set retired_at = ${app.clock.now()} where name like 'Rule %'`);

  it('adds a rule that is off, and rejects names in use, past days and retired tags', async () => {
    const made = await add({ name: 'Copied words' });
    expect(made.status).toBe(201);
    expect(made.body.data.rule).toMatchObject({ isOn: false, version: 1, dryRun: null, changedBy: 'Sam Ek' });
    expect((await add({ name: 'cópied  words' })).error.code).toBe('CONFLICT');
    expect((await add({ expiresOn: app.clock.now().toISOString().slice(0, 10) })).status).toBe(400);
    expect((await add({ expiresOn: '2099-01-01' })).status).toBe(400);
    const tagId = await newTag(app);
    await app.db.updateTable('user_tag').set({ retired_at: app.clock.now() }).where('id', '=', tagId).execute();
    const actions = { ...ruleBody(app).actions, tagId };
    expect((await add({ actions })).status).toBe(400);
    const twice = { fact: 'reporters', value: 1 } as const;
    expect((await add({ conditions: [twice, twice] })).status).toBe(400);
    expect((await add({ conditions: [] })).status).toBe(400);
  });

  it('rejects a rule whose threshold exceeds what is counted', async () => {
    expect((await add({ conditions: [{ fact: 'sameTextSenders', value: 51 }] })).status).toBe(400);
  });

  it('rejects a critical rule without a hold, because a critical case always holds', async () => {
    const actions = { ...ruleBody(app).actions, priority: 'critical', hold: false } as const;
    expect((await add({ actions })).error.errors?.[0]?.field).toBe('actions');
  });

  it.each<[NonNullable<Given['conditions']>, number]>([
    [[{ fact: 'pictureDuplicates', value: 1 }], 400],
    [[{ fact: 'accountAgeHours', value: 72 }], 400],
    [
      [
        { fact: 'pictureDuplicates', value: 3 },
        { fact: 'accountAgeHours', value: 24 },
      ],
      400,
    ],
    [
      [
        { fact: 'pictureDuplicates', value: 1 },
        { fact: 'likesPerHour', value: 100 },
      ],
      201,
    ],
  ])('adds a rule that holds by what only the person did: %j returns %i', async (conditions, status) => {
    const actions = { ...ruleBody(app).actions, hold: true };
    const made = await add({ conditions, actions });
    expect(made.status).toBe(status);
    if (status === 400) expect(made.error.errors?.[0]?.field).toBe('actions.hold');
    expect((await add({ conditions })).status).toBe(201);
  });

  it('offers built-in rules that are off', async () => {
    const shipped = await app.db.selectFrom('automatic_rule').select(['name', 'is_on']).execute();
    expect(shipped).toContainEqual({ name: 'Copied scam from new accounts', is_on: false });
  });

  it('offers two built-in rules that only watch', async () => {
    const { rules } = (await app.call(calls.listAutomaticRules, { token: senior.token })).body.data;
    const watching = rules.filter(({ isWatching }) => isWatching);
    for (const name of ['Many first messages', 'Warned texts from new accounts'])
      expect(watching).toContainEqual(expect.objectContaining({ name, isOn: false }));
  });
});

describe('a rule that only watches', () => {
  const watch = (id: string, isWatching: boolean) =>
    app.call(calls.switchAutomaticRule, { token: senior.token, params: { id }, body: { isOn: false, isWatching } });

  it('records each person once, and does nothing to them', async () => {
    const id = await newRule(app, { conditions: [{ fact: 'firstTexts', value: 2 }] });
    const [ada, bo] = [await makeMember(app), await makeMember(app)];
    for (const who of [ada, bo, bo]) await sayFirst(app, who, 'Hi');
    expect((await watch(id, true)).body.data.rule).toMatchObject({ isOn: false, isWatching: true, sightings: 0 });
    for (const who of [ada, bo, bo]) await sayFirst(app, who, 'Hi');
    const { rule } = (await watch(id, true)).body.data;
    expect(rule).toMatchObject({ sightings: 2, hits: { open: 0 } });
    expect(await app.db.selectFrom('rule_hit').select('id').where('rule_id', '=', id).execute()).toEqual([]);
    expect((await watch(id, false)).body.data.rule.isWatching).toBe(false);
  });

  it('counts the first messages of a day', async () => {
    const id = await newRule(app, { conditions: [{ fact: 'firstTexts', value: 2 }] });
    await watch(id, true);
    const ada = await makeMember(app);
    await sayFirst(app, ada, 'Hi');
    const clock = app.clock.now();
    app.clock.advance(86_400);
    await sayFirst(app, ada, 'Hi');
    app.clock.set(clock);
    expect((await watch(id, true)).body.data.rule.sightings).toBe(0);
  });

  it('keeps watching after a change, without the hits of the previous version', async () => {
    const id = await newRule(app, { conditions: [{ fact: 'firstTexts', value: 1 }] });
    await watch(id, true);
    await sayFirst(app, await makeMember(app), 'Hi');
    const body = { ...ruleBody(app, { name: `Watch ${id}`.slice(0, 40) }), version: 1 };
    const changed = await app.call(calls.changeAutomaticRule, { token: senior.token, params: { id }, body });
    expect(changed.body.data.rule).toMatchObject({ version: 2, isWatching: true, sightings: 0 });
  });

  it('appears on the start page of staff who may switch it on', async () => {
    const of = async (who: TestMember) => (await app.call(getStart, { token: who.token })).body.data.watching;
    expect((await of(senior)).rules).toBeGreaterThanOrEqual(2);
    expect(await of(moderator)).toEqual({ rules: 0, people: 0 });
  });
});

describe('PUT /admin/automatic-rules/{id}', () => {
  it('creates a new version, which is off and needs its own dry run', async () => {
    const id = await newRule(app);
    await dryRun(id);
    await turn(id, true);
    const change = (version: number) =>
      app.call(calls.changeAutomaticRule, {
        token: senior.token,
        params: { id },
        body: { ...ruleBody(app, { name: `Changed ${id}`.slice(0, 40) }), version },
      });
    expect((await change(1)).body.data.rule).toMatchObject({ version: 2, isOn: false, dryRun: null });
    expect((await change(1)).error.code).toBe('CONFLICT');
    expect((await turn(id, true)).error.code).toBe('CONFLICT');
  });

  it.each([
    ['merged', 'the tag that replaced it'],
    ['retired', 'no tag'],
  ])('saves a rule whose tag was %s as the editor saw it, with %s', async (change) => {
    const [tagId, other] = [await newTag(app), await newTag(app)];
    const id = await newRule(app, { actions: { ...ruleBody(app).actions, tagId } });
    await app.db
      .updateTable('user_tag')
      .set({ retired_at: app.clock.now(), ...(change === 'merged' && { merged_into: other }) })
      .where('id', '=', tagId)
      .execute();
    const left = change === 'merged' ? other : null;
    const { actions, ...read } = (await ruleOf(id)) ?? expect.unreachable();
    expect([actions.tagId, actions.tagName === null]).toEqual([left, left === null]);
    const save = (given: string | null, version: number) => {
      const body = { ...ruleBody(app, read), actions: { ...actions, tagId: given }, version };
      return app.call(calls.changeAutomaticRule, { token: senior.token, params: { id }, body });
    };
    expect((await save(actions.tagId, 1)).body.data.rule.actions.tagId).toBe(left);
    // A colleague may have opened the form earlier.
    const saved = await save(tagId, 2);
    expect(left === null ? saved.status : saved.body.data.rule.actions.tagId).toBe(left ?? 400);
  });
});

describe('DELETE /admin/automatic-rules/{id}', () => {
  it('removes a rule but not its hits', async () => {
    const person = await makeMember(app);
    const id = await hitByRule(app, person);
    expect((await app.call(calls.retireAutomaticRule, { token: senior.token, params: { id } })).status).toBe(200);
    expect(await ruleOf(id)).toBeUndefined();
    expect(await hitOf(person)).toMatchObject({ judged_at: null });
    expect((await app.call(calls.retireAutomaticRule, { token: senior.token, params: { id } })).status).toBe(404);
  });
});

describe('a dry run', () => {
  it('counts people of the last 30 days by group, names five, and does nothing to them', async () => {
    await app.db.deleteFrom('rule_fact').execute();
    const people = await Promise.all(Array.from({ length: 12 }, () => makeMember(app, { gender: 'man' })));
    const others = await Promise.all(Array.from({ length: 3 }, () => makeMember(app)));
    await placeFacts(people, 4);
    await placeFacts(others, 0);
    const conditions = [{ fact: 'reporters', value: 4 }] as const;
    const rule = await dryRun(await newRule(app, { conditions: [...conditions] }));
    expect(rule?.dryRun).toMatchObject({ isDone: true, examined: 15, total: 15, hits: 12, needsReason: false });
    expect(rule?.dryRun?.examples).toHaveLength(5);
    expect(rule?.dryRun?.groups).toContainEqual({ by: 'gender', group: 'man', people: 12, hits: 12, isUneven: false });
    // Groups of fewer than ten people are left out.
    expect(rule?.dryRun?.groups.map(({ group }) => group)).not.toContain('woman');
    expect(await caseOfPerson(people[0] as TestMember)).toBeUndefined();
  });

  it('leaves people the reader is involved with out of the examples', async () => {
    const person = await makeMember(app);
    const colleague = await makeMember(app, { staffRole: 'senior' });
    await fileReport(app, colleague, { problem_type: 'Harassment', reportedUser: person.id });
    const id = await hitByRule(app, person);
    await storeRun(id, { total: 1, examined: 1, hits: 1, groups: [] });
    const seenBy = async ({ token }: TestMember) =>
      (await app.call(calls.listAutomaticRules, { token })).raw.includes(person.id);
    expect(await seenBy(senior)).toBe(true);
    expect(await seenBy(colleague)).toBe(false);
  });

  it('requires a reason before switching on if a large group is affected more often than others', async () => {
    const id = await newRule(app);
    expect((await turn(id, true)).error.code).toBe('CONFLICT');
    await dryRun(id);
    const groups: DryRunState['groups'] = [
      { by: 'country', group: 'norway', people: 300, hits: 40 },
      { by: 'country', group: 'czechia', people: 1000, hits: 10 },
    ];
    await storeRun(id, { total: 1300, examined: 1300, hits: 50, groups });
    expect((await ruleOf(id))?.dryRun?.needsReason).toBe(true);
    expect((await turn(id, true)).error.errors?.[0]?.field).toBe('reason');
    expect((await turn(id, true, 'Too short')).status).toBe(400);
    const reason = 'A wave of fakes comes from one network there.';
    const on = (await turn(id, true, reason)).body.data.rule;
    expect(on).toMatchObject({ isOn: true, switched: { by: 'Sam Ek', reason } });
    expect((await turn(id, false)).body.data.rule).toMatchObject({ isOn: false, switched: { reason: null } });
  });

  it.each([
    [40, 5],
    [900, 9],
    [50_000, 100],
  ])('limits how many people may be held: of %i at most %i', async (examined, most) => {
    const id = await newRule(app, { actions: { ...ruleBody(app).actions, hold: true } });
    await storeRun(id, { total: examined, examined, hits: most + 1, groups: [] });
    expect((await turn(id, true)).error.code).toBe('CONFLICT');
    await storeRun(id, { total: examined, examined, hits: most, groups: [] });
    expect((await turn(id, true)).body.data.rule).toMatchObject({ isOn: true });
    await turn(id, false);
  });

  it('allows switching on for a week, and only if it examined someone', async () => {
    const id = await newRule(app);
    await storeRun(id, { total: 0, examined: 0, hits: 0, groups: [] });
    expect((await turn(id, true)).error.code).toBe('CONFLICT');
    const daysAgo = (days: number) => secondsAfter(app.clock.now(), -days * 86_400 - 1).toISOString();
    await storeRun(id, { total: 1, examined: 1, hits: 0, groups: [], startedAt: daysAgo(7) });
    expect((await turn(id, true)).error.code).toBe('CONFLICT');
    await storeRun(id, { total: 1, examined: 1, hits: 0, groups: [], startedAt: daysAgo(6) });
    expect((await turn(id, true)).body.data.rule).toMatchObject({ isOn: true });
    await turn(id, false);
  });

  it('resumes after a restart, and ends when another run is started', async () => {
    await app.db.deleteFrom('rule_fact').execute();
    const people = await Promise.all(Array.from({ length: 3 }, () => makeMember(app)));
    await placeFacts(people, 4);
    const [, second = ''] = people.map(({ id }) => id).sort();
    const id = await newRule(app, { conditions: [{ fact: 'reporters', value: 4 }] });
    await storeRun(id, { total: 3, examined: 2, hits: 2, groups: [], after: second, finishedAt: null });
    await app.app.background.tasks['rules.dryRun']?.({ id, run: 'before' }, {} as never);
    expect((await ruleOf(id))?.dryRun).toMatchObject({ isDone: false, examined: 2 });
    await app.app.background.tasks['rules.dryRun']?.({ id, run: 'x' }, {} as never);
    expect((await ruleOf(id))?.dryRun).toMatchObject({ isDone: true, examined: 3, hits: 3 });
  });
});

describe('a rule that is on', () => {
  const actionsOf = (tagId: string) => ({
    tagId,
    problem_type: 'Inappropriate Content' as const,
    priority: 'critical' as const,
    hold: true,
  });

  it('adds the tag that replaced its own after a merge, once', async () => {
    const [tagId, kept] = [await newTag(app), await newTag(app)];
    const merged = { merged_into: kept, retired_at: app.clock.now() };
    await app.db.updateTable('user_tag').set(merged).where('id', '=', tagId).execute();
    const person = await makeMember(app);
    await hitByRule(app, person, { actions: actionsOf(tagId) });
    expect(await tagsOf(person)).toEqual([kept]);
    const tagged = await makeMember(app);
    const before = { account_id: tagged.id, tag_id: tagId, added_at: app.clock.now() };
    await app.db
      .insertInto('account_tag')
      .values({ ...before, added_by_name: 'Mo', added_by_role: 'moderator' })
      .execute();
    await hitByRule(app, tagged, { actions: actionsOf(tagId) });
    expect(await tagsOf(tagged)).toEqual([tagId]);
  });

  it('opens a case that says why, tags and holds the person, and stays out of the list of reports', async () => {
    const tagId = await newTag(app);
    const person = await makeMember(app, { bio: 'An engineer far from home' });
    await hitByRule(app, person, { name: 'Far from home', actions: actionsOf(tagId) });
    await app.drain('rules.copyProfile');
    const file = await fileOf(person);
    expect(file.case).toMatchObject({ priority: 'critical', types: ['Inappropriate Content'], reportCount: 1 });
    expect(file.reports).toMatchObject([
      { source: 'automatic', user: { _id: null, name: 'Far from home' }, openedBy: null },
    ]);
    expect(file.reports[0]?.description).toContain('they sent the same text at least 1 time.');
    expect(file.reports[0]?.can.status).not.toContain('resolved');
    expect(file.parties).toEqual([]);
    expect(file.timeline.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['rule_hit', 'held', 'filed']));
    expect(file.evidence[0]?.items).toMatchObject([{ type: 'profile', profile: { bio: 'An engineer far from home' } }]);
    expect(await holdOf(person)).toMatchObject({ cause: 'rule', ended_at: null });
    expect(await tagsOf(person)).toEqual([tagId]);
    const listed = await app.call(listReports, { token: senior.token, query: { search: 'Far from home' } });
    expect(listed.body.data.reports).toEqual([]);
  });

  it.each(['critical', 'medium'] as const)(
    'of priority %s holds 60 people an hour, and only opens cases about others',
    async (priority) => {
      const [held, other, late] = [await makeMember(app), await makeMember(app), await makeMember(app)];
      const actions = { ...ruleBody(app).actions, priority, hold: true };
      const id = await newRule(app, { actions }, true);
      await sayFirst(app, held);
      const before = await countRulesAtLimit(app.db, app.clock.now());
      const { rowCount } = await app.pool.query(
        `insert into account_hold (account_id, case_id, cause, rule_id, since, ends_at, ended_at, outcome)
      select account_id, case_id, cause, rule_id, since, ends_at, since, 'expired' from account_hold, generate_series(2, $2)
      where rule_id = $1`,
        [id, calls.ruleHoldsPerHour],
      );
      expect(rowCount).toBe(59);
      expect(await countRulesAtLimit(app.db, app.clock.now())).toBe(before + 1);
      await sayFirst(app, other);
      expect(await holdOf(other)).toBeUndefined();
      const { case: opened, timeline } = await fileOf(other);
      expect(opened.priority).toBe(priority === 'critical' ? 'high' : priority);
      expect(timeline.find(({ kind }) => kind === 'rule_hit')?.reason).toContain('Not held');
      await app.sql`update account_hold set since = since - interval '1 hour' where rule_id = ${id}::uuid`;
      await sayFirst(app, late);
      expect(await holdOf(late)).toMatchObject({ cause: 'rule', rule_id: id });
      await turn(id, false);
    },
  );

  it('hits the same person once in 30 days, and never staff', async () => {
    const person = await makeMember(app);
    const id = await newRule(app, {}, true);
    await Promise.all([sayFirst(app, person), sayFirst(app, person)]);
    await sayFirst(app, moderator);
    expect((await ruleOf(id))?.hits).toEqual({ open: 1, confirmed: 0, cleared: 0, expired: 0 });
    await moveHitsBack(31 * 24);
    await sayFirst(app, person);
    expect((await ruleOf(id))?.hits.open).toBe(2);
    await turn(id, false);
  });

  it('compares texts: it hits only the third account that sends the same one', async () => {
    const conditions = [{ fact: 'sameTextSenders', value: 3 }] as const;
    const id = await newRule(app, { conditions: [...conditions] }, true);
    const text = (name: string) =>
      `Dear ${name}, my late husband left me a fortune in gold and I need a good man with whom I can share all of it in peace`;
    const senders = await Promise.all(['Ada', 'Bo', 'Cy'].map((firstName) => makeMember(app, { firstName })));
    for (const [index, sender] of senders.entries()) await sayFirst(app, sender, text(`Friend ${index}`));
    const other = await makeMember(app);
    await sayFirst(
      app,
      other,
      'I saw that you climb too! Which of the walls near the river do you like best in winter?',
    );
    const hits = await app.db.selectFrom('rule_hit').select('account_id').where('rule_id', '=', id).execute();
    expect(hits.map(({ account_id }) => account_id)).toEqual([senders[2]?.id]);
    await turn(id, false);
  });

  it.each([
    ['sameTextSenders', 'Your picture with the dog made me smile: shall we two have a coffee by the river on Sunday'],
    [
      'warnedTextSenders',
      'I sing in a choir, am rarely here and answer on WhatsApp, where I also send you a song, coffee',
    ],
  ] as const)('does not count copies against the author: %s', async (fact, text) => {
    const id = await newRule(app, { conditions: [{ fact, value: 3 }] }, true);
    const author = await makeMember(app, { lastActiveAt: app.clock.now() });
    const copiers = await Promise.all(Array.from({ length: 4 }, () => makeMember(app)));
    const hits = async () => {
      const ofRule = app.db.selectFrom('rule_hit').select('account_id').where('rule_id', '=', id);
      const found = await ofRule
        .where(
          'account_id',
          'in',
          [author, ...copiers].map((one) => one.id),
        )
        .execute();
      return found.map(({ account_id }) => account_id);
    };
    const [first, second, third, stranger] = copiers as [TestMember, TestMember, TestMember, TestMember];
    await sayFirst(app, author, text, first);
    // Accounts that send it only to each other don't count, whoever was first.
    for (const [from, to] of [
      [first, second],
      [second, third],
      [third, first],
      [stranger, first],
    ] as const)
      await sayFirst(app, from, text, to);
    await sayFirst(app, author, text.replace('coffee', 'tea'), stranger);
    await run('rules.watch');
    expect(await hits()).toEqual([]);
    for (const one of [first, second, third]) await sayFirst(app, one, text);
    await run('rules.watch');
    expect(await hits()).toEqual([third.id]);
    await turn(id, false);
  });

  it('holds the note that triggered it, and later ones', async () => {
    const conditions = [{ fact: 'warnedTextSenders', value: 3 }] as const;
    const actions = { ...ruleBody(app).actions, hold: true };
    const id = await newRule(app, { conditions: [...conditions], actions }, true);
    const receiver = await makeMember(app);
    for (const name of ['Ada', 'Bo', 'Cy', 'Di']) {
      const note = `Hi ${name}, we trade coins every day with a good mentor and anyone may join us this week, ask on WhatsApp`;
      const sent = await likesIn(() => app).like(await makeMember(app), receiver, { note });
      expect(sent.body.data.outcome).toBe('sent');
    }
    const kept = await app.db.selectFrom('decision').select('kind').where('target_id', '=', receiver.id).execute();
    expect(kept.map(({ kind }) => kind).sort()).toEqual(['held', 'held', 'like', 'like']);
    await turn(id, false);
  });

  it('reads messages, including edits, until the other person has answered', async () => {
    const conditions = [{ fact: 'sameTextSent', value: 1 }] as const;
    const id = await newRule(app, { conditions: [...conditions] }, true);
    const isHit = async ({ id: personId }: TestMember) =>
      (await app.db.selectFrom('rule_hit').select('id').where('account_id', '=', personId).execute()).length > 0;
    const { match } = likesIn(() => app);
    const write = (by: TestMember, matchId: string, text: string) =>
      app.call(sendMessage, { token: by.token, params: { id: matchId }, body: { clientId: randomUUID(), text } });
    const [later, changer, known, other] = await Promise.all([1, 2, 3, 4].map(() => makeMember(app)));
    if (!later || !changer || !known || !other) throw new Error('missing');
    const laterMatch = await match(later, other);
    await write(later, laterMatch, 'Hi');
    await write(later, laterMatch, longText);
    expect(await isHit(later)).toBe(true);
    const changerMatch = await match(changer, other);
    await write(changer, changerMatch, 'Hi');
    const place = { id: changerMatch, seq: '1' };
    await app.call(editMessage, { token: changer.token, params: place, body: { text: longText } });
    expect(await isHit(changer)).toBe(true);
    const knownMatch = await match(known, other);
    await write(other, knownMatch, 'Hi');
    await write(known, knownMatch, longText);
    expect(await isHit(known)).toBe(false);
    await turn(id, false);
  });

  it('does nothing after its last day', async () => {
    const person = await makeMember(app);
    const id = await newRule(app, {}, true);
    await app.db.updateTable('automatic_rule').set({ expires_on: '2020-01-01' }).where('id', '=', id).execute();
    await sayFirst(app, person);
    expect(await ruleOf(id)).toMatchObject({ isExpired: true, hits: { open: 0 } });
    expect((await turn(id, true)).error.code).toBe('CONFLICT');
  });

  it('also hits people for what others did, such as reports, within minutes', async () => {
    const conditions = [{ fact: 'reporters', value: 2 }] as const;
    const id = await newRule(app, { conditions: [...conditions] }, true);
    const person = await makeMember(app);
    const createdAt = secondsAfter(app.clock.now(), -2 * 86_400);
    const reported = async (options: MemberOptions, network = newNetwork()) => {
      const problem = { problem_type: 'Other', reportedUser: person.id } as const;
      await fileReport(app, await makeMember(app, options), problem, network);
      await run('rules.watch');
      return await app.db.selectFrom('rule_hit').select('rule_id').where('account_id', '=', person.id).execute();
    };
    const network = newNetwork();
    expect(await reported({ createdAt, email: 'kim+1@mail.example' }, network)).toEqual([]);
    // Unknown people don't count, and a network and a mailbox each count once.
    expect(await reported({})).toEqual([]);
    expect(await reported({ createdAt, verified: false })).toEqual([]);
    expect(await reported({ createdAt }, network)).toEqual([]);
    await app.db.deleteFrom('report').where('reported_id', '=', person.id).execute();
    expect(await reported({ createdAt, email: 'kim+2@mail.example' })).toEqual([]);
    expect(await reported({ createdAt, email: 'kim+3@mail.example' })).toEqual([]);
    expect(await reported({ createdAt })).toEqual([{ rule_id: id }]);
    await turn(id, false);
  });

  it('counts only strong links to banned people', async () => {
    const id = await newRule(app, { conditions: [{ fact: 'banTraces', value: 1 }] }, true);
    const now = app.clock.now();
    const ban = { account_id: (await makeMember(app)).id, decision_id: null, kind: 'ban', reason: 'A scam' } as const;
    const { id: sanction_id } = await app.db
      .insertInto('sanction')
      .values({ ...ban, created_by_name: 'Mo', starts_at: now, strikes: 0, strikes_until: now })
      .returning('id')
      .executeTakeFirstOrThrow();
    const linked = async (strength: LinkStrength) => {
      const { id: account_id } = await makeMember(app, { lastActiveAt: now });
      await app.db
        .insertInto('account_link')
        .values({ account_id, sanction_id, kind: 'picture', strength, found_at: now })
        .execute();
      return account_id;
    };
    const strong = await linked('strong');
    await linked('medium');
    await linked('weak');
    await run('rules.watch');
    const hits = await app.db.selectFrom('rule_hit').select('account_id').where('rule_id', '=', id).execute();
    expect(hits).toEqual([{ account_id: strong }]);
    await turn(id, false);
  });

  it('reads and writes nothing about a member who did nothing new', async () => {
    // Built-in rules were not changed just now.
    await app.sql`update automatic_rule set changed_at = ${secondsAfter(app.clock.now(), -86_400)}`;
    const person = await makeMember(app, { lastActiveAt: app.clock.now(), pictureless: true });
    await run('rules.watch');
    const row = () =>
      sql`select f.ctid::text, f.xmin::text from rule_fact f where account_id = ${person.id}::uuid`.execute(app.db);
    const { rows } = await row();
    app.clock.advance(200);
    await app.sql`update presence set last_active_at = ${app.clock.now()} where account_id = ${person.id}::uuid`;
    await run('rules.watch');
    expect([rows.length, (await row()).rows]).toEqual([1, rows]);
  });

  it('counts changes of country between the visits of a member', async () => {
    const person = await makeMember(app, { lastActiveAt: app.clock.now() });
    await run('rules.watch');
    await app.db.updateTable('profile').set({ country: 'Norway' }).where('account_id', '=', person.id).execute();
    await run('rules.watch');
    await run('rules.watch');
    const facts = await app.db
      .selectFrom('rule_fact')
      .selectAll()
      .where('account_id', '=', person.id)
      .executeTakeFirstOrThrow();
    expect(facts).toMatchObject({ moves: 1, country: 'norway', facts: { countryChanges: 1 } });
  });
});

describe('a hit', () => {
  const actionsOf = (tagId: string) => ({
    tagId,
    problem_type: 'Harassment' as const,
    priority: 'high' as const,
    hold: true,
  });
  const hitPerson = async () => {
    const [person, tagId] = [await makeMember(app), await newTag(app)];
    await hitByRule(app, person, { actions: actionsOf(tagId) });
    return { person, tagId, caseId: (await caseOfPerson(person)) ?? '' };
  };

  it('is confirmed by a sanction, whose text says that the check was automatic, and cleared by an appeal', async () => {
    const { person, tagId, caseId } = await hitPerson();
    const facts = 'Sent the same story about an oil rig to many people on the first day.';
    const decided = await app.call(decideCase, {
      token: senior.token,
      params: { id: caseId },
      body: {
        outcome: 'actioned',
        ruleId: await currentRuleId(app),
        facts,
        isDetectionAutomated: true,
        sanctions: [{ kind: 'warn' }],
      },
    });
    expect(decided.body.data.decision).toMatchObject({ source: 'own_initiative' });
    expect(await hitOf(person)).toMatchObject({ outcome: 'confirmed' });
    expect(await holdOf(person)).toMatchObject({ outcome: 'dropped' });
    expect(await tagsOf(person)).toEqual([tagId]);
    const body = { decisionId: decided.body.data.decision._id, text: 'These were lines of a song we both like.' };
    const { right } = (await app.call(submitAppeal, { token: person.token, body })).body.data;
    const reasons = 'The story is that of a film which both had talked about.';
    const overturned = await app.call(decideAppeal, {
      token: (await makeAdministrator(app)).token,
      params: { id: right.appeal?._id ?? '' },
      body: { outcome: 'overturned', reasons },
    });
    expect(overturned.status).toBe(201);
    expect(await hitOf(person)).toMatchObject({ outcome: 'cleared' });
    expect(await tagsOf(person)).toEqual([]);
    expect(await holdOf(person)).toMatchObject({ outcome: 'released' });
  });

  it('is cleared by a decision without a violation, which also removes the tag', async () => {
    const { person, caseId } = await hitPerson();
    await app.call(decideCase, { token: senior.token, params: { id: caseId }, body: { outcome: 'no_violation' } });
    expect(await hitOf(person)).toMatchObject({ outcome: 'cleared' });
    expect(await holdOf(person)).toMatchObject({ outcome: 'released' });
    expect(await tagsOf(person)).toEqual([]);
  });

  it('is undone after 72 hours without a decision; its report stays for staff', async () => {
    const { person } = await hitPerson();
    await moveHitsBack(71);
    await run('rules.undo');
    expect(await hitOf(person)).toMatchObject({ outcome: null });
    await moveHitsBack(1);
    await run('rules.undo');
    expect(await hitOf(person)).toMatchObject({ outcome: 'expired' });
    expect(await tagsOf(person)).toEqual([]);
    const file = await fileOf(person);
    expect(file.case).toMatchObject({ priority: 'other', openReports: 1 });
    expect(file.timeline.map(({ kind }) => kind)).toContain('rule_undone');
  });

  it('is undone even after hundreds of hits that cannot be undone', async () => {
    const [bad, { person }] = [await hitPerson(), await hitPerson()];
    await app.sql`insert into rule_hit (rule_id, version, account_id, case_id, report_id, hit_at)
      select rule_id, version, account_id, case_id, report_id, hit_at - interval '1 hour'
      from rule_hit, generate_series(1, 500) where account_id = ${bad.person.id}::uuid`;
    await app.sql`create function refuse_hit() returns trigger language plpgsql as $$ begin raise 'refused by the test'; end $$`;
    await app.sql`create trigger refuse before update on rule_hit for each row
      when (old.account_id = ${sql.lit(bad.person.id)} and new.judged_at is not null) execute function refuse_hit()`;
    await moveHitsBack(72);
    await expect(run('rules.undo')).rejects.toThrow('refused by the test');
    expect(await hitOf(person)).toMatchObject({ outcome: 'expired' });
    await app.sql`drop trigger refuse on rule_hit`;
  });

  it('keeps the priority that a colleague set on its report', async () => {
    const { person } = await hitPerson();
    await app.db.updateTable('report').set({ priority: 'critical' }).where('reported_id', '=', person.id).execute();
    await moveHitsBack(72);
    await run('rules.undo');
    expect(await hitOf(person)).toMatchObject({ outcome: 'expired' });
    expect((await fileOf(person)).case.priority).toBe('critical');
  });

  it.each([
    ['the one that replaced it', 0, 1],
    ['one that it replaced', 1, 0],
  ])('keeps the tag if an uncleared rule adds %s', async (_, of, ofOther) => {
    const [person, tags] = [await makeMember(app), [await newTag(app), await newTag(app)]];
    await hitByRule(app, person, { actions: actionsOf(tags[of] ?? '') });
    const given = await tagsOf(person);
    const merged = { merged_into: tags[1] ?? '', retired_at: app.clock.now() };
    await app.db
      .updateTable('user_tag')
      .set(merged)
      .where('id', '=', tags[0] ?? '')
      .execute();
    await moveHitsBack(71);
    await hitByRule(app, person, { actions: actionsOf(tags[ofOther] ?? '') });
    await moveHitsBack(1);
    await run('rules.undo');
    expect(await tagsOf(person)).toEqual(given);
  });

  it('keeps a tag that a colleague added', async () => {
    const [person, tagId] = [await makeMember(app), await newTag(app)];
    const given = { added_at: app.clock.now(), added_by: senior.id, added_by_name: 'Sam Ek', added_by_role: 'senior' };
    await app.db
      .insertInto('account_tag')
      .values({ account_id: person.id, tag_id: tagId, ...given })
      .execute();
    await hitByRule(app, person, { actions: actionsOf(tagId) });
    await app.call(decideCase, {
      token: senior.token,
      params: { id: (await caseOfPerson(person)) ?? '' },
      body: { outcome: 'no_violation' },
    });
    expect(await tagsOf(person)).toEqual([tagId]);
  });
});

describe('facts about members for automatic rules', () => {
  it('are forgotten after 30 days', async () => {
    const person = await makeMember(app);
    await sayFirst(app, person, longText);
    await app.sql`update rule_fact set day = day - 31`;
    await app.sql`update text_print set at = at - interval '30 days'`;
    await run('rules.forget');
    const left = async (table: 'rule_fact' | 'text_print') =>
      (await app.db.selectFrom(table).select('account_id').where('account_id', '=', person.id).execute()).length;
    expect([await left('rule_fact'), await left('text_print')]).toEqual([0, 0]);
  });
});

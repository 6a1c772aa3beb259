import { beforeAll, describe, expect, it } from 'vitest';
import { type FunnelStep, getFunnel, getRetention } from '#contract/insights/cohorts.ts';
import { getGrowth, getRevenueSeries, getSafetySeries } from '#contract/insights/series.ts';
import { may } from '#contract/roles.ts';
import { staffRoles, type StaffRole } from '#contract/staff-roles.ts';
import type { QueryInput } from '#contract/endpoint.ts';
import type { ErrorBody } from '#contract/error-body.ts';
import { makeMember, type TestMember } from '../../../test/factories.ts';
import { startAppForTests } from '../../../test/harness.ts';
import { daysAfter } from './days.ts';
import { type DayColumn, dayColumns, type GroupKey, type InsightDay } from './groups.ts';

const app = startAppForTests();
let staff: Record<StaffRole, TestMember>;
const today = '2026-06-15';
/** The day on which there were too few men to show. */
const hiddenDay = '2026-06-03';

const day = (given: Partial<InsightDay>): InsightDay => ({
  ...(Object.fromEntries(dayColumns.map((column) => [column, 0])) as Record<DayColumn, number>),
  ...{ gender: '*', age: '*', country: '*', day: today },
  ...given,
});
/** The rows of a group on forty days. */
const people = (group: Partial<GroupKey>, members: number, given: Partial<InsightDay> = {}) =>
  Array.from({ length: 40 }, (_, ago) =>
    day({ ...group, members, sign_ups: 2, ...given, day: daysAfter(today, -ago) }),
  );

beforeAll(async () => {
  const made = await Promise.all(
    staffRoles.map(async (staffRole) => [staffRole, await makeMember(app, { staffRole })] as const),
  );
  staff = Object.fromEntries(made) as typeof staff;
  const rows = [
    ...people({}, 200, { sign_ups: 5, matches: 3, premium_paying: 20, premium_lost: 1 }),
    ...people({ gender: 'woman' }, 104),
    ...people({ gender: 'man' }, 90).filter((row) => row.day !== hiddenDay),
    ...people({ country: 'czechia' }, 150),
    ...people({ country: '' }, 50),
    ...people({ gender: 'woman', country: 'czechia' }, 96),
  ];
  await app.db.insertInto('insight_day').values(rows).execute();
  await app.db
    .insertInto('insight_money')
    .values(
      [
        { ...day({}), currency: 'USD', payments: 2, paid_minor: 1998, refunded_minor: 500 },
        { ...day({ day: daysAfter(today, -8) }), currency: 'EUR', payments: 1, paid_minor: 700, refunded_minor: 0 },
      ].map(({ gender, age, country, day: on, currency, payments, paid_minor, refunded_minor }) => ({
        ...{ gender, age, country, day: on, currency, payments, paid_minor, refunded_minor },
      })),
    )
    .execute();
  const cohort = (
    month: string,
    step: 'joined' | 'messaged' | 'conversation' | 'active',
    gender: string,
    elapsed: number,
    count: number,
  ) => ({
    ...{ month, step, gender, elapsed, people: count, day: today },
  });
  await app.db
    .insertInto('insight_cohort')
    .values([
      cohort('2026-05-01', 'joined', 'woman', 0, 40),
      cohort('2026-05-01', 'joined', 'man', 0, 30),
      cohort('2026-05-01', 'messaged', 'woman', 0, 19),
      cohort('2026-05-01', 'messaged', 'woman', 1, 14),
      cohort('2026-05-01', 'messaged', 'man', 2, 15),
      cohort('2026-05-01', 'conversation', 'man', 2, 9),
      cohort('2026-05-01', 'active', 'woman', 0, 38),
      cohort('2026-05-01', 'active', 'woman', 1, 21),
      cohort('2026-05-01', 'active', 'man', 1, 4),
      cohort('2026-06-01', 'joined', 'woman', 0, 4),
      cohort('2026-06-01', 'joined', 'man', 0, 12),
      cohort('2026-06-01', 'joined', '', 0, 30),
    ])
    .execute();
  const value = { from: '2026-05-01', next: today, visitsSince: '2026-05-20', countedAt: `${today}T11:07:00.000Z` };
  await app.db
    .insertInto('installation')
    .values({ name: 'insights', value: JSON.stringify(value) })
    .execute();
});

/** How a call was refused, with the first field that the refusal names; null if it was not. */
const refusalOf = (answer: { status: number; error: ErrorBody }) =>
  answer.status === 200
    ? null
    : { status: answer.status, code: answer.error.code, field: answer.error.errors?.[0]?.field };
const invalidInput = (field: string | null) => (field === null ? null : { status: 400, code: 'INVALID_INPUT', field });

type Query = Partial<QueryInput<typeof getGrowth>>;
const range = { from: '2026-06-09', to: today, by: 'day', compare: 'none' } as const;
const growth = async (query: Query = {}) =>
  (await app.call(getGrowth, { token: staff.analyst.token, query: { ...range, ...query } })).body.data;

describe('GET /admin/insights/series', () => {
  it('returns a number for each day, the time of the count, and the countries with enough members', async () => {
    const data = await growth();
    expect(data.periods).toHaveLength(7);
    expect(data.values).toMatchObject({ signUps: [5, 5, 5, 5, 5, 5, 5], members: [200, 200, 200, 200, 200, 200, 200] });
    expect(data).toMatchObject({ before: null, isHidden: false, countries: ['Czechia'] });
    expect(data).toMatchObject({ countedAt: `${today}T11:07:00.000Z`, progress: null, visitsSince: '2026-05-20' });
  });

  it('adds up weeks, and compares the current week with the same number of days', async () => {
    const data = await growth({ from: '2026-06-01', by: 'week', compare: 'previous' });
    expect(data.values.signUps).toEqual([35, 35, 5]);
    expect(data.before?.values.signUps).toEqual([35, 35, 5]);
    expect(data.before?.periods.map(({ from, days }) => `${from} ${days}`)).toEqual([
      '2026-05-11 7',
      '2026-05-18 7',
      '2026-05-25 1',
    ]);
  });

  it('returns the figures of groups', async () => {
    const groups: Query[] = [{ gender: 'woman' }, { country: 'Czechia' }, { gender: 'woman', country: 'Czechia' }];
    for (const group of groups)
      expect(await growth(group)).toMatchObject({ isHidden: false, values: { signUps: [2, 2, 2, 2, 2, 2, 2] } });
  });

  it.each<Query>([
    { gender: 'non-binary' },
    { gender: 'not-specified' },
    { gender: 'man', country: 'Czechia' },
    { country: 'Atlantis' },
    { ageBand: '18-25' },
    { ageBand: '18-25', country: 'Czechia' },
  ])('hides groups that are never shown: %j', async (group) => {
    const data = await growth({ ...group, compare: 'previous' });
    expect(data.isHidden).toBe(true);
    expect(new Set([data.values, data.before?.values].flatMap((values) => Object.values(values ?? {}).flat()))).toEqual(
      new Set([null]),
    );
  });

  it('hides each figure that includes a day on which the group was too small, even in earlier periods', async () => {
    const men = { gender: 'man', from: '2026-06-01', to: '2026-06-14' } as const;
    const byDay = await growth({ ...men, to: '2026-06-04' });
    expect(byDay).toMatchObject({ isHidden: false, values: { signUps: [2, 2, null, 2], members: [90, 90, null, 90] } });
    const byWeek = await growth({ ...men, by: 'week' });
    expect(byWeek.values).toMatchObject({ signUps: [null, 14], members: [90, 90] });
    const { before } = await growth({ ...men, from: '2026-06-08', by: 'week', compare: 'previous' });
    expect(before?.values).toMatchObject({ signUps: [null], members: [90] });
    const query = { ...range, ...men, from: '2026-06-02', to: '2026-06-05' };
    const { data } = (await app.call(getRevenueSeries, { token: staff.admin.token, query })).body;
    expect(data.values).toMatchObject({ premiumNew: [0, null, 0, 0], premiumPayingBefore: [0, 0, null, 0] });
  });
});

describe('the range of the series', () => {
  it.each<[string, Query, string | null]>([
    ['starts after its end', { from: '2026-06-16' }, 'to'],
    ['starts in the future', { from: '2026-06-17', to: '2026-06-20' }, 'from'],
    ['starts on a day that has begun in some time zones', { from: '2026-06-16', to: '2026-06-16' }, null],
    ['ends in the future', { to: '2026-06-30' }, null],
    ['has more than a hundred days', { from: '2026-01-01' }, 'by'],
    ['has less than a hundred weeks', { from: '2026-01-01', by: 'week' }, null],
    ['is a hundred years long', { from: '2026-06-01', to: '2126-06-01', by: 'month' }, 'by'],
    ['starts on a day that does not exist', { from: '2026-02-30' }, 'from'],
    ['is before the service existed', { from: '2000-01-01', to: '2000-01-31', compare: 'lastYear' }, null],
    ['starts in a year without a year before it', { from: '0001-01-01', compare: 'lastYear' }, 'from'],
    ['ends on the last day of four digits', { to: '9999-12-31' }, 'to'],
  ])('is refused or accepted when it %s', async (_, given, field) => {
    for (const endpoint of [getGrowth, getRevenueSeries, getSafetySeries]) {
      const query = { ...range, ...given };
      expect(refusalOf(await app.call(endpoint, { token: staff.admin.token, query }))).toEqual(invalidInput(field));
    }
  });
});

describe('GET /admin/insights/revenue', () => {
  it('returns premium and revenue by currency, with the numbers of paying members before each period', async () => {
    const query = { ...range, from: '2026-06-01', by: 'week' } as const;
    const { data } = (await app.call(getRevenueSeries, { token: staff.billing.token, query })).body;
    expect(data.values).toMatchObject({
      premiumLost: [7, 7, 1],
      premiumPayingBefore: [20, 20, 20],
      premiumPaying: [20, 20, 20],
    });
    expect(data.money).toEqual([
      { currency: 'EUR', paidMinor: [700, 0, 0], refundedMinor: [0, 0, 0], payments: [1, 0, 0] },
      { currency: 'USD', paidMinor: [0, 0, 1998], refundedMinor: [0, 0, 500], payments: [0, 0, 2] },
    ]);
  });
});

describe('GET /admin/insights/funnel', () => {
  const funnel = async (month?: string) =>
    (await app.call(getFunnel, { token: staff.support.token, query: month === undefined ? {} : { month } })).body.data;
  const stepIn = ({ steps }: Awaited<ReturnType<typeof funnel>>, name: FunnelStep) =>
    steps.find(({ step }) => step === name);

  it('returns how many women and men wrote a first message within a week, a month or ever', async () => {
    const data = await funnel('2026-05');
    expect(stepIn(data, 'messaged')).toEqual({
      step: 'messaged',
      all: { week: 19, month: 33, ever: 48 },
      genders: [
        { gender: 'woman', week: 19, month: 33, ever: 33 },
        { gender: 'man', week: 0, month: 0, ever: 15 },
      ],
    });
    expect(data).toMatchObject({ months: ['2026-06', '2026-05'], unfinished: ['month', 'ever'] });
  });

  it('hides a step that too few members reached', async () => {
    const few = { week: null, month: null, ever: null };
    expect(stepIn(await funnel('2026-05'), 'conversation')).toMatchObject({ all: { ...few, week: 0, month: 0 } });
  });

  it('starts with the newest month, counts everyone who joined, and hides genders with too few members', async () => {
    const data = await funnel();
    expect(data.month).toBe('2026-06');
    expect(data.steps[0]?.genders.map(({ gender, ever }) => [gender, ever])).toEqual([
      ['woman', null],
      ['man', null],
      ['not-specified', 30],
    ]);
    expect(data.steps[0]?.all.ever).toBe(46);
  });
});

describe('the month of the funnel', () => {
  it.each<[string, string | null]>([
    ['2026-07', 'month'],
    ['3026-06', 'month'],
    ['2026-13', 'month'],
    ['0000-05', 'month'],
    ['2026-06', null],
    ['2000-01', null],
    ['1999-12', 'month'],
    ['9999-12', 'month'],
  ])('is refused or accepted when it is %s', async (month, field) => {
    const answer = await app.call(getFunnel, { token: staff.admin.token, query: { month } });
    expect(refusalOf(answer)).toEqual(invalidInput(field));
    if (field === null && month < '2026') expect(answer.body.data.steps[0]?.all.ever).toBeNull();
  });
});

describe('GET /admin/insights/cohorts', () => {
  it('returns the share of members active in each month after joining, and which months are incomplete', async () => {
    const of = async (query = {}) => (await app.call(getRetention, { token: staff.auditor.token, query })).body.data;
    expect((await of()).cohorts).toEqual([
      { month: '2026-06', joined: 46, active: [{ people: 0, isOver: false }] },
      {
        month: '2026-05',
        joined: 70,
        active: [
          { people: 38, isOver: true },
          { people: 25, isOver: false },
        ],
      },
    ]);
    // The difference between everyone and the women would be the four men.
    expect((await of({ gender: 'woman' })).cohorts[1]?.active).toEqual([
      { people: 38, isOver: true },
      { people: null, isOver: false },
    ]);
    expect((await of({ gender: 'woman' })).cohorts[0]).toEqual({
      month: '2026-06',
      joined: null,
      active: [{ people: null, isOver: false }],
    });
  });
});

describe('the permissions for insights', () => {
  it.each(staffRoles)('of %s include those of the dashboard, of revenue and of safety', async (role) => {
    const { token } = staff[role];
    expect((await app.call(getGrowth, { token, query: range })).status).toBe(200);
    const revenue = await app.call(getRevenueSeries, { token, query: range });
    expect(revenue.status).toBe(may(role, 'revenue.view') ? 200 : 403);
    const safety = await app.call(getSafetySeries, { token, query: range });
    expect(safety.status).toBe(may(role, 'safety.view') ? 200 : 403);
    expect(may(role, 'safety.view')).toBe(role === 'analyst' || may(role, 'cases.list'));
  });
});

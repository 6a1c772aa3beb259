import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { figuresIn, getFigures } from '#contract/service/figures.ts';
import { changeService, getService } from '#contract/service/service.ts';
import { type ServiceSettings, usualSettings } from '#contract/service/settings.ts';
import { makeMember, type TestMember } from '../../../test/factories.ts';
import { startAppForTests } from '../../../test/harness.ts';
import { dayColumns } from './groups.ts';

type Figures = ServiceSettings['figures'];

const app = startAppForTests();
let owner: TestMember;
let member: TestMember;
beforeAll(async () => {
  owner = await makeMember(app, { staffRole: 'owner' });
  member = await makeMember(app);
});

const put = async (figures: Figures) => {
  const { version } = (await app.call(getService, { token: owner.token })).body.data;
  return await app.call(changeService, {
    token: owner.token,
    body: { version, settings: { ...usualSettings, figures } },
  });
};
const shown = async () => (await app.call(getFigures, { token: member.token })).body.data;
const none = { value: '', label: '' };
const ownIn = (...figures: { value: string; label: string }[]) => [...figures, none, none, none, none].slice(0, 4);
afterEach(() => put(usualSettings.figures));

/** Counts of everyone on a day of the roll-up. */
async function count(day: string, counts: Partial<Record<(typeof dayColumns)[number], number>>) {
  const zeros = Object.fromEntries(dayColumns.map((column) => [column, 0])) as Record<
    (typeof dayColumns)[number],
    number
  >;
  await app.db
    .insertInto('insight_day')
    .values({ gender: '*', age: '*', country: '*', day, ...zeros, ...counts })
    .execute();
}

describe('the figures on Home', () => {
  it('are the usual ones until the owner chooses others', async () => {
    expect(await shown()).toEqual({ source: 'usual', own: {}, live: [] });
  });

  it('use the owner’s words in the reader’s language, or else in English', async () => {
    const own = {
      en: ownIn({ value: '<b>7</b>', label: 'Towns' }),
      de: ownIn({ value: '\u202e7', label: 'Orte' }),
      fr: ownIn(),
    };
    await put({ source: 'own', own });
    const { own: stored } = await shown();
    expect(figuresIn(stored, 'de')).toEqual([{ value: '7', label: 'Orte' }]);
    expect(figuresIn(stored, 'fr')).toEqual([{ value: '<b>7</b>', label: 'Towns' }]);
    await put({ source: 'usual', own });
    expect((await shown()).own).toEqual({});
  });

  it.each([
    ['none at all', { en: ownIn() }, 'own', 'This is required'],
    ['a value without words', { en: ownIn({ value: '7', label: ' ' }) }, 'own.en.0.label', 'This is required'],
    ['words without a value', { en: ownIn({ value: '', label: 'Towns' }) }, 'own.en.0.value', 'This is required'],
    [
      '10,000 characters',
      { en: ownIn({ value: '7', label: 'x'.repeat(10_000) }) },
      'own.en.0.label',
      'Use at most 40 characters',
    ],
  ])('are refused with %s', async (_what, own, field, msg) => {
    const refused = await put({ source: 'own', own });
    expect(refused.status).toBe(400);
    expect(refused.error.errors).toEqual([{ field: `settings.figures.${field}`, msg }]);
  });

  it('count the last thirty days, are rounded down, and leave out small numbers', async () => {
    await put({ source: 'live', own: {} });
    expect(await shown()).toEqual({ source: 'live', own: {}, live: [] });
    await count('2026-05-16', { matches: 1_000_000, sign_ups: 1_000_000 });
    await count('2026-05-17', { members: 20_000, sign_ups: 60, matches: 199, conversations: 1000 });
    await count('2026-06-15', { members: 12_999, sign_ups: 39, matches: 0, conversations: 239 });
    expect((await shown()).live).toEqual([
      { figure: 'members', atLeast: 12_000 },
      { figure: 'matches', atLeast: 100 },
      { figure: 'conversations', atLeast: 1200 },
    ]);
  });
});

import pLimit from 'p-limit';
import { beforeAll, expect, test } from 'vitest';
import { deleteAccounts, type TestMember } from '../../../test/factories.ts';
import { startAppForTests } from '../../../test/harness.ts';
import { likesIn, unmatchedPairs, wrongMatches } from '../../../test/likes.ts';
import { makeManyMembers } from '../../../test/many-members.ts';

const pairs = 1000;
const copies = 5;
/** The number of concurrent pairs, with eleven requests each. */
const pairsAtOnce = 10;
/** Of every twenty pairs, one also gets a block, one a pass and one an account deletion. */
const fates = ['block', 'pass', 'deletion'] as const;
type Fate = (typeof fates)[number] | 'calm';
const fateOf = (index: number): Fate => fates[index % 20] ?? 'calm';

const app = startAppForTests();
beforeAll(async () => {
  app.pool.options.max = 20;
});

const { like, pass, block } = likesIn(() => app);

interface Pair {
  one: TestMember;
  other: TestMember;
  fate: Fate;
}

async function makePairs(): Promise<Pair[]> {
  const people = await makeManyMembers(app, 2 * pairs);
  return Array.from({ length: pairs }, (_, index) => {
    const [one, other] = people.slice(2 * index, 2 * index + 2);
    if (one === undefined || other === undefined) throw new Error('a pair is missing');
    return { one, other, fate: fateOf(index) };
  });
}

/** The extra event of a pair besides its likes. Returns the call's status. */
async function befall({ one, other, fate }: Pair): Promise<number> {
  if (fate === 'block') return (await block(other, one)).status;
  if (fate === 'pass') return (await pass(other, one)).status;
  if (fate === 'deletion') await deleteAccounts(app, other.id);
  return 200;
}

/** Sends all requests of a pair at once: five likes from either side, mixed with its block, pass or deletion. */
async function storm(pair: Pair): Promise<number[]> {
  const { one, other } = pair;
  const both = async () => (await Promise.all([like(one, other), like(other, one)])).map(({ status }) => status);
  const early = [both(), both()];
  const beside = befall(pair);
  const late = Array.from({ length: copies - early.length }, both);
  return [await beside, ...(await Promise.all([...early, ...late])).flat()];
}

test('a thousand pairs who like each other at once, five times each, become a thousand matches', async () => {
  const all = await makePairs();
  const inTurn = pLimit(pairsAtOnce);
  const answers = await Promise.all(all.map((pair) => inTurn(() => storm(pair))));
  expect(answers.flat().filter((status) => status >= 500)).toEqual([]);
  const { rows } = await app.pool.query<{ low_id: string; high_id: string }>('select low_id, high_id from match');
  const matched = new Set(rows.map(({ low_id, high_id }) => `${low_id} ${high_id}`));
  const isMatched = ({ one, other }: Pair) => matched.has([one.id, other.id].sort().join(' '));
  expect(matched.size).toBe(rows.length);
  const calm = all.filter(({ fate }) => fate === 'calm');
  expect(calm.length).toBe(850);
  expect(calm.filter((pair) => !isMatched(pair))).toEqual([]);
  expect(all.filter((pair) => pair.fate === 'block' && isMatched(pair))).toEqual([]);
  expect(all.filter((pair) => pair.fate === 'deletion' && isMatched(pair))).toEqual([]);
  expect([await wrongMatches(app), await unmatchedPairs(app)]).toEqual([0, 0]);
  // Each match notifies both members once; notifications of matches that end with a block or a deletion are withdrawn.
  const { rows: notified } = await app.pool.query<{ subject_id: string; all: number; unread: number }>(
    `select subject_id, count(*)::int as all, count(*) filter (where read_at is null)::int as unread
     from notification where kind = 'match' group by 1`,
  );
  expect(notified.filter(({ all, unread }) => all !== 2 || unread !== 1)).toEqual([]);
  const { rows: ids } = await app.pool.query<{ id: string }>('select id from match');
  expect(new Set(notified.map(({ subject_id }) => subject_id))).toEqual(new Set(ids.map(({ id }) => id)));
}, 300_000);

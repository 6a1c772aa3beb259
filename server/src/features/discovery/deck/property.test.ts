import { beforeAll, expect, test } from 'vitest';
import { getCards } from '#contract/discovery.ts';
import { randomPerson, unmet, type Person } from '../../../../test/card-oracle.ts';
import { makeMember, type TestMember } from '../../../../test/factories.ts';
import { startAppForTests } from '../../../../test/harness.ts';
import { randomOf } from '../../../../test/random.ts';

const count = 260;
const today = '2026-06-15';
const dayMs = 86_400_000;
const random = randomOf(20_260_615);

interface Member extends TestMember {
  person: Person;
  joinedAt: Date;
}

const app = startAppForTests();
let members: Member[];
/** Decisions and blocks, as 'viewer target'. */
const decided = new Map<string, 'like' | 'pass'>();
const blocks = new Set<string>();
beforeAll(async () => {
  members = [];
  for (let number = 0; number < count; number += 1) members.push(await join(randomPerson(random), number));
  await decideAtRandom();
});

async function join(person: Person, number: number): Promise<Member> {
  const { gender, seeking, birthDate, place, details, vip, silentDays, fate, incognito, wishes } = person;
  const joinedAt = new Date(app.clock.now().getTime() - number * 1000);
  const member = await makeMember(app, {
    ...{ gender, seeking, birthDate, details, vip },
    latitude: place?.latitude ?? null,
    longitude: place?.longitude ?? null,
    createdAt: joinedAt,
    lastActiveAt: new Date(app.clock.now().getTime() - silentDays * dayMs),
    leaving: fate === 'leaving',
    verified: fate !== 'unverified',
    ...(fate === 'deactivated' ? { deactivated: 'spam' } : {}),
  });
  const row = { wishes: JSON.stringify(wishes), updated_at: app.clock.now() };
  await app.db
    .insertInto('preference')
    .values({ account_id: member.id, ...row })
    .execute();
  const hiding = { incognito, paused_at: fate === 'paused' ? app.clock.now() : null };
  await app.db.updateTable('profile').set(hiding).where('account_id', '=', member.id).execute();
  return { ...member, person, joinedAt };
}

async function decideAtRandom(): Promise<void> {
  for (const one of members) {
    for (const other of members.filter((each) => each !== one && random.chance(0.06))) {
      const pair = `${one.id} ${other.id}`;
      if (random.chance(0.3)) blocks.add(pair);
      else decided.set(pair, random.chance(0.5) ? 'like' : 'pass');
    }
  }
  // Today's decisions become visible tomorrow.
  const now = new Date(app.clock.now().getTime() - dayMs);
  await app.pool.query(
    `insert into decision (viewer_id, target_id, kind, decided_at, is_pending)
     select split_part(pair, ' ', 1)::uuid, split_part(pair, ' ', 2)::uuid, kind, $3, kind = 'like'
     from unnest($1::text[], $2::text[]) as made (pair, kind)`,
    [[...decided.keys()], [...decided.values()], now],
  );
  await app.pool.query(
    `insert into block (blocker_id, blocked_id, created_at)
     select split_part(pair, ' ', 1)::uuid, split_part(pair, ' ', 2)::uuid, $2 from unnest($1::text[]) as pair`,
    [[...blocks], now],
  );
}

/** Why `target` must not be a card of `viewer`; empty if allowed. */
function violations(viewer: Member, target: Member): string[] {
  const [there, back] = [`${viewer.id} ${target.id}`, `${target.id} ${viewer.id}`];
  const { fate, silentDays, incognito, vip } = target.person;
  const reasons: Record<string, boolean> = {
    themselves: viewer === target,
    fate: fate !== 'here',
    silent: silentDays >= 30,
    decided: decided.has(there),
    passed: decided.get(back) === 'pass',
    blocked: blocks.has(there) || blocks.has(back),
    incognito: incognito && vip && decided.get(back) !== 'like',
  };
  return [
    ...Object.keys(reasons).filter((reason) => reasons[reason] === true),
    ...unmet(viewer.person, target.person, today),
    ...unmet(target.person, viewer.person, today).map((name) => `their ${name}`),
  ];
}

const cardsOf = async ({ token }: Member) =>
  (await app.call(getCards, { token })).body.data.cards.map(({ user }) => members.find(({ id }) => id === user._id));
const guests = () => members.filter(({ person }) => person.fate === 'here');

test('the deck shows no card that violates a filter of either side, checked independently', async () => {
  let pairs = 0;
  const found: string[] = [];
  const kinds = new Set<string>();
  for (const viewer of guests()) {
    const cards = await cardsOf(viewer);
    for (const target of cards) {
      pairs += 1;
      if (target === undefined) throw new Error('a card shows an unknown member');
      found.push(...violations(viewer, target));
    }
    for (const target of members) for (const kind of violations(viewer, target)) kinds.add(kind);
  }
  expect(found).toEqual([]);
  expect(pairs).toBeGreaterThan(2500);
  // The members were chosen so that every rule excludes someone.
  expect(kinds.size).toBe(7 + 2 * 11);
});

test('the deck sorted by newest shows exactly the members that the filters of both sides allow', async () => {
  let pairs = 0;
  await app.pool.query(`update preference set wishes = wishes || '{"order":"newest"}'`);
  for (const viewer of guests()) {
    const newest = members.filter((target) => violations(viewer, target).length === 0).slice(0, 20);
    expect((await cardsOf(viewer)).map((target) => target?.id)).toEqual(newest.map(({ id }) => id));
    pairs += newest.length;
  }
  expect(pairs).toBeGreaterThan(2500);
});

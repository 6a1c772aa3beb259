import { sql } from 'kysely';
import { beforeAll, expect, it } from 'vitest';
import { decideAppeal, submitAppeal } from '#contract/moderation/appeals.ts';
import { releaseHold, revokeSanction } from '#contract/moderation/cases.ts';
import { endRestriction } from '#contract/moderation/emergencies.ts';
import { changeAdminUser } from '#contract/profiles/staff.ts';
import { makeAdministrator, signIn, type TestMember } from '../../../../test/factories.ts';
import { startAppForTests } from '../../../../test/harness.ts';
import { deliverReleased } from '../../../../test/moderation/holds.ts';
import { type Random, randomOf } from '../../../../test/random.ts';
import { type HeldWords, withheldIn, withholdingKinds } from '../../../../test/moderation/withheld.ts';

const app = startAppForTests();
let world: Awaited<ReturnType<typeof withheldIn>>;
let colleague: TestMember;
beforeAll(async () => {
  world = await withheldIn(app);
  colleague = await makeAdministrator(app);
});

const histories = 200;
const actsEach = 12;
const timeoutMs = 20 * 60_000;

/** A hold with what was sent under it. */
interface Sent {
  holdId: string;
  words: HeldWords[];
  /** The decision about it: the first after it began. */
  decisionId: string | null;
}

/** A person, what they sent while held, and how many of their messages were wrongly delivered or wrongly withheld. */
interface History {
  person: TestMember;
  caseId: string;
  sent: Sent[];
  random: Random;
}

interface Facts {
  isShown: boolean;
  isFree: boolean;
  isOpen: boolean;
  openHold: string | null;
  sanctions: { id: string; decision_id: string | null; isInterim: boolean; isRevoked: boolean; at: Date }[];
  holds: { id: string; since: Date; ended_at: Date | null }[];
}

/** What staff have done so far: sanctions, the case and the times of holds, but not what happened to the messages. */
async function factsOf({ person, caseId }: History): Promise<Facts> {
  const own = sql`account_id = ${person.id}::uuid`;
  const { rows: sanctions } = await sql<Facts['sanctions'][number]>`
    select s.id, s.decision_id, coalesce(d.kind = 'interim', false) as "isInterim", s.revoked_at is not null as "isRevoked", s.starts_at as at
    from sanction s left join case_decision d on d.id = s.decision_id where s.${own} order by s.id`.execute(app.db);
  const { rows: holds } = await sql<Facts['holds'][number]>`
    select id, since, ended_at from account_hold where ${own}`.execute(app.db);
  const { rows } = await sql<Pick<Facts, 'isShown' | 'isFree' | 'isOpen'>>`
    select d.is_shown as "isShown", d.is_shown and not a.is_messaging_limited as "isFree", c.stage <> 'decided' as "isOpen"
    from account a join directory d on d.account_id = a.id, moderation_case c
    where a.id = ${person.id}::uuid and c.id = ${caseId}::uuid`.execute(app.db);
  const openHold = holds.find(({ ended_at }) => ended_at === null)?.id ?? null;
  return { ...{ isShown: false, isFree: false, isOpen: false }, ...rows[0], openHold, sanctions, holds };
}

/** Whether a decision in force withholds the messages of a hold. */
function isWithheld({ holdId, decisionId }: Sent, { holds, sanctions, isOpen }: Facts): boolean {
  const hold = holds.find(({ id }) => id === holdId);
  if (hold?.ended_at == null) return true;
  const { since, ended_at } = hold;
  return sanctions
    .filter(({ isRevoked }) => !isRevoked)
    .some(({ decision_id, isInterim, at }) => {
      if (decision_id === null) return at >= since && at <= ended_at;
      return isInterim ? decisionId === null && isOpen && at >= since : decision_id === decisionId;
    });
}

/** One random act of staff, of the person, or of time. Many are refused, because nothing is open or in force. */
async function act(history: History): Promise<void> {
  const { person, caseId, random, sent } = history;
  const { asStaff } = world;
  const reason = { body: { reason: 'As we know today' } };
  const { isFree, openHold, sanctions } = await factsOf(history);
  const live = sanctions.filter(({ isRevoked, isInterim }) => !isRevoked && !isInterim);
  switch (random.below(11)) {
    case 0:
    case 9:
    case 10:
    case 1: {
      if (!isFree) return;
      if (openHold === null) await world.report(person);
      const words = await world.sendHeld(person);
      const holdId = (await factsOf(history)).openHold;
      if (holdId === null) return;
      const known = sent.find((one) => one.holdId === holdId);
      if (known === undefined) sent.push({ holdId, words: [words], decisionId: null });
      else known.words.push(words);
      return;
    }
    case 2:
    case 3: {
      const kind = random.pick([...withholdingKinds.slice(1), 'warn', null, null] as const);
      const answer = await world.decide(caseId, kind === 'interim' ? null : kind);
      if (answer.status !== 201) return;
      for (const one of sent) one.decisionId ??= answer.body.data.decision._id;
      return;
    }
    case 4:
      await world.restrict(caseId);
      return;
    case 5:
      await app.call(endRestriction, { ...asStaff(caseId), ...reason });
      return;
    case 6:
      if (live.length > 0) await app.call(revokeSanction, { ...asStaff(random.pick(live).id), ...reason });
      return;
    case 7: {
      const isActive = random.chance(0.6);
      await app.call(changeAdminUser, { ...asStaff(person.id), body: { isActive, reason: 'As we know today' } });
      return;
    }
    default:
      if (random.chance(0.3)) await app.call(releaseHold, { ...asStaff(caseId), ...reason });
      else if (live.length > 0) await appeal(person, random.pick(live).decision_id);
  }
}

/** The person appeals a decision, and a colleague reverses it. */
async function appeal({ token }: TestMember, decisionId: string | null): Promise<void> {
  if (decisionId === null) return;
  const text = 'These were lines of a song we both like.';
  const appealed = await app.call(submitAppeal, { token, body: { decisionId, text } });
  if (appealed.status >= 300) return;
  const { rows } = await sql<{ id: string }>`
    select id from appeal where decision_id = ${decisionId}::uuid and answered_at is null`.execute(app.db);
  const reasons = 'The messages were quoted from a song that both had talked about.';
  const params = { id: rows[0]?.id ?? '' };
  const decided = await app.call(decideAppeal, {
    token: colleague.token,
    params,
    body: { outcome: 'overturned', reasons },
  });
  expect(decided.status).toBeLessThan(300);
}

it(
  `in ${histories} random histories exactly those messages are delivered that no decision in force withholds`,
  async () => {
    let [delivered, lost, checked] = [0, 0, 0];
    const kept = { delivered: 0, withheld: 0 };
    for (let seed = 0; seed < histories; seed += 1) {
      const person = await world.member();
      const history: History = { person, caseId: await world.report(person), sent: [], random: randomOf(seed) };
      const done = new Set<HeldWords>();
      for (let n = 0; n < actsEach; n += 1) {
        await act(history);
        await world.later(history.random.chance(0.3) ? history.random.below(200) : 1, person);
        Object.assign(colleague, await signIn(app, colleague.id, true));
        await deliverReleased(app);
        const facts = await factsOf(history);
        for (const one of history.sent)
          for (const words of one.words.filter((each) => !done.has(each))) {
            checked += 1;
            const isDelivered = await world.isDelivered(words);
            const isKept = isWithheld(one, facts);
            if (isDelivered) done.add(words);
            if (isDelivered && isKept) delivered += 1;
            if (!isDelivered && !isKept && facts.isShown && facts.openHold === null) lost += 1;
          }
      }
      const all = history.sent.flatMap(({ words }) => words).length;
      kept.delivered += done.size;
      kept.withheld += all - done.size;
    }
    expect({ delivered, lost }).toEqual({ delivered: 0, lost: 0 });
    // Shows that the histories are meaningful: many messages were delivered, and many were withheld.
    expect(Math.min(kept.delivered, kept.withheld, checked)).toBeGreaterThan(histories / 4);
  },
  timeoutMs,
);

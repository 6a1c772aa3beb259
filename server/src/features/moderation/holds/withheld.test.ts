import { beforeAll, describe, expect, it } from 'vitest';
import { revokeSanction } from '#contract/moderation/cases.ts';
import { endRestriction } from '#contract/moderation/emergencies.ts';
import { holdHours } from '#contract/moderation/holds.ts';
import { changeAdminUser } from '#contract/profiles/staff.ts';
import type { TestMember } from '../../../../test/factories.ts';
import { startAppForTests } from '../../../../test/harness.ts';
import { deliverReleased } from '../../../../test/moderation/holds.ts';
import {
  type HeldWords,
  withheldIn,
  type WithholdingKind,
  withholdingKinds,
} from '../../../../test/moderation/withheld.ts';

const app = startAppForTests();
let world: Awaited<ReturnType<typeof withheldIn>>;
beforeAll(async () => {
  world = await withheldIn(app);
});

const endings = ['ended by time', 'revoked', 'replaced by a decision', 'no violation', 'activated'] as const;
type Ending = (typeof endings)[number];

/** Lets a person send messages while held, and withholds them: by a decision, or by a restriction in force when the hold ends. */
async function withhold(person: TestMember, kind: WithholdingKind): Promise<HeldWords & { caseId: string }> {
  const caseId = await world.report(person);
  const words = await world.sendHeld(person);
  if (kind !== 'interim') expect((await world.decide(caseId, kind)).status).toBe(201);
  else {
    expect((await world.restrict(caseId)).status).toBe(200);
    await world.later(holdHours, person);
  }
  return { ...words, caseId };
}

/** What happens to a sanction. A case that is already decided is decided again after another report. */
async function end(person: TestMember, caseId: string, sanctionId: string, [kind, ending]: [WithholdingKind, Ending]) {
  const { asStaff, later } = world;
  const body = { reason: 'A mistake, as we know today' };
  if (ending === 'ended by time') return await later(8 * 24, person);
  if (ending === 'activated')
    return await app.call(changeAdminUser, { ...asStaff(person.id), body: { isActive: true, ...body } });
  if (ending === 'revoked')
    return kind === 'interim'
      ? await app.call(endRestriction, { ...asStaff(caseId), body })
      : await app.call(revokeSanction, { ...asStaff(sanctionId), body });
  await later(1, person);
  if (kind !== 'interim') await world.report(person);
  return await world.decide(caseId, ending === 'no violation' ? null : 'warn');
}

const places = ['alone', 'after a hold with a warning', 'before a hold with a warning'] as const;
/** A suspension must end before there can be another hold. */
const isTakenBack = (kind: WithholdingKind, ending: Ending, place: (typeof places)[number]) =>
  ending === 'revoked' ||
  (kind === 'interim' && ending === 'no violation') ||
  (kind === 'suspend' && ending === 'activated' && place !== places[2]);
const table = places.flatMap((place) =>
  // An undecided restriction is not followed by another hold.
  withholdingKinds.filter((kind) => kind !== 'interim' || place !== places[2]).map((kind) => ({ place, kind })),
);

describe.each(table)('what a hold of kind $kind withheld $place', ({ kind, place }) => {
  const rows = endings.map((ending) => ({ ending, is: isTakenBack(kind, ending, place) ? 'delivered' : 'withheld' }));

  it.each(rows)('is $is when the hold ends with: $ending', async ({ ending, is }) => {
    const person = await world.member();
    const words: Awaited<ReturnType<typeof withhold>>[] = [];
    if (place === places[1]) {
      words.push(await withhold(person, 'warn'));
      await world.later(1, person);
    }
    words.push(await withhold(person, kind));
    const own = words.length - 1;
    const sanction = await world.lastSanction(person);
    if (place === places[2]) {
      await world.later(80, person);
      words.push(await withhold(person, 'warn'));
    }
    await end(person, words[0]?.caseId ?? '', sanction.id, [kind, ending]);
    await deliverReleased(app);
    const delivered = await Promise.all(words.map(world.isDelivered));
    expect(delivered).toEqual(words.map((_, index) => index === own && is === 'delivered'));
  });
});

it('a message withheld by a released hold is delivered even though the next hold deletes its own messages first', async () => {
  const person = await world.member();
  const caseId = await world.report(person);
  const released = await world.sendHeld(person);
  expect((await world.decide(caseId, null)).status).toBe(201);
  await world.later(1, person);
  const dropped = await withhold(person, 'warn');
  await deliverReleased(app);
  expect(await Promise.all([released, dropped].map(world.isDelivered))).toEqual([true, false]);
});

import { sql } from 'kysely';
import { type countPeople, fewestCounted, peopleCountedMost } from '#contract/discovery.ts';
import type { BodyOf } from '#contract/endpoint.ts';
import type { Db } from '#platform/db/db.ts';
import { dayOf } from '#platform/process/clock.ts';
import { type Caller, requireMember } from '#platform/session/caller.ts';
import { requiredBy } from '../compatibility/public.ts';
import { pointOf } from '../profiles/public.ts';
import type { DeckMaker } from './deck/deck.ts';
import { bitOf, type PlacedRow } from './deck/people.reads.ts';
import { fitsBut, theirDecision } from './score/fit.ts';

type Given = BodyOf<typeof countPeople>;

/** How many of the nearest members are examined. */
const lookedAtMost = 10_000;

/** The columns of `discovery_row` that differ from the saved ones, as `logic.refresh_discovery` computes them. */
export function columnsFor(
  { seeking, age, distance, photoVerifiedOnly, heightCm, ...lists }: Given,
  isVip: boolean,
): object {
  const range = heightCm?.required === true ? heightCm : null;
  const words = (['goal', 'languages', 'children', 'smoking', 'drinking', 'exercise', 'interests'] as const)
    .filter((name) => lists[name] !== undefined && (isVip || name === 'interests'))
    .map((name) => [`needs_${name}`, lists[name]?.required === true ? lists[name].values : null]);
  return {
    ...(seeking && { seeking: seeking.reduce((bits, gender) => bits | bitOf(gender), 0) }),
    ...(age !== undefined && { age_min: age?.min, age_max: age?.max, age_required: age?.required ?? false }),
    ...(distance !== undefined && { max_km: distance?.maxKm, distance_required: distance?.required ?? false }),
    ...(photoVerifiedOnly !== undefined && { needs_photo_verified: photoVerifiedOnly }),
    ...(heightCm !== undefined &&
      isVip && { needs_height_min: range?.min ?? null, needs_height_max: range?.max ?? null }),
    ...(Object.fromEntries(words) as Record<string, readonly string[] | null>),
  };
}

/**
 * How many people the caller could see with these preferences, rounded down to tens and 0 below twenty, so that the number reveals hardly
 * anything about a single person; null for members outside discovery. 403 for staff.
 */
export async function peopleFor(maker: DeckMaker, caller: Caller, given: Given, now: Date): Promise<number | null> {
  requireMember(caller);
  const { db, cells } = maker;
  const viewer = await placedViewer(db, caller.accountId);
  if (viewer === undefined) return null;
  const farthest = given.distance?.required === true ? given.distance.maxKm : null;
  const near = await cells(db, pointOf(viewer), farthest);
  const looking = { viewerId: caller.accountId, day: dayOf(now) };
  const columns = JSON.stringify(columnsFor(given, caller.isVip));
  const { rows } = await sql<{ people: number }>`
    select count(*)::int as people from (
      select 1 from discovery_row saved
        cross join lateral jsonb_populate_record(saved, ${columns}::jsonb) v
        cross join lateral (
          select r.* from unnest(${near}::int[]) with ordinality as c (cell, place)
            cross join lateral (select * from discovery_row r where r.cell = c.cell and r.visible limit ${lookedAtMost}) r
          limit ${lookedAtMost}) t ${theirDecision}
      where saved.account_id = ${caller.accountId}::uuid and ${requiredBy(sql.ref('v'), sql.ref('t'), looking.day)} and ${fitsBut(looking)}
      limit ${peopleCountedMost}) found`.execute(db);
  const people = rows[0]?.people ?? 0;
  return people < fewestCounted ? 0 : people - (people % 10);
}

async function placedViewer(db: Db, accountId: string): Promise<PlacedRow | undefined> {
  return await db
    .selectFrom('discovery_row')
    .select(['latitude', 'longitude'])
    .where('account_id', '=', accountId)
    .where('gender', '>', 0)
    .executeTakeFirst();
}

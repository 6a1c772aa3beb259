import { sql } from 'kysely';
import { peopleShownPerDay } from '#contract/constants.ts';
import { tooMany } from '../../../platform/http/app-error.ts';
import type { Caller } from '../../../platform/session/caller.ts';
import type { Db } from '../../../platform/db/db.ts';

const dayMs = 86_400_000;

/**
 * Records that the caller sees these members today (UTC) and returns those they may see: people seen today already, matches, and others
 * up to the daily limit. Staff see everyone.
 */
export async function noteSeen(db: Db, caller: Caller, ids: string[], now: Date): Promise<Set<string>> {
  if (caller.staffRole !== null || ids.length === 0) return new Set(ids);
  const day = now.toISOString().slice(0, 10);
  const { rows } = await sql<{ seen: string[] }>`/* prepared */
    select logic.note_seen(${caller.accountId}::uuid, ${ids}::uuid[], ${day}::date, ${peopleShownPerDay}::int) as seen`.execute(
    db,
  );
  return new Set(rows[0]?.seen);
}

/** Like `noteSeen`, but 429 until the day ends if any of them may not be shown. */
export async function demandSeen(db: Db, caller: Caller, ids: string[], now: Date): Promise<void> {
  const seen = await noteSeen(db, caller, ids, now);
  if (ids.every((id) => seen.has(id))) return;
  throw tooMany('You have looked at very many people today. Please come back tomorrow.', secondsOfDayLeft(now));
}

/** Deletes records from before today (UTC): they no longer count and may contain ids of deleted people. */
export async function forgetSeen(db: Db, now: Date): Promise<void> {
  await sql`delete from seen_people where seen_on < ${now.toISOString().slice(0, 10)}::date`.execute(db);
}

function secondsOfDayLeft(now: Date): number {
  return (dayMs - (now.getTime() % dayMs)) / 1000;
}

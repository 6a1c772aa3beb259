import { sql } from 'kysely';
import type { AnswerInput } from '#contract/endpoint.ts';
import { type getFigures, type LiveFigure, liveFigures } from '#contract/service/figures.ts';
import type { ServiceSettings } from '#contract/service/settings.ts';
import type { Db } from '#platform/db/db.ts';
import { dayOf } from '#platform/process/clock.ts';
import { daysAfter } from './days.ts';

const countedDays = 30;

/** Smaller counts are not shown, and shown counts differ by at least this much, so neither reveals what a few people did. */
const smallestShown = 100;

/** A count rounded down to two digits, or below a thousand to hundreds. */
function roundedDown(count: number): number {
  const step = Math.max(smallestShown, 10 ** (String(count).length - 2));
  return Math.floor(count / step) * step;
}

/** The counts of everyone, from the rows of the last days alone. */
async function countLately(db: Db, now: Date): Promise<Record<LiveFigure, number>> {
  const today = dayOf(now);
  const { rows } = await sql<Record<LiveFigure, string | number | null>>`
    select (array_agg(members order by day desc))[1] as members, sum(sign_ups) as joined, sum(matches) as matches,
      sum(conversations) as conversations
    from insight_day where gender = '*' and age = '*' and country = '*'
      and day > ${daysAfter(today, -countedDays)}::date and day <= ${today}::date`.execute(db);
  const [row] = rows;
  const counts = liveFigures.map((figure) => [figure, Number(row?.[figure] ?? 0)] as const);
  return Object.fromEntries(counts) as Record<LiveFigure, number>;
}

/** The figures that Home shows. Counters are only read where the owner chose them. */
export async function readFigures(
  db: Db,
  { figures: { source, own } }: Pick<ServiceSettings, 'figures'>,
  now: Date,
): Promise<AnswerInput<typeof getFigures>['data']> {
  if (source !== 'live') return { source, own: source === 'own' ? own : {}, live: [] };
  const counts = await countLately(db, now);
  const live = liveFigures.map((figure) => ({ figure, atLeast: roundedDown(counts[figure]) }));
  return { source, own: {}, live: live.filter(({ atLeast }) => atLeast >= smallestShown) };
}

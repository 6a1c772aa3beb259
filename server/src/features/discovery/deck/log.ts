import { type RawBuilder, sql } from 'kysely';
import type { MarketStats, Viewer } from '../score/people.ts';
import { scoreOf } from '../score/score.ts';
import type { DeckLogTable, KeptCard } from '../tables.ts';
import type { Ranked } from './page.ts';

/** Of which decks all candidates are logged: a share of viewers, drawn daily, but only so many an hour, so that the table is bounded. */
export const logRules = { share: 1 / 50, perHour: 4, keptDays: 30 } as const;

/** A candidate as the log keeps them. */
export type LoggedCandidate = Omit<DeckLogTable, 'viewer_id' | 'dealt_at'>;

/** All candidates of a deck with the terms of their rank, and the chance of those who were dealt. */
export function loggedCandidates(
  viewer: Viewer,
  ranked: readonly Ranked[],
  market: MarketStats,
  chosen: readonly { id: string; card: KeptCard }[],
  dailyTermOf: (id: string) => number,
): LoggedCandidate[] {
  const places = new Map(chosen.map(({ id }, index) => [id, index + 1]));
  return ranked.map(({ candidate }) => {
    const { id, likesViewer, isDecoy = false, extra = 0 } = candidate;
    const { rank, chanceThere, chanceBack } = scoreOf(viewer, candidate, market);
    return {
      person_id: id,
      likes_viewer: likesViewer,
      is_decoy: isDecoy,
      chance_there: chanceThere,
      chance_back: chanceBack,
      rest: rank - Math.log(chanceThere) - Math.log(chanceBack),
      bonus: extra - dailyTermOf(id),
      place: places.get(id) ?? null,
      dealt_chance: chosen[(places.get(id) ?? 0) - 1]?.card.chance ?? null,
    };
  });
}

/**
 * Inserts a deck's candidates into the log, unless the viewer has a deck in it or the hour is full; to run in the statement that stores
 * the deck. Candidates whose account is gone are left out.
 */
export const logging = (
  viewerId: string,
  candidates: readonly LoggedCandidate[],
  now: Date,
): RawBuilder<unknown> => sql`
  insert into deck_log (viewer_id, person_id, dealt_at, likes_viewer, is_decoy, chance_there, chance_back, rest, bonus, place, dealt_chance)
  select viewer.id, person.id, ${now}::timestamptz, c.likes_viewer, c.is_decoy, c.chance_there, c.chance_back, c.rest, c.bonus, c.place,
    c.dealt_chance
  from jsonb_to_recordset(${JSON.stringify(candidates)}::jsonb) as c(
      person_id uuid, likes_viewer boolean, is_decoy boolean, chance_there real, chance_back real, rest real, bonus real, place smallint,
      dealt_chance smallint)
    join account person on person.id = c.person_id
    join account viewer on viewer.id = ${viewerId}::uuid
  where not exists (select from deck_log where viewer_id = ${viewerId}::uuid)
    and (select count(distinct viewer_id) from deck_log where dealt_at > ${now}::timestamptz - interval '1 hour') < ${logRules.perHour}
  order by person.id
  on conflict do nothing`;

import { sql } from 'kysely';
import type { Db } from '../../../platform/db/db.ts';
import type { KeptCard } from '../tables.ts';
import { candidateColumns, learnedOfCandidate, type CandidateRow } from '../deck/candidates.reads.ts';
import { fits } from '../score/fit.ts';

/** The part of a deck that is served now. */
export interface Served {
  cards: ServedCard[];
  /** Fewer cards than `lowWater` still fit. */
  isRunningOut: boolean;
}

export interface ServedCard {
  id: string;
  card: KeptCard;
  row: CandidateRow;
}

/**
 * The next cards of a deck in order, at most `limit`, all of which fit now; and whether fewer than `lowWater` fit in total. Reads no
 * more of the deck than needed: a lateral join with a limit is evaluated card by card.
 */
export async function serveDeck(
  db: Db,
  accountId: string,
  limit: number,
  lowWater: number,
  now: Date,
): Promise<Served> {
  const day = now.toISOString().slice(0, 10);
  const enough = Math.max(limit, lowWater);
  const { rows } = await sql<CandidateRow & { card: KeptCard }>`/* prepared */
    with viewer as materialized (select * from discovery_row where account_id = ${accountId}::uuid),
      found as materialized (
        select t.*, c.place, d.cards -> (c.place::int - 1) as card
        from viewer v
          join deck d on d.viewer_id = v.account_id
          cross join lateral (
            select target, place from unnest(d.targets) with ordinality as kept (target, place) order by place
          ) c
          cross join lateral (
            select t.* from discovery_row t where t.account_id = c.target and ${fits({ viewerId: accountId, day })} limit 1
          ) t
        limit ${enough})
    select ${candidateColumns(day)}, t.card
    from viewer v cross join found t ${learnedOfCandidate}
    order by t.place`.execute(db);
  const cards = rows.slice(0, limit).map(({ card, ...row }) => ({ id: row.account_id, card, row }));
  return { cards, isRunningOut: rows.length < lowWater };
}

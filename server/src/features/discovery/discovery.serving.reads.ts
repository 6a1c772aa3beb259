import { sql } from 'kysely';
import type { Db } from '../../platform/db.ts';
import type { KeptCard } from '../../platform/schema-discovery.ts';
import { candidateColumns, likesTheViewer, type CandidateRow } from './discovery.candidates.reads.ts';
import { fits } from './discovery.fit.ts';

/** What is served of a deck now, and how much of it is left. */
export interface Served {
  cards: ServedCard[];
  left: number;
}

export interface ServedCard {
  id: string;
  card: KeptCard;
  row: CandidateRow;
}

/** The next cards of a deck, in their order, of whom every one fits at this moment; and how many fit in all. */
export async function serveDeck(db: Db, accountId: string, limit: number, now: Date): Promise<Served> {
  const day = now.toISOString().slice(0, 10);
  const { rows } = await sql<CandidateRow & { card: KeptCard; fitting: number }>`/* prepared */
    select ${candidateColumns(likesTheViewer(day))}, found.card, found.fitting, s.appeal, s.selectivity
    from (
      select c.target, c.place, v.account_id as viewer_id, d.cards -> (c.place::int - 1) as card,
        (count(*) over ())::int as fitting
      from deck d
        join discovery_row v on v.account_id = d.viewer_id
        cross join unnest(d.targets) with ordinality as c (target, place)
        join discovery_row t on t.account_id = c.target
      where d.viewer_id = ${accountId}::uuid and ${fits(day)}
      order by c.place limit ${limit}
    ) found
      join discovery_row v on v.account_id = found.viewer_id
      join discovery_row t on t.account_id = found.target
      left join standing s on s.account_id = t.account_id and s.gender = v.gender
    order by found.place`.execute(db);
  const cards = rows.map(({ card, fitting: _, ...row }) => ({ id: row.account_id, card, row }));
  return { cards, left: rows[0]?.fitting ?? 0 };
}

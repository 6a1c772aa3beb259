import { sql } from 'kysely';
import type { DeckOrder } from '#contract/discovery/discovery.ts';
import { peopleShownPerDay } from '#contract/constants.ts';
import { columnsOf, type Db } from '../../platform/db/db.ts';
import { countedColumn, type KeptAnswers } from '../compatibility/public.ts';
import { publicColumns, type PublicRow } from '../profiles/public.ts';
import {
  type CandidateRow,
  learnedOfCandidate,
  ownColumns,
  type PlacedRow,
  type StatedRow,
  viewerColumns,
  type ViewerRow,
} from './deck/people.reads.ts';
import { fits, likesTheViewer, theirDecision } from './score/fit.ts';
import type { KeptCard } from './tables.ts';

/** What a card has besides the person's row, which `version` names. */
export interface PageCard {
  id: string;
  kept: KeptCard;
  /** Changes with everything that `peopleByIds` reads, except learned values. */
  version: string;
  likes_viewer: boolean;
  decisions_received: number;
  online: boolean;
  /** Null for never. */
  last_active_at: string | null;
}

/** A viewer with the next cards of their deck. */
export interface Page extends StatedRow, PlacedRow, Pick<ViewerRow, 'memberScores'> {
  /** The answers that count today; null without a sheet. */
  answers: KeptAnswers | null;
  order: DeckOrder | null;
  likesSent: number;
  /** Null without a deck. */
  deckMadeAt: Date | null;
  /** Null without a deck, or if it was made for other preferences. */
  cards: PageCard[] | null;
  /** How many cards fit, counted up to `lowWater` or the page's size. */
  fitting: number;
  /** Of the cards, those the viewer may still see today; null for all. */
  seen: string[] | null;
}

/**
 * The next cards of a viewer's deck in order, at most `limit`, all of which fit now; undefined for members outside discovery. Records
 * that the viewer sees them today. Reads no more of the deck than needed: a lateral join with a limit is evaluated card by card.
 */
export async function readPage(
  db: Db,
  viewerId: string,
  { limit, lowWater, now }: { limit: number; lowWater: number; now: Date },
): Promise<Page | undefined> {
  const day = now.toISOString().slice(0, 10);
  const { rows } = await sql<Page>`
    with viewer as materialized (select * from discovery_row where account_id = ${viewerId}::uuid and gender > 0),
      deck_now as materialized (select d.* from deck d where d.viewer_id = ${viewerId}::uuid),
      found as materialized (
        select t.*, c.place, c.card
        from viewer v
          join deck_now d on d.changes = d.made_for
          cross join lateral (
            select target, card, place from rows from (unnest(d.targets), jsonb_array_elements(d.cards))
              with ordinality as kept (target, card, place) order by place
          ) c
          cross join lateral (
            select t.account_id, t.version || ' ' || t.last_active_on as version, t.decisions_received, ${likesTheViewer(day)} as likes_viewer
            from discovery_row t ${theirDecision}
            where t.account_id = c.target and ${fits({ viewerId, day })} limit 1
          ) t
        limit ${Math.max(limit, lowWater)}),
      page as materialized (select * from found order by place limit ${limit}),
      page_cards as materialized (
        select array_agg(t.account_id order by t.place) as ids, json_agg(json_build_object(
          'id', t.account_id, 'kept', t.card, 'version', t.version, 'likes_viewer', t.likes_viewer,
          'decisions_received', t.decisions_received, 'online', r.online,
          'last_active_at', case when isfinite(r.last_active_at) then r.last_active_at end
        ) order by t.place) as cards
        from page t join presence r on r.account_id = t.account_id)
    select ${viewerColumns}, ${countedColumn(now)} as answers, w.wishes ->> 'order' as order, d.made_at as "deckMadeAt",
      coalesce((select sent from like_count where account_id = r.account_id and sent_on = ${day}::date), 0) as "likesSent",
      page_cards.cards, (select count(*) from found)::int as fitting,
      nullif(case when ids is not null then logic.note_seen(r.account_id, ids, ${day}::date, ${peopleShownPerDay}::int) end, ids) as seen
    from viewer r
      cross join page_cards
      left join deck_now d on true
      left join preference w on w.account_id = r.account_id
      left join answer_sheet sheet on sheet.account_id = r.account_id`.execute(db);
  return rows[0];
}

/** A person's data for cards of viewers of one gender. */
export type PersonRow = Omit<CandidateRow, 'km' | 'likes_viewer'> &
  PlacedRow &
  Omit<PublicRow, 'id' | 'gender' | 'online' | 'last_active_at'> & {
    gender_name: PublicRow['gender'];
    /** The answers that count today; null without a sheet. */
    answers: KeptAnswers | null;
  };

/** The data of these people for viewers of a gender (a bit). */
export async function peopleByIds(db: Db, ids: string[], gender: number, now: Date): Promise<PersonRow[]> {
  const { rows } = await sql<PersonRow>`
    select ${ownColumns}, t.latitude, t.longitude, f.gender as gender_name, ${columnsOf('f', publicColumns)},
      ${countedColumn(now)} as answers
    from (select ${gender}::smallint as gender) v
      cross join discovery_row t
      join profile f on f.account_id = t.account_id
      left join answer_sheet sheet on sheet.account_id = t.account_id ${learnedOfCandidate}
    where t.account_id = any (${ids}::uuid[])`.execute(db);
  return rows;
}

import { sql } from 'kysely';
import type { CompatibilityAnswer } from '#contract/compatibility.ts';
import type { DeckOrder } from '#contract/discovery.ts';
import { peopleShownPerDay } from '#contract/constants.ts';
import type { Db } from '../../platform/db/db.ts';
import { countedColumn, type KeptAnswers, toAnswers } from '../compatibility/public.ts';
import { type Point, pointOf, type PublicRow } from '../profiles/public.ts';
import {
  candidateOf,
  type CandidateRow,
  learnedOfCandidate,
  ownColumns,
  type PlacedRow,
  type StatedRow,
  viewerColumns,
  type ViewerRow,
} from './deck/people.reads.ts';
import { fits, likesTheViewer, theirDecision } from './score/fit.ts';
import type { Candidate } from './score/people.ts';
import type { KeptCard } from './tables.ts';

/** The part of a card besides the person; `version` identifies the person's data. */
export interface PageCard {
  id: string;
  kept: KeptCard;
  /** Changes with everything that `peopleByIds` reads, except learned values. */
  version: string;
  likesViewer: boolean;
  decisionsReceived: number;
  online: boolean;
  /** Null if they were never active. */
  lastActive: string | null;
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
  /** The cards' people whom the viewer may still see today; null for all. */
  seen: string[] | null;
}

/**
 * The next cards of a viewer's deck in order, at most `limit`, all of which fit now; undefined for members outside discovery. Records that
 * the viewer sees them today. Reads no more of the deck than needed: a lateral join with a limit is evaluated card by card.
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
          'id', t.account_id, 'kept', t.card, 'version', t.version, 'likesViewer', t.likes_viewer,
          'decisionsReceived', t.decisions_received, 'online', r.online,
          'lastActive', case when isfinite(r.last_active_at) then r.last_active_at end
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

type PersonRow = CandidateRow &
  PlacedRow &
  Omit<PublicRow, 'id' | 'gender' | 'online' | 'last_active_at'> & {
    gender_name: PublicRow['gender'];
    answers: KeptAnswers | null;
  };

/** A person's data for cards, the same for all viewers of one gender on one day. */
export interface Person {
  /** The view without what depends on the viewer. */
  candidate: Candidate;
  place: Point | null;
  /** The answers that count today. */
  answers: CompatibilityAnswer[];
  profile: Omit<PublicRow, 'online' | 'last_active_at'>;
}

/** Reads these people for viewers of a gender (a bit), by id. */
export async function peopleByIds(db: Db, ids: string[], gender: number, now: Date): Promise<Map<string, Person>> {
  const { rows } = await sql<PersonRow>`
    select ${ownColumns}, null as km, false as likes_viewer, t.latitude, t.longitude, f.gender as gender_name,
      f.first_name, f.gender_text, f.bio, f.city, f.country, f.details, f.pictures, f.show_last_active, ${countedColumn(now)} as answers
    from (select ${gender}::smallint as gender) v
      cross join discovery_row t
      join profile f on f.account_id = t.account_id
      left join answer_sheet sheet on sheet.account_id = t.account_id ${learnedOfCandidate}
    where t.account_id = any (${ids}::uuid[])`.execute(db);
  return new Map(rows.map((row) => [row.account_id, toPerson(row, now)]));
}

function toPerson(row: PersonRow, now: Date): Person {
  const { account_id: id, gender_name: gender, birth_date, first_name, gender_text, bio, city, country } = row;
  const { details, pictures, show_last_active } = row;
  return {
    candidate: candidateOf(row, now),
    place: pointOf(row),
    answers: toAnswers(row.answers ?? {}),
    profile: {
      id,
      gender,
      birth_date,
      first_name,
      gender_text,
      bio,
      city,
      country,
      details,
      pictures,
      show_last_active,
    },
  };
}

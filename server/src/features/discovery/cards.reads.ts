import { sql } from 'kysely';
import type { CompatibilityAnswer } from '#contract/compatibility.ts';
import { type DeckOrder, type EmptyDeck, type FilterName, filterNames } from '#contract/discovery.ts';
import { peopleShownPerDay } from '#contract/constants.ts';
import { countRows, type Db } from '#platform/db/db.ts';
import { countedColumn, requirements, toAnswers } from '../compatibility/public.ts';
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
import { fits, fitsBut, likesTheViewer, meets, theirDecision } from './score/fit.ts';
import type { Candidate } from './score/people.ts';
import type { KeptAnswers, KeptCard } from '#platform/db/json.ts';
import { dayOf } from '#platform/process/clock.ts';

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
  /** The people of these cards that the viewer may still see today; null for all. */
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
  const day = dayOf(now);
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
async function peopleByIds(db: Db, ids: string[], gender: number, now: Date): Promise<Map<string, Person>> {
  const { rows } = await sql<PersonRow>`
    select ${ownColumns}, null as km, false as likes_viewer, t.latitude, t.longitude, f.gender as gender_name,
      f.first_name, f.gender_text, f.bio, f.city, f.country, f.details, f.photo_verified_at, f.pictures, f.show_last_active,
      ${countedColumn(now)} as answers
    from (select ${gender}::smallint as gender) v
      cross join discovery_row t
      join profile f on f.account_id = t.account_id
      left join answer_sheet sheet on sheet.account_id = t.account_id ${learnedOfCandidate}
    where t.account_id = any (${ids}::uuid[])`.execute(db);
  return new Map(rows.map((row) => [row.account_id, toPerson(row, now)]));
}

function toPerson(row: PersonRow, now: Date): Person {
  const { account_id: id, gender_name: gender, birth_date, first_name, gender_text, bio, city, country } = row;
  const { details, photo_verified_at, pictures, show_last_active } = row;
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
      photo_verified_at,
      pictures,
      show_last_active,
    },
  };
}

/** Each entry takes about 10 KB. */
const peopleMost = 5000;

/** The people on cards for viewers of a gender (a bit), by id; people who have just left are missing. */
export type PeopleOnCards = (db: Db, cards: PageCard[], gender: number, now: Date) => Promise<Map<string, Person>>;

/**
 * Caches the people on cards, because reading them takes longer than everything else on a page. A cached person is used only if the version
 * matches the one that the same request has just read together with its visibility check, so no card shows outdated data.
 */
export function createPeopleOnCards(): PeopleOnCards {
  const kept = new Map<string, { version: string; person: Person }>();
  return async (db, cards, gender, now) => {
    // Learned values depend on the viewer's gender, and the answers that count depend on the day.
    const keyOf = ({ id }: PageCard) => `${id} ${gender}`;
    const versionOf = ({ version }: PageCard) => `${version} ${dayOf(now)}`;
    const people = new Map<string, Person>();
    for (const card of cards) {
      const known = kept.get(keyOf(card));
      if (known?.version === versionOf(card)) people.set(card.id, known.person);
    }
    const missing = cards.filter(({ id }) => !people.has(id));
    if (missing.length === 0) return people;
    const ids = missing.map(({ id }) => id);
    const read = await peopleByIds(db, ids, gender, now);
    for (const card of missing) {
      const person = read.get(card.id);
      if (person === undefined) continue;
      people.set(card.id, person);
      keep(kept, keyOf(card), { version: versionOf(card), person }, peopleMost);
    }
    return people;
  };
}

/** How many of the nearest members are examined; filters exclude those farther away for the same reasons. */
const lookedAtMost = 10_000;
const countedMost = 500;

/**
 * Explains why a deck is empty: how many of the nearest ten thousand members each of the viewer's filters excludes on its own, most first,
 * and how many fitting members were already decided on. Both are counted up to 500. One query counts for all filters.
 */
export async function whyEmpty(
  db: Db,
  accountId: string,
  cells: number[],
  now: Date,
): Promise<Omit<EmptyDeck, 'isUsedUp'>> {
  const day = dayOf(now);
  const own = requirements(sql.ref('v'), sql.ref('t'), day);
  const met = sql.join(filterNames.map((name) => sql`coalesce(${own[name]}, false) as ${sql.ref(`meets_${name}`)}`));
  const failed = sql.join(
    filterNames.map((name) => sql`(not ${sql.ref(`meets_${name}`)})::int`),
    sql` + `,
  );
  const alone = sql.join(
    filterNames.map(
      (name) =>
        sql`least(count(*) filter (where not ${sql.ref(`meets_${name}`)}), ${countedMost}::int)::int as ${sql.ref(name)}`,
    ),
  );
  const { rows } = await sql<Record<FilterName, number>>`
    select ${alone} from (
      select ${met} from discovery_row v
        cross join lateral (
          select near.* from unnest(${cells}::int[]) with ordinality as c (cell, place)
            cross join lateral (select * from discovery_row r where r.cell = c.cell and r.visible limit ${lookedAtMost}) near
          limit ${lookedAtMost}
        ) t ${theirDecision}
      where v.account_id = ${accountId}::uuid and ${fitsBut({ viewerId: accountId, day })}
    ) looked where ${failed} = 1`.execute(db);
  const [counts] = rows;
  const perFilter = filterNames
    .map((filter) => ({ filter, removed: counts?.[filter] ?? 0 }))
    .filter(({ removed }) => removed > 0)
    .sort((one, other) => other.removed - one.removed);
  return { perFilter, decided: await countDecided(db, accountId, day) };
}

/** How many of the people the viewer decided on could be shown again. An ended match isn't only the viewer's decision. */
async function countDecided(db: Db, accountId: string, day: string): Promise<number> {
  const decided = sql`
    decision d join discovery_row v on v.account_id = d.viewer_id join discovery_row t on t.account_id = d.target_id
    where d.viewer_id = ${accountId}::uuid and d.kind <> 'unmatch' and ${meets({ viewerId: accountId, day })}`;
  return await countRows(db, decided, countedMost);
}

/** Makes an entry the newest, and deletes the oldest if there are more than `most`. */
function keep<T>(entries: Map<string, T>, key: string, entry: T, most: number): void {
  entries.delete(key);
  entries.set(key, entry);
  const [oldest] = entries.keys();
  if (entries.size > most && oldest !== undefined) entries.delete(oldest);
}

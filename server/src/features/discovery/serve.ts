import type { AnswerOf } from '#contract/endpoint.ts';
import {
  cardsMax,
  type CardView,
  type EmptyDeck,
  type getCards,
  noPreferences,
} from '#contract/discovery/discovery.ts';
import { type Caller, requireMember } from '../../platform/session/caller.ts';
import type { Deps } from '../../deps.ts';
import { addJob } from '../../platform/jobs/jobs.ts';
import { remainingLikes } from '../connections/public.ts';
import { noteSeen, pointOf, shownDistance, toPublicUser, usersByIds } from '../profiles/public.ts';
import { type DeckMaker, makeDeck } from './deck/deck.ts';
import {
  candidateColumns,
  candidateOf,
  type CandidateRow,
  learnedOfCandidate,
  viewerOf,
  viewerRow,
  type ViewerRow,
} from './deck/people.reads.ts';
import { sql } from 'kysely';
import { countRows, type Db } from '../../platform/db/db.ts';
import type { KeptCard } from './tables.ts';
import { type FilterName, filterNames, fits, fitsBut, meets, requirements } from './score/fit.ts';
import { bandScores } from '#contract/compatibility/compatibility.ts';
import type { MatchReason, ReasonKind } from '#contract/discovery/match-reasons.ts';
import type { PictureViews } from '../../platform/session/pictures.ts';
import { bandsOfAnswers } from '../compatibility/public.ts';
import { type FoundReason, reasonsFor } from './score/reasons.ts';

/** With fewer cards left, the deck is rebuilt in the background. */
const lowWater = 20;
const deckHours = 24;
const cellsLookedAt = 400;
const nothing: Served = { cards: [], isRunningOut: true };

/** The next cards for the caller. Builds a deck if there is none; if no one is left, says why. 403 for staff. */
export async function cardsFor(
  deps: Deps,
  maker: DeckMaker,
  caller: Caller,
  limit: number | undefined,
  now: Date,
): Promise<AnswerOf<typeof getCards>['data']> {
  requireMember(caller);
  const row = await viewerRow(deps.db, caller.accountId);
  const [served, left] = await Promise.all([
    row === undefined ? nothing : nextCards(deps, maker, row, limit ?? cardsMax, now),
    remainingLikes(deps.db, caller, now),
  ]);
  const seen = await noteSeen(
    deps.db,
    caller,
    served.cards.map(({ id }) => id),
    now,
  );
  const shown = served.cards.filter(({ id }) => seen.has(id));
  const cards = row === undefined ? [] : await cardViews(maker, caller, row, shown, now, deps.pictures);
  const isUsedUp = served.cards.length > shown.length;
  const empty = cards.length === 0 ? await explain(maker, row, caller.accountId, isUsedUp, now) : null;
  return { cards, remainingLikes: left, order: row?.wanted_order ?? noPreferences.order, empty };
}

async function nextCards(deps: Deps, maker: DeckMaker, row: ViewerRow, limit: number, now: Date): Promise<Served> {
  const accountId = row.account_id;
  const rebuilt = async () => {
    await makeDeck(maker, accountId, now);
    return await serveDeck(deps.db, accountId, limit, lowWater, now);
  };
  if (row.deck_made_at === null || row.deck_is_stale) return await rebuilt();
  const served = await serveDeck(deps.db, accountId, limit, lowWater, now);
  if (served.cards.length === 0) return await rebuilt();
  const isOld = now.getTime() - row.deck_made_at.getTime() > deckHours * 3_600_000;
  if (served.isRunningOut || isOld)
    await addJob(deps.db, 'discovery.refill', { accountId }, { jobKey: `deck:${accountId}`, maxAttempts: 2 });
  return served;
}

async function explain(maker: DeckMaker, row: ViewerRow | undefined, accountId: string, isUsedUp: boolean, now: Date) {
  if (isUsedUp) return { perFilter: [], decided: 0, isUsedUp };
  const centre = row === undefined ? null : pointOf(row);
  const cells = (await maker.cells(maker.db, centre, null)).slice(0, cellsLookedAt);
  return { ...(await whyEmpty(maker.db, accountId, cells, now)), isUsedUp };
}

/** The part of a deck that is served now. */
interface Served {
  cards: ServedCard[];
  /** Fewer cards than `lowWater` still fit. */
  isRunningOut: boolean;
}

interface ServedCard {
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

/** Cards as the viewer sees them now: a deck may be old, but the data on its cards must not be. */
async function cardViews(
  maker: DeckMaker,
  caller: Caller,
  row: ViewerRow,
  cards: ServedCard[],
  now: Date,
  views: PictureViews,
): Promise<CardView[]> {
  if (cards.length === 0) return [];
  const { db } = maker;
  const ids = cards.map(({ id }) => id);
  const [market, users, bands] = await Promise.all([
    maker.marketStats(db),
    usersByIds(db, ids),
    bandsOfAnswers(db, caller.accountId, ids, now),
  ]);
  const viewer = viewerOf(row, now);
  const userOf = new Map(users.map((user) => [user.id, user]));
  return cards.flatMap((served) => {
    const user = userOf.get(served.id);
    if (user === undefined) return [];
    const band = bands.get(user.id) ?? null;
    const candidate = { ...candidateOf(served.row, now), answers: band };
    const found = reasonsFor(viewer, candidate, market, served.card.isExploration);
    return [
      {
        user: toPublicUser(user, caller, now, views),
        // From the viewer's search location, which premium may have changed.
        ...shownDistance(pointOf(row), pointOf(user)),
        compatibilityScore: band === null ? null : bandScores[band],
        compatibilityBand: band,
        reasons: stillTrue(served.card.reasons, found),
      },
    ];
  });
}

/** The reasons of these kinds as of now; reasons that no longer hold are left out. */
function stillTrue(kinds: ReasonKind[], found: FoundReason[]): MatchReason[] {
  return kinds.flatMap((kind) => found.flatMap(({ reason }) => (reason.kind === kind ? [reason] : [])));
}

/** How many of the nearest members are examined; farther ones are excluded for the same reasons. */
const lookedAtMost = 10_000;
const countedMost = 500;

/**
 * Why a deck is empty: how many of the nearest ten thousand members each of the viewer's filters excludes on its own, most first, and
 * how many fitting members were already decided on; both counted up to 500. One pass for all filters.
 */
async function whyEmpty(db: Db, accountId: string, cells: number[], now: Date): Promise<Omit<EmptyDeck, 'isUsedUp'>> {
  const day = now.toISOString().slice(0, 10);
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
        ) t
      where v.account_id = ${accountId}::uuid and ${fitsBut({ viewerId: accountId, day })}
    ) looked where ${failed} = 1`.execute(db);
  const [counts] = rows;
  const perFilter = filterNames
    .map((filter) => ({ filter, removed: counts?.[filter] ?? 0 }))
    .filter(({ removed }) => removed > 0)
    .sort((one, other) => other.removed - one.removed);
  return { perFilter, decided: await countDecided(db, accountId, day) };
}

/** How many decided people could be shown again; an ended match isn't the viewer's decision alone. */
async function countDecided(db: Db, accountId: string, day: string): Promise<number> {
  const decided = sql`
    decision d join discovery_row v on v.account_id = d.viewer_id join discovery_row t on t.account_id = d.target_id
    where d.viewer_id = ${accountId}::uuid and d.kind <> 'unmatch' and ${meets({ viewerId: accountId, day })}`;
  return await countRows(db, decided, countedMost);
}

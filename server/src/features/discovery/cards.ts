import {
  cardsMax,
  type EmptyDeck,
  type getCards,
  type MatchReason,
  noPreferences,
  type ReasonKind,
} from '#contract/discovery.ts';
import type { AnswerInput, QueryOf } from '#contract/endpoint.ts';
import { bandScores, type CompatibilityAnswer } from '#contract/compatibility.ts';
import type { Deps } from '../../deps.ts';
import type { Db } from '#platform/db/db.ts';
import { addJob } from '#platform/jobs/jobs.ts';
import { type Caller, requireMember } from '#platform/session/caller.ts';
import type { PictureViews } from '#platform/session/pictures.ts';
import { compatibilityBand, toAnswers } from '../compatibility/public.ts';
import { likesLeft, remainingLikes } from '../connections/public.ts';
import { distanceKm, type Point, pointOf, shownDistance, toPublicUser } from '../profiles/public.ts';
import { type Page, type PageCard, type PeopleOnCards, type Person, readPage, whyEmpty } from './cards.reads.ts';
import { type DeckMaker, makeDeck } from './deck/deck.ts';
import { deckRules } from './deck/page.ts';
import { type PlacedRow, viewerOf } from './deck/people.reads.ts';
import { preferencesOf } from './preferences.ts';
import type { MarketStats, Viewer } from './score/people.ts';
import { type FoundReason, factsFor, reasonsFor, reasonsMax } from './score/reasons.ts';

/** The dependencies of serving cards. */
interface Cards {
  deps: Deps;
  maker: DeckMaker;
  people: PeopleOnCards;
}

type Answer = AnswerInput<typeof getCards>['data'];
type CardView = Answer['cards'][number];

/**
 * The next cards for the caller. Builds a deck if there is none. If no one is left, the answer says why. Returns no cards while the
 * caller's profile is paused, and 403 to staff.
 */
export async function cardsFor(
  served: Cards,
  caller: Caller,
  { limit = cardsMax, pictures }: QueryOf<typeof getCards>,
  now: Date,
): Promise<Answer> {
  requireMember(caller);
  const { db } = served.deps;
  if (caller.pausedAt !== null) return await answerWhilePaused(db, caller, now);
  const page = await nextPage(served, caller.accountId, limit, now);
  if (page === undefined) return await answerOutside(served, caller, now);
  const { cards: next, seen } = page;
  const shown = next?.filter(({ id }) => seen?.includes(id) ?? true) ?? [];
  const cards = await cardsShown(served, caller, { ...page, cards: shown }, now);
  const isUsedUp = next !== null && next.length > shown.length;
  return {
    cards: pictures === 'once' ? cards.map(withPicturesOnce) : cards,
    remainingLikes: likesLeft(caller, page.likesSent),
    order: page.order ?? noPreferences.order,
    empty: cards.length > 0 ? null : isUsedUp ? usedUp : await explainEmpty(served.maker, caller.accountId, page, now),
    isPaused: false,
  };
}

const nothingDealt: EmptyDeck = { perFilter: [], decided: 0, isUsedUp: false };
const usedUp: EmptyDeck = { ...nothingDealt, isUsedUp: true };

async function answerWhilePaused(db: Db, caller: Caller, now: Date): Promise<Answer> {
  const [left, { order }] = await Promise.all([remainingLikes(db, caller, now), preferencesOf(db, caller)]);
  return { cards: [], remainingLikes: left, order, empty: nothingDealt, isPaused: true };
}

/** The answer to a member without preferences, who has no row in discovery. */
async function answerOutside({ deps: { db }, maker }: Cards, caller: Caller, now: Date): Promise<Answer> {
  const left = await remainingLikes(db, caller, now);
  const empty = await explainEmpty(maker, caller.accountId, { latitude: null, longitude: null }, now);
  return { cards: [], remainingLikes: left, order: noPreferences.order, empty, isPaused: false };
}

async function nextPage(
  { deps: { db }, maker }: Cards,
  accountId: string,
  limit: number,
  now: Date,
): Promise<Page | undefined> {
  const read = () => readPage(db, accountId, { limit, lowWater: deckRules.lowWater, now });
  const page = await read();
  if (page === undefined) return undefined;
  if (page.deckMadeAt === null || page.cards === null) {
    await makeDeck(maker, accountId, now);
    return await read();
  }
  const isOld = now.getTime() - page.deckMadeAt.getTime() > deckRules.hours * 3_600_000;
  if (page.fitting < deckRules.lowWater || isOld)
    await addJob(db, 'discovery.refill', { accountId }, { jobKey: `deck:${accountId}`, maxAttempts: 2 });
  return page;
}

/** The cards as the viewer sees them now. The deck may be old, but the data on its cards must be current. */
async function cardsShown(
  { deps: { db, pictures }, maker, people }: Cards,
  caller: Caller,
  page: Page & { cards: PageCard[] },
  now: Date,
): Promise<CardView[]> {
  if (page.cards.length === 0) return [];
  const known = await people(db, page.cards, page.gender, now);
  const viewer = {
    caller,
    place: pointOf(page),
    stated: viewerOf(page, now),
    answers: toAnswers(page.answers ?? {}),
    market: await maker.marketStats(db),
    views: pictures,
    seesFacts: page.order !== 'newest',
  };
  let before: ReasonKind | undefined;
  return page.cards.flatMap((card) => {
    const person = known.get(card.id);
    if (person === undefined) return [];
    const view = toCard(viewer, card, person, now, before);
    before = view.reasons[0]?.kind;
    return [view];
  });
}

/** Lists each picture in `pictures` only. */
const withPicturesOnce = (card: CardView): CardView => ({ ...card, user: { ...card.user, more_pictures: [] } });

const cellsLookedAt = 400;

async function explainEmpty(maker: DeckMaker, accountId: string, place: PlacedRow, now: Date): Promise<EmptyDeck> {
  const cells = (await maker.cells(maker.db, pointOf(place), null)).slice(0, cellsLookedAt);
  return { ...(await whyEmpty(maker.db, accountId, cells, now)), isUsedUp: false };
}

/** The member who sees cards, and what the cards need to know about the viewer. */
interface CardViewer {
  caller: Caller;
  /** The place around which they search; with premium it can be another city. */
  place: Point | null;
  stated: Viewer;
  answers: CompatibilityAnswer[];
  market: MarketStats;
  views: PictureViews;
  /** Whether cards without a reason show a fact instead: not in an order that needs no reasons. */
  seesFacts: boolean;
}

/**
 * A card of the viewer's deck with the person's current data. Reasons that no longer hold are left out. `before` is the kind of the first
 * reason on the previous card, which a fact repeats only if there is no other.
 */
function toCard(viewer: CardViewer, card: PageCard, person: Person, now: Date, before?: ReasonKind): CardView {
  const [mine, theirs] = [viewer.place, person.place];
  const band = compatibilityBand(viewer.answers, person.answers);
  const { likesViewer, decisionsReceived, online, lastActive } = card;
  const km = mine === null || theirs === null ? null : distanceKm(mine, theirs);
  const candidate = { ...person.candidate, distanceKm: km, likesViewer, decisionsReceived, answers: band };
  const found = reasonsFor(viewer.stated, candidate, viewer.market, card.kept.isExploration);
  const reasons = stillTrue(card.kept.reasons, found);
  const shown = shownDistance(mine, theirs);
  const isBare = viewer.seesFacts && reasons.every(({ kind }) => kind === 'premium');
  const facts = isBare ? factsFor(viewer.stated, candidate, viewer.market, shown) : [];
  const fact = facts.find(({ kind }) => kind !== before) ?? facts[0];
  const profile = { ...person.profile, online, last_active_at: lastActive === null ? -Infinity : new Date(lastActive) };
  return {
    user: toPublicUser(profile, viewer.caller, now, viewer.views),
    ...shown,
    compatibilityScore: band === null ? null : bandScores[band],
    compatibilityBand: band,
    reasons: fact === undefined ? reasons : [fact, ...behind(fact, found), ...reasons],
  };
}

/** The reasons behind a fact that a card shows first, so that it differs from its neighbour. */
function behind(fact: MatchReason, found: FoundReason[]): MatchReason[] {
  const others = found.map(({ reason }) => reason).filter(({ kind }) => kind !== fact.kind && kind !== 'premium');
  return others.slice(0, reasonsMax - 1);
}

/** The current reasons of these kinds. */
function stillTrue(kinds: ReasonKind[], found: FoundReason[]): MatchReason[] {
  return kinds.flatMap((kind) => found.flatMap(({ reason }) => (reason.kind === kind ? [reason] : [])));
}

import {
  type CardView,
  cardsMax,
  type EmptyDeck,
  type getCards,
  noPreferences,
} from '#contract/discovery/discovery.ts';
import type { AnswerOf, QueryOf } from '#contract/endpoint.ts';
import type { Deps } from '../../deps.ts';
import { addJob } from '../../platform/jobs/jobs.ts';
import { type Caller, requireMember } from '../../platform/session/caller.ts';
import { bandsOfAnswers } from '../compatibility/public.ts';
import { likesLeft, remainingLikes } from '../connections/public.ts';
import { pointOf } from '../profiles/public.ts';
import { toCard } from './card.view.ts';
import { type Page, type PageCard, peopleOnCards, readPage } from './cards.reads.ts';
import { type DeckMaker, makeDeck } from './deck/deck.ts';
import { deckRules } from './deck/page.ts';
import { viewerOf, type ViewerRow, viewerRow } from './deck/people.reads.ts';
import { whyEmpty } from './empty-deck.reads.ts';
import { preferencesOf } from './preferences.ts';

/** What serving cards needs. */
export interface Cards {
  deps: Deps;
  maker: DeckMaker;
}

/**
 * The next cards for the caller. Builds a deck if there is none; if no one is left, says why. None while the caller's profile is paused.
 * 403 for staff.
 */
export async function cardsFor(
  { deps, maker }: Cards,
  caller: Caller,
  { limit = cardsMax, pictures }: QueryOf<typeof getCards>,
  now: Date,
): Promise<AnswerOf<typeof getCards>['data']> {
  requireMember(caller);
  if (caller.pausedAt !== null) return await answerWhilePaused(deps, caller, now);
  const page = await nextPage(deps, maker, caller.accountId, limit, now);
  const served = page?.cards ?? [];
  const seen = page?.seen;
  const shown = seen == null ? served : served.filter(({ id }) => seen.includes(id));
  const viewer = page === undefined ? undefined : await viewerRow(deps.db, caller.accountId);
  const cards = viewer === undefined ? [] : await cardsShown({ deps, maker }, caller, { viewer, cards: shown }, now);
  const isUsedUp = served.length > shown.length;
  return {
    cards: pictures === 'once' ? cards.map(withPicturesOnce) : cards,
    remainingLikes: page === undefined ? await remainingLikes(deps.db, caller, now) : likesLeft(caller, page.likesSent),
    order: viewer?.wanted_order ?? noPreferences.order,
    empty: cards.length === 0 ? await explainEmpty(maker, viewer, caller.accountId, isUsedUp, now) : null,
    isPaused: false,
  };
}

async function answerWhilePaused({ db }: Deps, caller: Caller, now: Date): Promise<AnswerOf<typeof getCards>['data']> {
  const [left, { order }] = await Promise.all([remainingLikes(db, caller, now), preferencesOf(db, caller)]);
  const empty = { perFilter: [], decided: 0, isUsedUp: false };
  return { cards: [], remainingLikes: left, order, empty, isPaused: true };
}

async function nextPage(
  { db }: Deps,
  maker: DeckMaker,
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

/** The cards as the viewer sees them now: a deck may be old, but the data on its cards must not be. */
async function cardsShown(
  { deps: { db, pictures }, maker }: Cards,
  caller: Caller,
  { viewer, cards }: { viewer: ViewerRow; cards: PageCard[] },
  now: Date,
): Promise<CardView[]> {
  if (cards.length === 0) return [];
  const ids = cards.map(({ id }) => id);
  const [people, bands, market] = await Promise.all([
    peopleOnCards(db, ids, viewer.gender),
    bandsOfAnswers(db, caller.accountId, ids, now),
    maker.marketStats(db),
  ]);
  const seenBy = { caller, place: pointOf(viewer), stated: viewerOf(viewer, now), bands, market, views: pictures };
  return cards.flatMap((card) => {
    const person = people.get(card.id);
    return person === undefined ? [] : [toCard(seenBy, card, person, now)];
  });
}

/** Lists each picture in `pictures` only. */
const withPicturesOnce = (card: CardView): CardView => ({ ...card, user: { ...card.user, more_pictures: [] } });

const cellsLookedAt = 400;

async function explainEmpty(
  maker: DeckMaker,
  viewer: ViewerRow | undefined,
  accountId: string,
  isUsedUp: boolean,
  now: Date,
): Promise<EmptyDeck> {
  if (isUsedUp) return { perFilter: [], decided: 0, isUsedUp };
  const centre = viewer === undefined ? null : pointOf(viewer);
  const cells = (await maker.cells(maker.db, centre, null)).slice(0, cellsLookedAt);
  return { ...(await whyEmpty(maker.db, accountId, cells, now)), isUsedUp };
}

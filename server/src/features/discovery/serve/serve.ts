import type { AnswerOf } from '#contract/endpoint.ts';
import { cardsMax, type getCards, noPreferences } from '#contract/discovery/discovery.ts';
import type { Caller } from '../../../platform/session/caller.ts';
import type { Deps } from '../../../deps.ts';
import { addJob } from '../../../platform/jobs/jobs.ts';
import { requireMember, remainingLikes } from '../../connections/public.ts';
import { noteSeen } from '../../profiles/public.ts';
import { cardViews } from './cards.reads.ts';
import { makeDeck, type DeckMaker } from '../deck/deck.ts';
import { whyEmpty } from './empty.reads.ts';
import { serveDeck, type Served } from './serving.reads.ts';
import { viewerRow, type ViewerRow } from '../deck/viewer.reads.ts';

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
  const anew = async () => {
    await makeDeck(maker, accountId, now);
    return await serveDeck(deps.db, accountId, limit, lowWater, now);
  };
  if (row.deck_made_at === null || row.deck_is_stale) return await anew();
  const served = await serveDeck(deps.db, accountId, limit, lowWater, now);
  if (served.cards.length === 0) return await anew();
  const isOld = now.getTime() - row.deck_made_at.getTime() > deckHours * 3_600_000;
  if (served.isRunningOut || isOld)
    await addJob(deps.db, 'discovery.refill', { accountId }, { jobKey: `deck:${accountId}`, maxAttempts: 2 });
  return served;
}

async function explain(maker: DeckMaker, row: ViewerRow | undefined, accountId: string, isUsedUp: boolean, now: Date) {
  if (isUsedUp) return { perFilter: [], decided: 0, isUsedUp };
  const centre =
    row?.latitude == null || row.longitude === null ? null : { latitude: row.latitude, longitude: row.longitude };
  const cells = (await maker.cells.around(maker.db, centre, null)).slice(0, cellsLookedAt);
  return { ...(await whyEmpty(maker.db, accountId, cells, now)), isUsedUp };
}

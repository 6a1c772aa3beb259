import {
  composeDeck,
  composePage,
  deckRules,
  expectedLike,
  pageRules,
} from '../../server/src/features/discovery/deck/page.ts';
import { type Candidates, dayOf, isLike, makeCandidates, prepare, type Table } from './candidates.ts';
import { changeExpected } from './knowledge.ts';
import { otherSide, type Side } from './members.ts';

/** The cards waiting for a member, in order. */
interface KeptDeck {
  entries: number[];
  /** The likes expected from each card; 0 once it is decided. */
  chances: number[];
  madeAt: number;
}

/** The decks of a season. */
interface Dealer {
  candidates: Candidates;
  rules: typeof pageRules;
  decks: readonly [Map<number, KeptDeck>, Map<number, KeptDeck>];
  /** The seed of the next page. */
  turn: number;
}

/** The time of day of the nightly job, in days. */
const nightlyAt = (4 + 11 / 60) / 24;

function expect({ candidates }: Dealer, side: Side, { entries, chances }: KeptDeck, sign: 1 | -1): void {
  const { market, knowledge, dealing } = candidates;
  if (!dealing.countsExpected) return;
  const others = knowledge[otherSide(side)];
  for (const [place, entry] of entries.entries()) {
    const change = chances[place] ?? 0;
    if (change !== 0) changeExpected(others, market.scene.pairs[side].ids[entry] ?? 0, sign * change);
  }
}

function makeDeck(dealer: Dealer, side: Side, viewer: number, now: number): KeptDeck {
  const { candidates, rules, decks } = dealer;
  const { meeting, deck, random } = candidates;
  const old = decks[side].get(viewer);
  if (old !== undefined) expect(dealer, side, old, -1);
  prepare(candidates, side, viewer, now);
  dealer.turn += deckRules.pages;
  const places = composeDeck(deck, dealer.turn, rules).flatMap((page, number) =>
    random.shuffled(page).map(({ index }) => ({ index, page: number })),
  );
  const made = {
    entries: places.map(({ index }) => meeting.entries[index] ?? 0),
    chances: places.map(({ index, page }) =>
      expectedLike(meeting.chance[index] ?? 0, meeting.likesViewer[index] === 1, page),
    ),
    madeAt: now,
  };
  decks[side].set(viewer, made);
  expect(dealer, side, made, 1);
  return made;
}

/** The deck at a time, unless the nightly job (at 04:11) has deleted it. */
function deckOf(dealer: Dealer, side: Side, viewer: number, now: number): KeptDeck | undefined {
  const found = dealer.decks[side].get(viewer);
  const lastNight = Math.floor(now - nightlyAt) + nightlyAt;
  if (found === undefined || found.madeAt >= lastNight - deckRules.keptDays) return found;
  expect(dealer, side, found, -1);
  dealer.decks[side].delete(viewer);
  return undefined;
}

/** The next page from a viewer's deck. A deck that is short or old is rebuilt afterwards. */
function dealKept(dealer: Dealer, side: Side, viewer: number, now: number): number[] {
  const { decisions } = dealer.candidates;
  const [own, theirs] = [decisions.own[side], decisions.theirs[side]];
  const day = Math.floor(now);
  const kept = deckOf(dealer, side, viewer, now);
  const { entries, madeAt } = kept ?? makeDeck(dealer, side, viewer, now);
  const fitting = entries.filter((entry) => {
    const decision = theirs[entry] ?? 0;
    return own[entry] === 0 && (decision === 0 || isLike(decision) || dayOf(decision) >= day);
  });
  const isOld = (now - madeAt) * 24 > deckRules.hours;
  if (kept !== undefined && (fitting.length < deckRules.lowWater || isOld)) makeDeck(dealer, side, viewer, now);
  return fitting.slice(0, pageRules.size);
}

/** A decided card is no longer an expected like. */
function forget({ candidates, decks }: Dealer, side: Side, viewer: number, entry: number): void {
  const kept = candidates.dealing.countsExpected ? decks[side].get(viewer) : undefined;
  const place = kept?.entries.indexOf(entry) ?? -1;
  if (kept === undefined || place < 0) return;
  const j = candidates.market.scene.pairs[side].ids[entry] ?? 0;
  changeExpected(candidates.knowledge[otherSide(side)], j, -(kept.chances[place] ?? 0));
  kept.chances[place] = 0;
}

/** Deals cards as the product does, or live; one per season. */
export function createDealer(table: Table) {
  const candidates = makeCandidates(table);
  const rules = table.dealing.explores ? pageRules : { ...pageRules, explorationSlots: 0 };
  const dealer: Dealer = { candidates, rules, decks: [new Map(), new Map()], turn: 0 };
  return {
    /** The next page for a viewer: entries of the side's pairs. */
    deal: (side: Side, viewer: number, now: number): number[] => {
      if (!table.dealing.isLive) return dealKept(dealer, side, viewer, now);
      prepare(candidates, side, viewer, now);
      dealer.turn += 1;
      const { deck, meeting } = candidates;
      return composePage(deck, dealer.turn, rules).map(({ index }) => meeting.entries[index] ?? 0);
    },
    forget: (side: Side, viewer: number, entry: number): void => forget(dealer, side, viewer, entry),
  };
}

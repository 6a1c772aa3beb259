import { composeDeck, composePage, deckRules, pageRules } from '../../server/src/features/discovery/deck/page.ts';
import { type Candidates, dayOf, isLike, makeCandidates, prepare, type Table } from './candidates.ts';
import type { Side } from './members.ts';

/** The cards waiting for a member, in order. */
interface KeptDeck {
  entries: number[];
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

function makeDeck(dealer: Dealer, side: Side, viewer: number, now: number): KeptDeck {
  const { candidates, rules, decks } = dealer;
  const { meeting, deck, random } = candidates;
  prepare(candidates, side, viewer, now);
  dealer.turn += deckRules.pages;
  const places = composeDeck(deck, dealer.turn, rules).flatMap((page) => random.shuffled(page));
  const made = { entries: places.map(({ index }) => meeting.entries[index] ?? 0), madeAt: now };
  decks[side].set(viewer, made);
  return made;
}

/** The deck at a time, unless the nightly job (at 04:11) has deleted it. */
function deckOf(dealer: Dealer, side: Side, viewer: number, now: number): KeptDeck | undefined {
  const found = dealer.decks[side].get(viewer);
  const lastNight = Math.floor(now - nightlyAt) + nightlyAt;
  if (found === undefined || found.madeAt >= lastNight - deckRules.keptDays) return found;
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
  };
}

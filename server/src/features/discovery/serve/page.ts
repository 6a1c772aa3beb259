import { explorable } from '../deck/exploration.ts';
import { offer, shortlist, type Deck } from '../deck/shortlist.ts';

/** The limits of a page. */
export const pageRules = { size: 20, likersMax: 8, explorationSlots: 2, vipsMax: 2 };
export type PageRules = typeof pageRules;

export type Slot = 'liker' | 'ranked' | 'exploration';

/** A place on a page: the index of a candidate. */
export interface Place {
  index: number;
  slot: Slot;
}

/** A deterministic number in [0, 1) from the seed and `turn` (murmur3's finalizer). */
function drawn(seed: number, turn: number): number {
  let mixed = (seed + Math.imul(turn + 1, 0x9e3779b1)) >>> 0;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return ((mixed ^ (mixed >>> 16)) >>> 0) / 2 ** 32;
}

/** Pending likers and all others by R, as many of each as a page can use, with and without premium. */
function bestOf(deck: Deck, { size, likersMax, vipsMax }: PageRules): { likers: number[]; others: number[] } {
  const [likers, likersVip] = [shortlist(likersMax), shortlist(vipsMax)];
  const [others, othersVip] = [shortlist(size), shortlist(vipsMax)];
  for (let index = 0; index < deck.count; index += 1) {
    const rank = deck.rank[index] ?? 0;
    const isVip = deck.isVip[index] === 1;
    if (deck.likesViewer[index] === 1) offer(isVip ? likersVip : likers, index, rank);
    else offer(isVip ? othersVip : others, index, rank);
  }
  return {
    likers: byRank(deck, [...likers.indexes, ...likersVip.indexes]),
    others: byRank(deck, [...others.indexes, ...othersVip.indexes]),
  };
}

function byRank(deck: Deck, indexes: number[]): number[] {
  return indexes.sort((one, other) => (deck.rank[other] ?? 0) - (deck.rank[one] ?? 0));
}

/**
 * A page, deterministic for a deck and seed: at most 8 pending likers, 2 exploration slots at seeded positions, the rest by R, and at
 * most 2 members with premium among the 20. Shorter if the deck is short; leftover candidates wait for the next page.
 */
export function composePage(deck: Deck, seed: number, rules: PageRules = pageRules): Place[] {
  const best = bestOf(deck, rules);
  const taken = new Set<number>();
  let vips = 0;
  const take = (from: number[], most: number): number[] => {
    const picked: number[] = [];
    for (const index of from) {
      if (picked.length >= most) break;
      const isVip = deck.isVip[index] === 1;
      if (taken.has(index) || (isVip && vips === rules.vipsMax)) continue;
      if (isVip) vips += 1;
      taken.add(index);
      picked.push(index);
    }
    return picked;
  };
  const likers = take(best.likers, rules.likersMax);
  const free = rules.size - likers.length;
  const ranked = take(best.others, free - rules.explorationSlots);
  const slots = Math.min(rules.explorationSlots, free - ranked.length);
  const exploring = slots === 0 ? [] : take(explorable(deck, slots, taken), slots);
  const filling = take(best.others, free - ranked.length - exploring.length);
  const isLiker = new Set(likers);
  const places = byRank(deck, [...likers, ...ranked, ...filling]).map((index): Place => {
    return { index, slot: isLiker.has(index) ? 'liker' : 'ranked' };
  });
  for (const [turn, index] of exploring.entries()) {
    places.splice(Math.floor(drawn(seed, turn) * (places.length + 1)), 0, { index, slot: 'exploration' });
  }
  return places;
}

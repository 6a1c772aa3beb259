import { seasonWeeks } from './market.ts';

/** How large an evaluation is. */
export interface Form {
  perSide: number;
  weeks: number;
  firstSeed: number;
  seeds: number;
  cards: number;
  reasonCards: number;
}

/** What the gates are judged by. */
export const fullForm: Form = {
  perSide: 3_000,
  weeks: seasonWeeks,
  firstSeed: 0,
  seeds: 3,
  cards: 10_000,
  reasonCards: 1_000,
};

/**
 * What runs with the tests. After four weeks members of so small a market have decided about most of whom they may meet, and
 * every order comes to the same; two weeks leave them a choice.
 */
export const smallForm: Form = {
  perSide: 1_200,
  weeks: 2,
  firstSeed: 1,
  seeds: 1,
  cards: 10_000,
  reasonCards: 1_000,
};

import { seasonWeeks } from './members.ts';
import { truthNames, type TruthName } from './truths.ts';

/** How large an evaluation is. */
export interface Form {
  perSide: number;
  weeks: number;
  truths: readonly TruthName[];
  firstSeed: number;
  seeds: number;
  cards: number;
  reasonCards: number;
}

/** The form that the gates are judged by. */
export const fullForm: Form = {
  perSide: 3_000,
  weeks: seasonWeeks,
  truths: truthNames,
  firstSeed: 0,
  seeds: 5,
  cards: 10_000,
  reasonCards: 1_000,
};

/**
 * The form that runs with the tests. After four weeks members of such a small market have decided about most candidates, and
 * every order gives the same result; two weeks leave a difference.
 */
export const smallForm: Form = {
  perSide: 1_200,
  weeks: 2,
  truths: ['formula', 'homophily'],
  firstSeed: 1,
  seeds: 1,
  cards: 10_000,
  reasonCards: 1_000,
};

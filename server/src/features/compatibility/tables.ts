import type { ColumnType } from 'kysely';
import type { Importance } from '#contract/compatibility/compatibility.ts';

/** A member's answer to one question. */
export type KeptAnswer = [answer: string, accepted: string[], importance: Importance];
/** A member's answers by question id; null where one was deleted. */
export type KeptAnswers = Record<string, KeptAnswer | null>;

declare module '../../platform/db/schema.ts' {
  interface Database {
    answer_sheet: {
      account_id: string;
      answers: ColumnType<KeptAnswers, string, string>;
      updated_at: Moment;
      /** The answers that count until the day after `counted_on`. */
      counted: ColumnType<KeptAnswers, string | undefined, string>;
      counted_on: ColumnType<Date | string, string | undefined, string>;
      /** Changes to answers that counted, since the first of them; the next one seven days later begins at 1 again. */
      changes: ColumnType<number, number | undefined, number>;
      changes_since: ColumnType<Date | null, Date | null | undefined, Date | null>;
    };
  }
}

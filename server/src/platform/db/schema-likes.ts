import type { ColumnType, Generated } from 'kysely';

type Moment = ColumnType<Date, Date | string, Date | string>;

export interface DecisionTable {
  viewer_id: string;
  target_id: string;
  kind: 'like' | 'pass' | 'unmatch';
  decided_at: Moment;
  note: string | null;
  /** The picture by the name others know it by. */
  liked_picture: string | null;
  liked_prompt: string | null;
  is_pending: boolean;
}

/** What members decide about each other. */
export interface LikeTables {
  decision: DecisionTable;
  match: { id: Generated<string>; low_id: string; high_id: string; matched_at: Moment };
  like_count: {
    account_id: string;
    sent_on: Generated<string>;
    sent: Generated<number>;
    undone_at: ColumnType<Date | number, Date | string | undefined, Date | string>;
  };
}

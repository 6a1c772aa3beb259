import type { ColumnType, Generated, GeneratedAlways } from 'kysely';
import type { MaybeMoment, Moment } from '#platform/db/schema.ts';

export interface DecisionTable {
  viewer_id: string;
  target_id: string;
  /**
   * A like of a held account is `held`, and `dropped` once it can never be delivered; one of a member who is hidden from the target by a
   * known address is `dropped` from the start. Only its sender sees either: what others see asks for `like`.
   */
  kind: 'like' | 'pass' | 'unmatch' | 'held' | 'dropped';
  decided_at: Moment;
  /** When it arrived, if that was later: the time that the other person sees. */
  delivered_at: MaybeMoment;
  note: string | null;
  /** The picture's public id, as other members know it. */
  /** Whether the note of a delivered like is kept from the other person. */
  is_note_held: Generated<boolean>;
  liked_picture: string | null;
  liked_prompt: string | null;
  is_pending: boolean;
  /** The hold under which a held like or note was sent; null for a dropped one that can never be delivered. */
  hold_id: Generated<string | null>;
}

declare module '#platform/db/schema.ts' {
  interface Database {
    decision: DecisionTable;
    match: { id: Generated<string>; low_id: string; high_id: string; matched_at: Moment };
    // Decisions that discovery still has to learn from.
    training_event: {
      id: GeneratedAlways<string>;
      viewer_id: string;
      target_id: string;
      liked: boolean;
      decided_at: Moment;
    };
    like_count: {
      account_id: string;
      sent_on: Generated<string>;
      sent: Generated<number>;
      undone_at: ColumnType<Date | number, Date | string | undefined, Date | string>;
    };

    block: {
      blocker_id: string;
      blocked_id: string;
      created_at: Moment;
      /** False for blocks made by an unmatch or a report. They don't appear in the member's list of blocks. */
      is_listed: Generated<boolean>;
      by_unmatch: Generated<boolean>;
      /**
       * The known address that demands it, and whether that is the only reason. A block for that reason only hides the blocker from the
       * blocked person, but not the other way round.
       */
      by_address: Buffer | null;
      is_by_address_only: Generated<boolean>;
    };
    /** Addresses of people that members don't want to meet here. */
    known_address: { account_id: string; address_hash: Buffer; added_at: Moment };
    hiding_due: { account_id: string; knower_id: string | null; due_since: Moment };
    known_address_count: { account_id: string; added_on: string; added: number };
    bookmark: { account_id: string; target_id: string; created_at: Moment };
  }
}

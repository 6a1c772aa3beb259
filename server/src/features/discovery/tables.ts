import type { ColumnType, Generated } from 'kysely';
import type { Moment } from '#platform/db/schema.ts';
import type { Preferences, ReasonKind } from '#contract/discovery.ts';
import type { SavedFilter } from '#contract/saved-filters.ts';

/** A member's stored preferences. Another city is stored with the place cell it lies in. */
export type KeptPreferences = Partial<Omit<Preferences, 'seeking' | 'isPaused' | 'incognito' | 'elsewhere'>> & {
  elsewhere?: { city: string; country: string; latitude: number; longitude: number } | null;
};

/** What a deck stores about a card besides its member. */
export interface KeptCard {
  /** The reasons, strongest first. Those that are no longer true when the card is served are left out. */
  reasons: ReasonKind[];
  isExploration: boolean;
  /** Whether it has one of the places reserved for people who like the viewer and for decoys; missing in decks of earlier releases. */
  isApart?: boolean;
}

/** The figures of matching for one segment in one week; an empty gender or age means all. */
export interface MatchingWeekTable {
  week: string;
  gender: string;
  age: string;
  members: number;
  matched: number;
  gini: number;
  likes: number;
  likes_unread: number;
  newcomers: number;
  newcomers_matched: number;
  first_messages: number;
  replied: number;
  matches: number;
  conversations: number;
  counted_at: Moment;
}

declare module '#platform/db/schema.ts' {
  interface Database {
    // Triggers write `discovery_row`, except for its learned values.
    discovery_row: {
      account_id: string;
      cell: number;
      bucket: Generated<number>;
      pending: Generated<number>;
      decisions_received: Generated<number>;
      impressions: Generated<number>;
      cards_decided: Generated<number>;
      is_newcomer: Generated<boolean>;
      visible: boolean;
    };
    standing: {
      account_id: string;
      gender: number;
      appeal: number;
      appeal_weight: number;
      selectivity: number;
      selectivity_weight: number;
      warmth: Generated<number>;
      warmth_weight: Generated<number>;
      warmth_at: Moment | null;
      learned_at: Moment;
    };
    segment_base: { segment: string; shown: number; liked: number };
    matching_week: MatchingWeekTable;
    interest_share: { interest: string; share: number };
    deck: {
      viewer_id: string;
      targets: string[];
      cards: ColumnType<KeptCard[], string, string>;
      made_at: Moment;
      changes: Generated<number>;
      made_for: Generated<number>;
    };
    saved_filters: { account_id: string; filters: ColumnType<SavedFilter[], string, string> };
    preference: {
      account_id: string;
      wishes: ColumnType<KeptPreferences, string, string>;
      updated_at: Moment;
    };
  }
}

import type { ColumnType, Generated } from 'kysely';
import type { Moment } from '../../platform/db/schema.ts';
import type { Preferences, ReasonKind } from '#contract/discovery/discovery.ts';

/** A member's stored preferences; another city with the place cell it lies in. */
export type KeptPreferences = Partial<Omit<Preferences, 'seeking' | 'isPaused' | 'incognito' | 'elsewhere'>> & {
  elsewhere?: { city: string; country: string; latitude: number; longitude: number } | null;
};

/** What a deck stores of a card besides its member. */
export interface KeptCard {
  /** The reasons, strongest first; those no longer true when the card is served are left out. */
  reasons: ReasonKind[];
  isExploration: boolean;
  /** It has one of the places kept for people who like the viewer and for decoys; missing in decks of earlier releases. */
  isApart?: boolean;
  /** How likely it was that the card was dealt, in thousandths; null or missing if it isn't known. */
  chance?: number | null;
}

/** How matching did in a week, in a segment: an empty gender or age means all. */
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

/** A candidate of a deck whose candidates are logged. */
export interface DeckLogTable {
  viewer_id: string;
  person_id: string;
  dealt_at: Moment;
  likes_viewer: boolean;
  is_decoy: boolean;
  chance_there: number;
  chance_back: number;
  /** What R adds to the logarithms of both chances: inbox and premium. And what preferences add to R. */
  rest: number;
  bonus: number;
  /** In the deck, from 1; null for those left out. */
  place: number | null;
  /** In thousandths; null for those left out and in exploration places. */
  dealt_chance: number | null;
}

declare module '../../platform/db/schema.ts' {
  interface Database {
    // The tables of discovery. Triggers write `discovery_row`, except for its learned values.
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
    deck_log: DeckLogTable;
    /** Matches per 100 cards by formula; null if the log has too little. */
    matching_estimate: {
      formula: string;
      decks: number;
      matches: number | null;
      low: number | null;
      high: number | null;
      estimated_at: Moment;
    };
    interest_share: { interest: string; share: number };
    deck: {
      viewer_id: string;
      targets: string[];
      cards: ColumnType<KeptCard[], string, string>;
      made_at: Moment;
      changes: Generated<number>;
      made_for: Generated<number>;
      /** Of each target, the likes expected from the card, in thousandths. */
      expected: Generated<number[]>;
      /** What it was ranked with; null in decks of earlier releases. */
      formula: string | null;
    };
    /** Likes expected from cards that are dealt and undecided, in thousandths. */
    exposure: { member_id: string; expected: number };
    /** Below what exposure the tenth of a segment (gender as a bit) is that has the least. */
    least_exposed: { gender: number; age_band: number; expected: number };
    preference: {
      account_id: string;
      wishes: ColumnType<KeptPreferences, string, string>;
      updated_at: Moment;
    };
  }
}

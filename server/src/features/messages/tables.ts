import type { Generated, GeneratedAlways } from 'kysely';
import type { Caution, MeetingAnswer, ReactionEmoji } from '#contract/messages.ts';

/** One of the media of a message, as its two people see it. The file itself is a row of its own. */
export interface StoredMedia {
  /** The public id of the file. */
  id: string;
  kind: 'picture' | 'voice';
}

/** What a message has besides its text. */
interface MessageParts {
  /** Null if it never had any, or none is left. */
  media: StoredMedia[] | null;
  /** The `seq` of the message that it answers; for a held message of its sender, that one's `n` with a minus. */
  reply_to: number | null;
}

declare module '../../platform/db/schema.ts' {
  interface Database {
    conversation: {
      id: string;
      low_id: string;
      high_id: string;
      began_at: Moment;
      ended_at: MaybeMoment;
      last_seq: Generated<number>;
      last_at: Moment;
      low_read: Generated<number>;
      high_read: Generated<number>;
      low_sent: Generated<number>;
      high_sent: Generated<number>;
      /** How many messages of each side in `held_message` precede the delivered ones for that side. */
      low_held: Generated<number>;
      low_held_read: Generated<number>;
      high_held_read: Generated<number>;
      high_held: Generated<number>;
      /** Until when each side has set it aside. */
      low_snoozed_until: MaybeMoment;
      high_snoozed_until: MaybeMoment;
      opened_by: string | null;
      is_answered: Generated<boolean>;
      /** Whether discovery has learned from the outcome of the match. */
      is_outcome_learned: Generated<boolean>;
    };
    message: MessageParts & {
      conversation_id: string;
      seq: number;
      sender_id: string;
      client_id: string;
      body: string | null;
      sent_at: Moment;
      edited_at: MaybeMoment;
      deleted_at: MaybeMoment;
      /** When a decision hid it from everyone but its sender. */
      removed_at: MaybeMoment;
      read_at: MaybeMoment;
      /** True if one of the two hid their activity at that time, so that its sender never sees the time. */
      is_read_hidden: boolean | null;
      caution: Caution | null;
    };
    /** First messages of a held account, which only their sender sees. */
    held_message: MessageParts & {
      conversation_id: string;
      sender_id: string;
      n: number;
      client_id: string;
      body: string | null;
      sent_at: Moment;
      edited_at: MaybeMoment;
      deleted_at: MaybeMoment;
      is_dropped: Generated<boolean>;
    };
    message_trace: {
      conversation_id: string;
      seq: number;
      id: GeneratedAlways<string>;
      replaced_at: Moment;
      body: string;
    };
    message_reaction: {
      conversation_id: string;
      seq: number;
      account_id: string;
      emoji: ReactionEmoji;
      reacted_at: Moment;
    };
    /** A conversation that ended with a goodbye, and who may still read it. */
    goodbye: { conversation_id: string; reader_id: string; said_at: Moment };
    /** A member's answer to whether they met a match. */
    meeting_answer: {
      conversation_id: string;
      account_id: string;
      answer: MeetingAnswer;
      meet_again: boolean | null;
      first_answered_at: Moment;
      answered_at: Moment;
      /** Whether discovery has learned from it. */
      is_learned: Generated<boolean>;
    };
    reply_count: { account_id: string; received: number; answered: number };
    first_message_count: { account_id: string; sent_on: string; sent: number };
  }
}

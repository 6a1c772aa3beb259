import type { Generated, GeneratedAlways } from 'kysely';
import type { MessageMediaKind } from '#contract/message-parts.ts';
import type { Caution, MeetingAnswer, ReactionEmoji } from '#contract/messages.ts';

interface StoredFile {
  /** The public id of the file. */
  id: string;
  /** Where its bytes are. */
  key: string;
  /** A check removed it: neither of the two sees it. */
  isRemoved?: boolean;
}

/** A photo of a message, as its two people see it. Its file is a row of `message_media`. */
export interface StoredPhoto extends StoredFile {
  kind: 'picture';
  width: number;
  height: number;
  placeholder: string;
  /** The receiver can open it once. */
  isOnce?: boolean;
  isOpened?: boolean;
  /** It was opened while one of the two hid their activity, so that its sender never learns of it. */
  isOpenHidden?: boolean;
  /** It is one of the first photos that its sender sent in the conversation. */
  isAmongFirst?: boolean;
  /** A check found a reason to be careful. */
  isCovered?: boolean;
  /** The check has not answered yet. */
  isUnchecked?: boolean;
}

/** A voice note of a message. */
export interface StoredVoice extends StoredFile {
  kind: 'voice';
  durationMs: number;
  peaks: number[];
}

/** One of the media of a message. */
export type StoredMedia = StoredPhoto | StoredVoice;

/** What a message has besides its text. */
interface MessageParts {
  /** Null if it never had any, or none is left. */
  media: StoredMedia[] | null;
  /** The `seq` of the message that it answers; for a held message of its sender, that one's `n` with a minus. */
  reply_to: number | null;
}

declare module '#platform/db/schema.ts' {
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
      /** The `seq` of each side's delivered messages that keep their place among the held ones for that side, ascending. */
      low_moved: Generated<number[] | null>;
      high_moved: Generated<number[] | null>;
      /** When something last happened for each side, while that differs from `last_at`. */
      low_last_at: MaybeMoment;
      high_last_at: MaybeMoment;
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
      /** The place and time of a message that was held, for its sender; null for all others. */
      own_seq: Generated<number | null>;
      own_sent_at: MaybeMoment;
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
      /** The hold under which it was sent; null for a dropped one that can never be delivered. */
      hold_id: Generated<string | null>;
    };
    /** The files of messages; `message.media` repeats what the two people see. */
    message_media: {
      id: string;
      account_id: string;
      conversation_id: string;
      kind: MessageMediaKind;
      object_key: string;
      size: number;
      width: Generated<number | null>;
      height: Generated<number | null>;
      placeholder: Generated<string | null>;
      dhash: Generated<string | null>;
      duration_ms: Generated<number | null>;
      peaks: Generated<number[] | null>;
      sha256: Buffer;
      labels: Generated<string[]>;
      is_once: Generated<boolean>;
      uploaded_at: Moment;
      /** Null until a message has it. */
      sent_at: MaybeMoment;
      /** The number of its message; null as well while that is held. */
      seq: Generated<number | null>;
      opened_at: MaybeMoment;
      /** From then on only a report keeps it, for some days. */
      withdrawn_at: MaybeMoment;
      /** Null once the automatic check has looked at it. */
      check_due_since: MaybeMoment;
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
    /** A conversation that ended with a goodbye, who may still read it, and the name of the other person at that time. */
    goodbye: { conversation_id: string; reader_id: string; said_at: Moment; first_name: string | null };
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

import * as z from 'zod/mini';
import { timeSchema } from '../text.ts';

/** Why an account is held: its case is critical, it has a strong link to a banned person, or an automatic rule found it. */
export const holdCauses = ['critical_case', 'ban_trace', 'rule'] as const;
export type HoldCause = (typeof holdCauses)[number];

/** How a hold ended: delivered after a person's decision, never delivered, or delivered because no one decided in time. */
export const holdOutcomes = ['released', 'dropped', 'expired'] as const;
export type HoldOutcome = (typeof holdOutcomes)[number];

/**
 * A hold without a decision ends by itself at a random minute, so that its end doesn't reveal when it began. After the maximum, everything
 * is delivered.
 */
export const holdHoursLeast = 48;
export const holdHours = 72;

/** How soon after its end everything that a hold withheld is delivered, each like and conversation at a random time. */
export const holdReleaseHours = 2;

/** How many of the withheld texts are shown: the most frequent ones. */
export const heldTextsShown = 5;

/** Since when and why an account's likes, notes and first messages are held back. */
export const holdSchema = z.object({ since: timeSchema, endsAt: timeSchema, cause: z.enum(holdCauses) });
export type Hold = z.output<typeof holdSchema>;

/** What a hold withholds from others. */
export const heldBackSchema = z.object({
  likes: z.int(),
  messages: z.int(),
  /** How many people would receive it. */
  receivers: z.int(),
  /** The most frequent notes and messages; null for staff who may not see evidence. */
  texts: z.nullable(z.array(z.object({ text: z.string(), count: z.int() }))),
});
export type HeldBack = z.output<typeof heldBackSchema>;

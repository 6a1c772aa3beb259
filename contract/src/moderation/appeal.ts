import * as z from 'zod/mini';
import { timeSchema } from '../text.ts';

/** Where an appeal is: the first two are open, the others final. */
export const appealStates = [
  'submitted',
  'under_review',
  'upheld',
  'overturned',
  'partly_overturned',
  'inadmissible',
  'withdrawn',
] as const;
export type AppealState = (typeof appealStates)[number];

/** How a review ends. */
export const appealOutcomes = ['upheld', 'overturned', 'partly_overturned', 'inadmissible'] as const;
export type AppealOutcome = (typeof appealOutcomes)[number];

/** Who appeals: the person a decision acts on, or someone whose report was not acted on. */
export const appealParties = ['person', 'reporter'] as const;
export type AppealParty = (typeof appealParties)[number];

/** How long people may appeal, and how long a review takes at most. */
export const appealDays = 183;
export const appealReviewDays = 7;
export const appealTextMax = 3000;
/** The reasons of a review need at least this many characters. */
export const appealReasonsMin = 40;
export const appealReasonsMax = 3000;

/** Whether nothing has been decided about an appeal. */
export function isOpenAppeal(state: AppealState): boolean {
  return state === 'submitted' || state === 'under_review';
}

/** An appeal as its author sees it. */
export const ownAppealSchema = z.object({
  _id: z.string(),
  state: z.enum(appealStates),
  text: z.string(),
  at: timeSchema,
  /** When it is decided at the latest. */
  dueAt: timeSchema,
  /** The reasons of the review; null until then. */
  answer: z.nullable(z.string()),
  answeredAt: z.nullable(timeSchema),
});

/** Whether the viewer may appeal a decision, until when, and their newest appeal. */
export const appealRightSchema = z.object({
  decisionId: z.string(),
  until: timeSchema,
  mayAppeal: z.boolean(),
  appeal: z.nullable(ownAppealSchema),
});

export type OwnAppeal = z.output<typeof ownAppealSchema>;
export type AppealRight = z.output<typeof appealRightSchema>;

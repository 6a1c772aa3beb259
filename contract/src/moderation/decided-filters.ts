import * as z from 'zod/mini';
import { dayFilter, type FilterValues, namesOf, type Ranges, yesOrNoFilter } from '../filters.ts';
import { idSchema, skippedWhenEmpty, text, timeSchema } from '../text.ts';
import { appealStates, decisionOutcomes, decisionSources, sanctionKinds } from './decisions.ts';

/** The lists of closed cases, which are searched by their decisions. */
export const decidedCaseViews = ['appealed', 'decided'] as const;

/** The outcomes that closed cases can be searched by; `quick` is one click without reasons. */
export const decidedOutcomes = [...decisionOutcomes, 'quick'] as const;

/** The outcomes of an appeal that reversed a decision, at least in part. */
export const overturningStates = ['overturned', 'partly_overturned'] as const;

const clauseMax = 20;

/** The filters of closed cases. One decision must match all of them. Days are in UTC, and ranges include both ends. */
export const decidedFilters = {
  /** The id of the person the case is about. */
  person: skippedWhenEmpty(idSchema),
  /** The clause of a rule, in any of its versions. */
  rule: skippedWhenEmpty(text(1, clauseMax)),
  outcome: skippedWhenEmpty(z.enum(decidedOutcomes)),
  /** The id of the colleague who decided. */
  decider: skippedWhenEmpty(idSchema),
  decidedFrom: dayFilter,
  decidedTo: dayFilter,
  source: skippedWhenEmpty(z.enum(decisionSources)),
  appealed: yesOrNoFilter,
  /** An appeal reversed it, at least in part. */
  overturned: yesOrNoFilter,
};
export const decidedFilterNames = namesOf(decidedFilters);
export type DecidedFilters = FilterValues<typeof decidedFilters>;
export const decidedRanges: Ranges<keyof DecidedFilters> = [['decidedFrom', 'decidedTo']];

/** A decision as a line in the list of closed cases. */
export const decidedLineSchema = z.object({
  _id: z.string(),
  at: timeSchema,
  /** Null for one click without reasons. */
  outcome: z.nullable(z.enum(decisionOutcomes)),
  /** The version of the rule that the decision was based on. */
  rule: z.nullable(z.object({ clause: z.string(), version: z.int(), title: z.string() })),
  source: z.enum(decisionSources),
  by: z.object({ _id: z.string(), name: z.string() }),
  sanctions: z.array(z.enum(sanctionKinds)),
  /** The state of the newest appeal against it. */
  appeal: z.nullable(z.enum(appealStates)),
});
export type DecidedLine = z.output<typeof decidedLineSchema>;

import * as z from 'zod/mini';
import { reasonMaxLength } from '../constants.ts';
import { answer, endpoint } from '../endpoint.ts';
import { skippedWhenEmpty, trimmedText } from '../text.ts';
import { decidedCaseViews, decidedFilters } from './decided-filters.ts';

export const exportDecidedCases = endpoint({
  method: 'GET',
  path: '/admin/cases/export',
  summary:
    'Export the closed cases that a search finds as CSV, streamed, without the names of members. Needs a reason; audited, at the end with the rows and the hash of the file.',
  access: 'cases.lead',
  limit: 'export',
  query: z.object({
    view: skippedWhenEmpty(z.enum(decidedCaseViews)),
    ...decidedFilters,
    reason: trimmedText(1, reasonMaxLength),
  }),
  streams: 'text/csv; charset=utf-8',
});

/**
 * How many months the decision figures cover, including the current one, and the number of decisions from which a group has shares and an
 * average.
 */
export const decisionMonths = 12;
export const decisionSharesFrom = 10;

const countedShape = {
  decided: z.int(),
  /** Null for groups that are too small or about a single colleague. This also applies to the next two fields. */
  appealed: z.nullable(z.int()),
  overturned: z.nullable(z.int()),
  /** How long the decisions took on average, without pauses. */
  averageMs: z.nullable(z.int()),
};
const countedSchema = z.object(countedShape);
const seriesShape = { total: countedSchema, months: z.array(z.object({ month: z.string(), ...countedShape })) };
const deciderSchema = z.object({ _id: z.string(), name: z.string(), isOwn: z.boolean(), ...countedShape });

export type CountedDecisions = z.output<typeof countedSchema>;
export type Decider = z.output<typeof deciderSchema>;

export const getDecisionFigures = endpoint({
  method: 'GET',
  path: '/admin/decision-figures',
  summary:
    'Count the decisions with reasons of the last 12 months (UTC): in all, by rule and by month, without those of cases to which the caller is a party. Colleagues by name are for senior moderators and administrators; others get their own line, and no shares or times that say something about a single colleague.',
  access: 'cases.list',
  response: answer({
    data: z.object({
      all: z.object(seriesShape),
      /** By clause; null for decisions that named no rule. */
      rules: z.array(
        z.object({ rule: z.nullable(z.object({ clause: z.string(), title: z.string() })), ...seriesShape }),
      ),
      people: z.array(deciderSchema),
    }),
  }),
});
export type DecisionFigures = z.output<(typeof getDecisionFigures)['response']>['data'];

import * as z from 'zod/mini';
import { staffLimitMax } from '../constants.ts';
import { answer, endpoint } from '../endpoint.ts';
import { caseIdsMax, caseLineSchema } from './cases.ts';
import { decidedFilters, decidedLineSchema } from './decided-filters.ts';
import { reportPriorities, reportTypes } from './reports.ts';
import { savedViewFields } from './saved-views.ts';
import { idSchema, queryInteger, skippedWhenEmpty, text, uuidSchema, wordList } from '../text.ts';

/** The lists of open cases, which can be filtered, sorted and saved. */
export const openCaseViews = [
  'open',
  'mine',
  'unclaimed',
  'due_soon',
  'breached',
  'escalated',
  'waiting',
  'held',
] as const;
/** All lists of the case queue. */
export const caseViews = [...openCaseViews, 'appealed', 'decided'] as const;
export type CaseView = (typeof caseViews)[number];

/** Overdue cases and appeals are counted up to this number, the other lists up to 100. */
export const lateCountMost = 1000;

/** Cases with less time left than this, in hours, are due soon. */
export const dueSoonHours = 4;

/** The sort orders of open cases: by time left, or by when they were opened. */
export const caseOrders = ['due', 'newest', 'oldest'] as const;
export type CaseOrder = (typeof caseOrders)[number];

/** Which open cases a list contains, and in which order. */
export const caseFiltersSchema = z.object({
  list: z.enum(openCaseViews),
  /** Cases with any of these priorities. */
  priority: z.optional(z.array(z.enum(reportPriorities))),
  /** Cases with an open report of any of these types. */
  type: z.optional(z.array(z.enum(reportTypes))),
  order: z.enum(caseOrders),
});

/** One or more different words. A single word outside a list is accepted, because lists used to be saved in that form. */
function oneOrMore<T extends string>(words: readonly T[]) {
  return z.optional(
    z.union([
      z.array(z.enum(words)).check(
        z.minLength(1),
        z.maxLength(words.length),
        z.refine((given) => new Set(given).size === given.length, 'Name each once'),
      ),
      z.pipe(
        z.enum(words),
        z.transform((word: T) => [word]),
      ),
    ]),
  );
}

/** The filters of a list as sent now, or as saved by an earlier release. */
export const givenCaseFiltersSchema = z.extend(caseFiltersSchema, {
  priority: oneOrMore(reportPriorities),
  type: oneOrMore(reportTypes),
});

/** A saved list of cases. */
export const savedCaseViewSchema = z.object({
  ...savedViewFields,
  filters: caseFiltersSchema,
  /** How many cases the list has, counted up to 100. */
  count: z.int(),
  /** The count covers only the most urgent open cases, so there may be more. */
  isAtLeast: z.boolean(),
});
export type CaseFilters = z.output<typeof caseFiltersSchema>;
export type SavedCaseView = z.output<typeof savedCaseViewSchema>;

/** A case in a list. In lists of closed cases it comes with its newest decision, or the newest one that matches the search. */
const listedCaseSchema = z.extend(caseLineSchema, { decision: z.optional(z.nullable(decidedLineSchema)) });
export type ListedCase = z.output<typeof listedCaseSchema>;

export const listCases = endpoint({
  method: 'GET',
  path: '/admin/cases',
  summary:
    'List cases for staff, the least time left first (decided ones newest first), with the size of each list, counted up to 100, of the overdue ones up to 1,000. `view` is a list or the id of a saved one, whose filters then apply. Lists of open cases take an order and filters, of which `priority` and `type` may name several, separated by commas. The lists of closed cases are searched by their decisions, however they went on: each case then has its newest decision that fits, and the newest come first. `ids` asks for the named cases instead, in whatever stage.',
  access: 'cases.list',
  query: z.object({
    view: skippedWhenEmpty(z.union([z.enum(caseViews), uuidSchema], 'Use a list or the id of a saved one')),
    priority: skippedWhenEmpty(wordList(z.enum(reportPriorities), reportPriorities.length)),
    type: skippedWhenEmpty(wordList(z.enum(reportTypes), reportTypes.length)),
    order: skippedWhenEmpty(z.enum(caseOrders)),
    ...decidedFilters,
    /** Up to 50 case ids, separated by commas, instead of a named list. */
    ids: skippedWhenEmpty(wordList(idSchema, caseIdsMax)),
    cursor: z.optional(text(1, 200)),
    limit: z.optional(queryInteger(1, staffLimitMax)),
  }),
  response: answer({
    data: z.object({
      cases: z.array(listedCaseSchema),
      counts: z.record(z.enum(caseViews), z.int()),
      /** How many appeals are overdue, counted up to 1,000. */
      lateAppeals: z.int(),
      nextCursor: z.nullable(z.string()),
      /** Whether at least two people may review appeals, because no one may review their own decision. */
      hasSecondReviewer: z.boolean(),
    }),
  }),
  errors: ['NOT_FOUND'],
});

export const listCaseViews = endpoint({
  method: 'GET',
  path: '/admin/case-views',
  summary: 'List my saved lists of cases and those the team shares, each with its size, counted up to 100.',
  access: 'cases.list',
  response: answer({ data: z.object({ views: z.array(savedCaseViewSchema) }) }),
});

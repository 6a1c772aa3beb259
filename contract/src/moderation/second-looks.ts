import * as z from 'zod/mini';
import { answer, endpoint } from '../endpoint.ts';
import { idSchema, timeSchema, trimmedText } from '../text.ts';
import { decisionOutcomes } from './decisions.ts';
import { evidenceSchema } from './report-file.ts';
import { reportTypes } from './reports.ts';

/** The share of decisions with reasons that a second person reviews, in percent. */
export const secondLookPercent = 5;
/** Decisions are drawn for this many days, and are dropped after a month without a review. */
export const secondLookDays = 7;
export const secondLookKeptDays = 30;
/** After how long a second look that was taken but not finished is given to others. */
export const secondLookLeaseHours = 24;
/** Every fifth second look of a person is a training case, as long as there are new ones for them. */
export const goldenEvery = 5;
/** Agreement is shown from this many second looks on. */
export const agreementFrom = 10;

export const goldenStoryMin = 40;
export const goldenStoryMax = 3000;

const lookSchema = z.object({
  _id: z.string(),
  /** Shown before anything else, so that the reader can prepare or skip. */
  categories: z.array(z.enum(reportTypes)),
  /** It may show a person under 18, so nothing is uncovered automatically. */
  mayBeMinor: z.boolean(),
  reports: z.array(z.object({ _id: z.string(), text: z.string() })),
  evidence: z.array(z.object({ reportId: z.string(), items: z.array(evidenceSchema) })),
});
export type SecondLook = z.output<typeof lookSchema>;

/** The original decision, which the reader sees after their own judgement. */
const verdictSchema = z.object({ outcome: z.enum(decisionOutcomes), clause: z.nullable(z.string()) });

export const takeSecondLook = endpoint({
  method: 'POST',
  path: '/admin/second-looks/next',
  summary:
    'Get a decision to judge without knowing the decision or who made it: the one I have, or the one that waited longest; null without one. Never one of a case that I decided, reviewed or have read, or to which I am a party. Until it is judged or skipped, I cannot open its case and reports. Audited.',
  access: 'cases.handle',
  writes: true,
  response: answer({ data: z.object({ look: z.nullable(lookSchema) }) }),
});

const ofLook = z.object({ id: idSchema });

export const judgeSecondLook = endpoint({
  method: 'POST',
  path: '/admin/second-looks/{id}/judgement',
  summary:
    'Judge it: the outcome, and the clause of the rule if one was broken. The decision itself does not change. Says what was decided. Audited.',
  access: 'cases.handle',
  writes: true,
  params: ofLook,
  body: z.object({ outcome: z.enum(decisionOutcomes), clause: z.optional(trimmedText(1, 20)) }),
  response: answer({ data: z.object({ isAgreed: z.boolean(), decided: verdictSchema }) }),
  errors: ['NOT_FOUND', 'INVALID_INPUT'],
  stale: ['/admin/queue', '/admin/second-look-figures'],
});

export const skipSecondLook = endpoint({
  method: 'POST',
  path: '/admin/second-looks/{id}/skip',
  summary: 'Give it back. No one sees or counts skips.',
  access: 'cases.handle',
  writes: true,
  params: ofLook,
  response: answer({}),
  errors: ['NOT_FOUND'],
});

const agreementShape = {
  judged: z.int(),
  /** Null with fewer than ten. */
  agreed: z.nullable(z.int()),
};

export const getSecondLookFigures = endpoint({
  method: 'GET',
  path: '/admin/second-look-figures',
  summary:
    'Count how often second looks agreed in the last 12 months: by rule, by who decided, and with training cases by who judged, without cases to which the caller is a party.',
  access: 'cases.lead',
  response: answer({
    data: z.object({
      all: z.object(agreementShape),
      /** By the clause of the decision; null for decisions without a rule. */
      rules: z.array(z.object({ clause: z.nullable(z.string()), ...agreementShape })),
      deciders: z.array(z.object({ _id: z.string(), name: z.string(), ...agreementShape })),
      training: z.array(z.object({ _id: z.string(), name: z.string(), ...agreementShape })),
    }),
  }),
});
export type SecondLookFigures = z.output<(typeof getSecondLookFigures)['response']>['data'];

const goldenSchema = z.object({
  _id: z.string(),
  problem_type: z.enum(reportTypes),
  story: z.string(),
  ...verdictSchema.shape,
  addedAt: timeSchema,
  addedBy: z.string(),
});
export type GoldenCase = z.output<typeof goldenSchema>;

export const listGoldenCases = endpoint({
  method: 'GET',
  path: '/admin/golden-cases',
  summary: 'List the training cases, newest first.',
  access: 'cases.lead',
  response: answer({ data: z.object({ cases: z.array(goldenSchema) }) }),
});

/** More training cases than this are not kept. */
export const goldenCasesMax = 100;

export const addGoldenCase = endpoint({
  method: 'POST',
  path: '/admin/golden-cases',
  summary:
    'Keep a decided case for training: what happened, told without names, with the outcome and rule of its decision, and the type of its report. 400 if the story names someone of the case, or if an account of theirs was deleted. Audited.',
  access: 'cases.lead',
  status: 201,
  writes: true,
  body: z.object({
    decisionId: idSchema,
    story: trimmedText(goldenStoryMin, goldenStoryMax),
  }),
  response: answer({}),
  errors: ['NOT_FOUND', 'INVALID_INPUT', 'CONFLICT', 'FORBIDDEN'],
  stale: ['/admin/golden-cases'],
});

export const retireGoldenCase = endpoint({
  method: 'DELETE',
  path: '/admin/golden-cases/{id}',
  summary: 'Remove a training case for good, with its story. What was judged about it stays counted. Audited.',
  access: 'cases.lead',
  writes: true,
  params: ofLook,
  response: answer({}),
  errors: ['NOT_FOUND'],
  stale: ['/admin/golden-cases'],
});

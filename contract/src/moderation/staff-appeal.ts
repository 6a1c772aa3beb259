import * as z from 'zod/mini';
import { timeSchema } from '../text.ts';
import { appealParties, appealStates } from './appeal.ts';
import { decisionOutcomes, decisionSchema, sanctionKinds } from './decision.ts';
import { evidenceSchema, reportPersonSchema, staffReportSchema } from './report.ts';

/** The lists of staff. */
export const appealViews = ['open', 'mine', 'decided'] as const;
export type AppealView = (typeof appealViews)[number];

/** An appeal in a list of staff. */
export const appealLineSchema = z.object({
  _id: z.string(),
  caseId: z.string(),
  state: z.enum(appealStates),
  party: z.enum(appealParties),
  /** Who appeals. */
  appellant: reportPersonSchema,
  /** What is appealed: null for one click without reasons. */
  outcome: z.nullable(z.enum(decisionOutcomes)),
  sanctions: z.array(z.enum(sanctionKinds)),
  decidedBy: z.string(),
  submittedAt: timeSchema,
  /** When it has to be decided; null once it is. */
  dueAt: z.nullable(timeSchema),
  isBreached: z.boolean(),
  reviewer: z.nullable(z.object({ _id: z.string(), name: z.string() })),
  answeredAt: z.nullable(timeSchema),
  /** The caller may review it: an administrator who did not make the decision. */
  canReview: z.boolean(),
});

/** An appeal with everything needed to decide it. */
export const appealFileSchema = z.object({
  appeal: z.extend(appealLineSchema, { text: z.string(), answer: z.nullable(z.string()) }),
  /** The person the case is about. */
  person: reportPersonSchema,
  decision: decisionSchema,
  reports: z.array(staffReportSchema),
  evidence: z.array(z.object({ reportId: z.string(), items: z.array(evidenceSchema) })),
});

export type AppealLine = z.output<typeof appealLineSchema>;
export type AppealFile = z.output<typeof appealFileSchema>;

import * as z from 'zod/mini';
import { answer, endpoint } from '../endpoint.ts';
import { idSchema, timeSchema } from '../text.ts';

/** What a report counts. Each figure is split into groups, such as the sources of reports. */
export const transparencyFigures = [
  'notices.type',
  'reports.source',
  'reports.type',
  'decisions.outcome',
  'decisions.rule',
  'decisions.source',
  'decisions.detection',
  'decisions.oneClick',
  'measures.kind',
  'interim.rule',
  'interim.measures',
  'ruleHits.outcome',
  'holds.cause',
  'holds.outcome',
  'pictures.refused',
  'emergencies.kind',
  'referrals.made',
  'legalHolds.set',
  'appeals.party',
  'appeals.result',
  'secondLooks.result',
  'staff.role',
] as const;
export type TransparencyFigure = (typeof transparencyFigures)[number];

/**
 * The shares in a report: hits of automatic rules that a person cleared, decided appeals that reversed a decision, and second looks that
 * agreed with it.
 */
export const transparencyShares = ['ruleErrors', 'appealsOverturned', 'secondLooksAgreed'] as const;
export type TransparencyShare = (typeof transparencyShares)[number];

/** A figure by groups. Numbers from 1 to 9 are never shown, nor can they be computed from others. */
const figureSchema = z.object({
  figure: z.enum(transparencyFigures),
  /** Null from 1 to 9. */
  total: z.nullable(z.int()),
  groups: z.array(z.object({ name: z.string(), count: z.int() })),
  /** The number outside these groups, because its own groups are too small. */
  other: z.int(),
});

const timesSchema = z.object({
  what: z.enum(['response', 'decision', 'appeal']),
  /** Null with fewer than ten cases, as are the times. */
  cases: z.nullable(z.int()),
  medianMinutes: z.nullable(z.int()),
  /** Nine of ten cases took at most this long. */
  p90Minutes: z.nullable(z.int()),
});

/** One year, as it is published. The JSON Schema of the file is made from this. */
export const transparencyReportSchema = z.object({
  format: z.literal(1),
  /** A year in UTC that is over. */
  year: z.int(),
  /** Increases each time the report of this year is created. */
  version: z.int(),
  madeAt: timeSchema,
  figures: z.array(figureSchema),
  shares: z.array(z.object({ share: z.enum(transparencyShares), percent: z.nullable(z.int()) })),
  times: z.array(timesSchema),
  /** The file of statements of reasons. */
  statements: z.object({ lines: z.int(), sha256: z.string() }),
});
export type TransparencyReport = z.output<typeof transparencyReportSchema>;

const statementDescription =
  'A decision with measures. A value is null where fewer than ten statements of the year would have the same ones. The facts are left out, because they are about people. Every decision is about our terms, and a person makes it: what software does alone, such as holding accounts and refusing pictures, is not a decision and is counted in the report. Those of the kind `interim` restrict someone until the decision.';

/** A line of the file of statements of reasons. */
export const statementSchema = z.object({
  /** Random, and new in each version. */
  id: z.string(),
  year: z.int(),
  /** Such as `2025-03`, in UTC. */
  month: z.nullable(z.string()),
  kind: z.nullable(z.enum(['full', 'interim'])),
  ground: z.literal('terms'),
  rule: z.nullable(z.string()),
  category: z.nullable(z.string()),
  measures: z.nullable(z.array(z.string())),
  contentTypes: z.nullable(z.array(z.string())),
  source: z.nullable(z.string()),
  detectionAutomated: z.nullable(z.boolean()),
  decisionAutomated: z.literal('none'),
  redress: z.literal('internal appeal'),
});
export type Statement = z.output<typeof statementSchema>;

/** The files of a report. */
export const transparencyFileNames = ['report', 'figures', 'statements'] as const;
export type TransparencyFile = (typeof transparencyFileNames)[number];

const publishedSchema = z.object({
  report: transparencyReportSchema,
  files: z.array(z.object({ file: z.enum(transparencyFileNames), bytes: z.int(), sha256: z.string() })),
  /** The batch of the audit trail that seals the hashes of the files; null until it is sealed. */
  seal: z.nullable(z.object({ batch: z.int(), hash: z.string() })),
});
export type PublishedReport = z.output<typeof publishedSchema>;

export const listTransparency = endpoint({
  method: 'GET',
  path: '/transparency',
  summary: 'List the transparency reports, the newest year first, each in its newest version.',
  access: 'everyone',
  response: answer({ data: z.object({ reports: z.array(publishedSchema) }) }),
});

export const getTransparencyFile = endpoint({
  method: 'GET',
  path: '/transparency/{year}/{file}',
  summary:
    'Download a file of the newest report of a year, byte by byte as it was sealed: the report as JSON, its figures as CSV, or the statements of reasons, one JSON object on each line.',
  access: 'everyone',
  limit: 'transparency',
  /** Unknown ones are treated as missing. */
  params: z.object({ year: idSchema, file: idSchema }),
  streams: 'application/octet-stream',
  errors: ['NOT_FOUND'],
});

export const getTransparencySchema = endpoint({
  method: 'GET',
  path: '/transparency/schema',
  summary: 'The JSON Schema of a report, and below `$defs` that of a statement of reasons.',
  access: 'everyone',
  streams: 'application/schema+json; charset=utf-8',
});

export const makeTransparencyReport = endpoint({
  method: 'POST',
  path: '/admin/transparency',
  summary:
    'Make the report of the last year and publish it, in the background. An earlier version stays verifiable but is no longer shown. Of the years before, some rows are deleted already. Audited.',
  access: 'audit.verify',
  writes: true,
  response: answer({}),
});

/** The JSON Schema that reports fit, and below `$defs` the one of statements. */
export function transparencyJsonSchema(): Record<string, unknown> {
  const { $schema, ...report } = z.toJSONSchema(transparencyReportSchema);
  const { $schema: _, ...statement } = z.toJSONSchema(statementSchema);
  return {
    $schema,
    title: 'Transparency report of a year',
    ...report,
    $defs: { statement: { description: statementDescription, ...statement } },
  };
}

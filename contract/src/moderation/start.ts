import * as z from 'zod/mini';
import { answer, endpoint } from '../endpoint.ts';
import { timeSchema } from '../text.ts';
import { reportPriorities, reportTypes } from './reports.ts';

/** How many rows a section shows, and up to which number it counts. */
export const startRowsMax = 10;
export const startCountMost = 100;
/** How far back the changes go for someone who never marked them as seen. */
export const startFirstDays = 7;

/** What a row opens. */
export const startObjects = ['case', 'report', 'appeal', 'user', 'pictures', 'approvals', 'bulkAct'] as const;

/** Why something is mine, due, or waiting for me. */
export const startReasons = [
  'held',
  'opened',
  'assigned',
  'lateCase',
  'lateReport',
  'lateAppeal',
  'appeal',
  'escalated',
  'reply',
  'newReport',
  'pictures',
  'approval',
  'download',
  'running',
] as const;

/** What others changed in matters of mine. */
export const startChanges = [
  'takenOver',
  'assignedToMe',
  'wasEscalated',
  'reopened',
  'decided',
  'raisedCritical',
  'appealed',
  'overturned',
  'upheld',
  'withdrawn',
  'revoked',
  'replied',
  'noted',
  'approved',
  'rejected',
  'finished',
  'canceled',
] as const;

/** The lists that have more of a section, or the same with filters. */
export const startLists = [
  'myCases',
  'myReports',
  'overdueCases',
  'dueSoonCases',
  'dueReports',
  'appeals',
  'escalatedCases',
  'newReports',
  'pictures',
  'approvals',
] as const;
export type StartList = (typeof startLists)[number];

const rowSchema = z.object({
  /** Unique in its section. */
  key: z.string(),
  opens: z.enum(startObjects),
  /** What it opens; null for pages of which there is only one. */
  _id: z.nullable(z.string()),
  what: z.enum([...startReasons, ...startChanges]),
  /** The person whom it is about. */
  name: z.nullable(z.string()),
  /** The colleague who did it or asks for it. */
  by: z.nullable(z.string()),
  types: z.array(z.enum(reportTypes)),
  priority: z.nullable(z.enum(reportPriorities)),
  /** How many pictures, or how many people an act or an export is about. */
  count: z.nullable(z.int()),
  /** When it came up, or when it changed. */
  at: timeSchema,
  due: z.nullable(z.object({ at: timeSchema, what: z.enum(['response', 'decision']) })),
  isPaused: z.boolean(),
});
export type StartRow = z.output<typeof rowSchema>;

const sectionSchema = z.object({
  rows: z.array(rowSchema),
  /** Counted up to 100. */
  count: z.int(),
  lists: z.array(z.enum(startLists)),
});
export type StartSection = z.output<typeof sectionSchema>;

const startSchema = z.object({
  mine: sectionSchema,
  due: sectionSchema,
  waiting: sectionSchema,
  changed: sectionSchema,
  /** Changes after this time are shown. */
  since: timeSchema,
  /** What has to be marked as seen once all of this was. */
  asOf: timeSchema,
});
export type Start = z.output<typeof startSchema>;

export const getStart = endpoint({
  method: 'GET',
  path: '/admin/start',
  summary:
    'Get what is mine, due and waiting for me, and what others changed in my matters since I marked it as seen: at most ten rows each, counted up to 100, without what my role may not read and what I am a party to.',
  access: 'dashboard.view',
  response: answer({ data: startSchema }),
});

export const markStartSeen = endpoint({
  method: 'POST',
  path: '/admin/start/seen',
  summary: 'Mark what changed until a time as seen; an earlier time changes nothing.',
  access: 'dashboard.view',
  writes: true,
  body: z.object({ until: timeSchema }),
  response: answer({ data: z.object({ since: timeSchema }) }),
});

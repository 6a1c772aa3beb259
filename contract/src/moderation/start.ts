import * as z from 'zod/mini';
import { answer, endpoint } from '../endpoint.ts';
import { timeSchema } from '../text.ts';
import { caseLineSchema } from './cases.ts';

/** How many rows a section shows, and the highest number it counts. */
export const startRowsMax = 10;
export const startCountMost = 100;
/** How far back changes are shown to someone who never marked them as seen. */
export const startFirstDays = 7;

const { types, priority, due, isPaused } = caseLineSchema.shape;

const rowSchema = z.object({
  opens: z.enum(['case', 'report', 'appeal', 'user', 'pictures', 'approvals', 'bulkAct']),
  /** The id of what it opens; null if there is only one such page. */
  _id: z.nullable(z.string()),
  /** Why it is listed: the kind of a case event, or a word of the section. */
  what: z.string(),
  /** The person it is about. */
  name: z.nullable(z.string()),
  /** The colleague who holds it, did it or requested it, and the value of the event. */
  by: z.nullable(z.string()),
  to: z.nullable(z.string()),
  types,
  priority: z.nullable(priority),
  /** How many pictures there are, or how many people an act or an export concerns. */
  count: z.nullable(z.int()),
  /** When it was created or changed. */
  at: timeSchema,
  due,
  isPaused,
});
/** The rows, with the most urgent or the newest first, and their total number. */
const sectionSchema = z.object({ rows: z.array(rowSchema), count: z.int() });
const startSchema = z.object({
  mine: sectionSchema,
  due: sectionSchema,
  waiting: sectionSchema,
  /** New reports without a colleague, for roles that handle reports without cases. */
  unassigned: sectionSchema,
  changed: sectionSchema,
  /** Automatic rules that only watch, and how many people they would have hit; 0 for roles that can't change rules. */
  watching: z.object({ rules: z.int(), people: z.int() }),
  /** Changes after this time are shown. */
  since: timeSchema,
  /** Whether the changes were never marked as seen, so that those of the last days are shown. */
  isFirstVisit: z.boolean(),
  /** The time to mark as seen once all changes were shown. */
  asOf: timeSchema,
});
export type StartRow = z.output<typeof rowSchema>;
export type StartSection = z.output<typeof sectionSchema>;
export type Start = z.output<typeof startSchema>;

export const getStart = endpoint({
  method: 'GET',
  path: '/admin/start',
  summary:
    'Get what is mine, due, waiting for me and unassigned, as far as my role handles it, and what others changed in my matters since I marked it as seen: at most ten rows each, counted up to 100, without what my role may not read and what I am a party to.',
  access: 'dashboard.view',
  response: answer({ data: startSchema }),
});

export const markStartSeen = endpoint({
  method: 'POST',
  path: '/admin/start/seen',
  summary: 'Mark what changed until a time as seen; an earlier time than before changes nothing.',
  access: 'dashboard.view',
  writes: true,
  body: z.object({ until: z.iso.datetime() }),
  response: answer({ data: z.object({ since: timeSchema }) }),
  stale: ['/admin/start'],
});

import { msg } from '@lingui/core/runtime-macro';
import * as z from 'zod/mini';
import { answer, endpoint } from '../endpoint.ts';
import { skippedWhenEmpty } from '../text.ts';
import { countedSchema, insightDaySchema, insightGenders } from './series.ts';
import { said } from '../said.ts';

/** The steps from joining to premium, in order. Each counts members who reached it and all steps before it. */
export const funnelSteps = [
  'joined',
  'confirmed',
  'completed',
  'liked',
  'matched',
  'messaged',
  'conversation',
  'premium',
] as const;
export type FunnelStep = (typeof funnelSteps)[number];

/** Within how many days after joining a step was reached. */
export const funnelWindows = { week: 7, month: 30, ever: null } as const;
export type FunnelWindow = keyof typeof funnelWindows;
export const funnelWindowNames = Object.keys(funnelWindows) as FunnelWindow[];

/** How many cohorts the retention grid shows. */
export const retentionMonths = 13;

const monthSchema = z
  .string()
  .check(z.refine((month) => insightDaySchema.safeParse(`${month}-01`).success, said(msg`Use a month like 2026-10`)));

/** Counts by window; null for too few people, and for counts from which a small one could be computed. */
const windowsSchema = z.object({ week: z.nullable(z.int()), month: z.nullable(z.int()), ever: z.nullable(z.int()) });

const funnelSchema = z.object({
  month: z.string(),
  /** The months with members, newest first. */
  months: z.array(z.string()),
  /** The windows that are not over yet for everyone who joined in the month. */
  unfinished: z.array(z.enum(funnelWindowNames)),
  steps: z.array(
    z.object({
      step: z.enum(funnelSteps),
      all: windowsSchema,
      /** Genders without members in the month are left out. */
      genders: z.array(z.object({ gender: z.enum(insightGenders), ...windowsSchema.shape })),
    }),
  ),
  ...countedSchema.shape,
});
export type Funnel = z.output<typeof funnelSchema>;

export const getFunnel = endpoint({
  method: 'GET',
  path: '/admin/insights/funnel',
  summary: 'How far members who joined in a month have come, within a week, a month or ever, by gender.',
  access: 'dashboard.view',
  query: z.object({ month: skippedWhenEmpty(monthSchema) }),
  response: answer({ data: funnelSchema }),
});

const retentionSchema = z.object({
  /** Newest first; only months with members. */
  cohorts: z.array(
    z.object({
      month: z.string(),
      /** Null if the cohort has too few people; then it has no figures either. */
      joined: z.nullable(z.int()),
      /** The members active in each calendar month after joining, null if they are too few; the first is the month of joining. */
      active: z.array(z.object({ people: z.nullable(z.int()), isOver: z.boolean() })),
    }),
  ),
  ...countedSchema.shape,
});
export type Retention = z.output<typeof retentionSchema>;

export const getRetention = endpoint({
  method: 'GET',
  path: '/admin/insights/cohorts',
  summary: 'How many of those who joined in a month were active in the months after it.',
  access: 'dashboard.view',
  query: z.object({ gender: skippedWhenEmpty(z.enum(insightGenders)) }),
  response: answer({ data: retentionSchema }),
});

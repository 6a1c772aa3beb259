import type { Selectable } from 'kysely';
import type { Database } from '#platform/db/schema.ts';

/** The measures of `insight_day`, by their columns. */
export const dayColumns = [
  'members',
  'sign_ups',
  'confirmed',
  'completed',
  'likes',
  'matches',
  'messages',
  'conversations',
  'daily_active',
  'weekly_active',
  'monthly_active',
  'premium_new',
  'premium_lost',
  'premium_paused',
  'premium_paying',
  'reports',
  'actions',
  'repeat_actions',
  'decisions',
  'decision_ms',
] as const;
export type DayColumn = (typeof dayColumns)[number];

/** A group of members: '*' for all, '' for people who stated nothing. */
export interface GroupKey {
  gender: string;
  age: string;
  country: string;
}

export const everyone: GroupKey = { gender: '*', age: '*', country: '*' };
const dimensions = ['gender', 'age', 'country'] as const;

/** The dimensions by which a group is formed. */
export const dimensionsOf = (group: GroupKey) => dimensions.filter((name) => group[name] !== '*');

/**
 * How members are grouped. Genders are combined with ages and with countries, but ages and countries not with each other: all three
 * combinations together would reveal more than each of them.
 */
export const groupings: readonly (typeof dimensions)[number][][] = [
  [],
  ['gender'],
  ['age'],
  ['country'],
  ['gender', 'age'],
  ['gender', 'country'],
];

/** The figures of a day, as they are counted; the driver returns bigints as text. */
export type InsightDay = GroupKey & { day: string } & Record<DayColumn, number>;
export type InsightMoney = GroupKey & {
  day: string;
  currency: string;
  payments: number;
  paid_minor: number;
  refunded_minor: number;
};
export type InsightCohort = Selectable<Database['insight_cohort']>;

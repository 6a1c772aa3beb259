import * as z from 'zod/mini';
import { maximumAgeYears, minimumAgeYears, placeNameMaxLength } from '../constants.ts';
import type { Permission } from '../roles.ts';
import { staffRoles } from '../staff-roles.ts';
import { plans } from '../subscriptions/plan.ts';
import { daySchema, queryBoolean, queryInteger, skippedWhenEmpty, trimmedText, uuidSchema } from '../text.ts';
import { genderSchema } from './profile-details.ts';

const day = skippedWhenEmpty(daySchema);
const age = skippedWhenEmpty(queryInteger(minimumAgeYears, maximumAgeYears));
const yesOrNo = skippedWhenEmpty(queryBoolean);

/** The states of a live subscription that people can be found by. */
export const listedSubscriptions = ['active', 'trialing', 'past_due', 'paused'] as const;

/** The days that users can be filtered by; they are included. */
export const dayFilterNames = [
  'joinedFrom',
  'joinedTo',
  'activeFrom',
  'activeTo',
  'planEndsFrom',
  'planEndsTo',
] as const;

/** The filters of the list of users beside its search, status and type. */
export const moreUserFilters = {
  joinedFrom: day,
  joinedTo: day,
  activeFrom: day,
  activeTo: day,
  country: skippedWhenEmpty(trimmedText(1, placeNameMaxLength)),
  city: skippedWhenEmpty(trimmedText(1, placeNameMaxLength)),
  /** `none`: people who have not said. */
  gender: skippedWhenEmpty(z.union([genderSchema, z.literal('none')])),
  minAge: age,
  maxAge: age,
  complete: yesOrNo,
  paused: yesOrNo,
  /** Only people who deleted their account and can still return; they are in no other list. */
  leaving: skippedWhenEmpty(z.literal('true')),
  plan: skippedWhenEmpty(z.enum(plans)),
  /** The state of a live subscription. */
  subscription: skippedWhenEmpty(z.enum(listedSubscriptions)),
  /** The last paid day of a plan. */
  planEndsFrom: day,
  planEndsTo: day,
  openCase: yesOrNo,
  /** A suspension, ban or other measure is in force. */
  sanctioned: yesOrNo,
  tag: skippedWhenEmpty(uuidSchema),
  /** `any`: all staff. */
  role: skippedWhenEmpty(z.enum(['any', ...staffRoles])),
};

export type MoreUserFilter = keyof typeof moreUserFilters;
export const moreUserFilterNames = Object.keys(moreUserFilters) as MoreUserFilter[];

/** What a role must be allowed to see to filter by it. */
export const filterPermissions: Partial<Record<MoreUserFilter, Permission>> = {
  plan: 'subscriptions.view',
  subscription: 'subscriptions.view',
  planEndsFrom: 'subscriptions.view',
  planEndsTo: 'subscriptions.view',
  openCase: 'cases.list',
  sanctioned: 'cases.list',
};

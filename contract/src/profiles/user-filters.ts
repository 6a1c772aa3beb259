import { msg } from '@lingui/core/runtime-macro';
import * as z from 'zod/mini';
import { maximumAgeYears, minimumAgeYears, placeNameMaxLength } from '../constants.ts';
import { dayFilter, namesOf, type Ranges, yesOrNoFilter } from '../filters.ts';
import type { Permission } from '../roles.ts';
import { staffRoles } from '../staff-roles.ts';
import { plans } from '../subscriptions/plan.ts';
import { queryInteger, skippedWhenEmpty, trimmedText, uuidSchema } from '../text.ts';
import { genderSchema } from './profile-details.ts';

const age = skippedWhenEmpty(queryInteger(minimumAgeYears, maximumAgeYears));

/** The states of a live subscription that people can be found by. */
export const listedSubscriptions = ['active', 'trialing', 'past_due', 'paused'] as const;

/** The filters of the list of users beside its search, status and type. */
export const moreUserFilters = {
  joinedFrom: dayFilter,
  joinedTo: dayFilter,
  activeFrom: dayFilter,
  activeTo: dayFilter,
  country: skippedWhenEmpty(trimmedText(1, placeNameMaxLength)),
  city: skippedWhenEmpty(trimmedText(1, placeNameMaxLength)),
  /** `none`: people who didn't state one. */
  gender: skippedWhenEmpty(z.union([genderSchema, z.literal('none')])),
  minAge: age,
  maxAge: age,
  complete: yesOrNoFilter,
  paused: yesOrNoFilter,
  /** Only people who deleted their account and can still return; they are in no other list. */
  leaving: skippedWhenEmpty(z.literal('true')),
  plan: skippedWhenEmpty(z.enum(plans)),
  /** The state of a live subscription. */
  subscription: skippedWhenEmpty(z.enum(listedSubscriptions)),
  /** The last paid day of a plan. */
  planEndsFrom: dayFilter,
  planEndsTo: dayFilter,
  openCase: yesOrNoFilter,
  /** A suspension, ban or other measure is in force. */
  sanctioned: yesOrNoFilter,
  tag: skippedWhenEmpty(uuidSchema),
  /** `any`: all staff. */
  role: skippedWhenEmpty(z.enum(['any', ...staffRoles])),
};

export type MoreUserFilter = keyof typeof moreUserFilters;
export const moreUserFilterNames = namesOf(moreUserFilters);
/** The filters whose values are days, which depend on a time zone. */
export const dayFilterNames = moreUserFilterNames.filter((name) => moreUserFilters[name] === dayFilter);

export const userRanges: Ranges<MoreUserFilter> = [
  ['joinedFrom', 'joinedTo'],
  ['activeFrom', 'activeTo'],
  ['minAge', 'maxAge'],
  ['planEndsFrom', 'planEndsTo'],
];

/** The permission that a role needs to filter by it. */
export const filterPermissions: Partial<Record<MoreUserFilter, Permission>> = {
  plan: 'subscriptions.view',
  subscription: 'subscriptions.view',
  planEndsFrom: 'subscriptions.view',
  planEndsTo: 'subscriptions.view',
  openCase: 'cases.list',
  sanctioned: 'cases.list',
};

/** The columns that an export can have, with their titles. */
export const exportColumns = {
  id: msg`User ID`,
  firstName: msg`First name`,
  lastName: msg`Last name`,
  email: msg`Email`,
  emailVerified: msg`Email verified`,
  joined: msg`Joined (UTC)`,
  lastActive: msg`Last active (UTC)`,
  status: msg`Status`,
  subscription: msg`Subscription`,
  complete: msg`Profile complete`,
  age: msg`Age`,
  gender: msg`Gender`,
  city: msg`City`,
  country: msg`Country`,
  staffRole: msg`Staff role`,
};
export type ExportColumn = keyof typeof exportColumns;
export const exportColumnNames = Object.keys(exportColumns) as ExportColumn[];
export const exportColumnSchema = z.enum(exportColumnNames);

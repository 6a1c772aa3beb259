import * as z from 'zod/mini';
import { bioMaxLength, nameMaxLength, reasonMaxLength } from '../constants.ts';
import { answer, endpoint } from '../endpoint.ts';
import { pageQuery, paginationSchema, sortOrders } from '../paging.ts';
import { staffRoleSchema } from '../staff-roles.ts';
import {
  daySchema,
  hasAddress,
  idSchema,
  noAddressText,
  personNameText,
  searchText,
  skippedWhenEmpty,
  text,
  trimmedText,
  uuidSet,
  wordList,
  zoneSchema,
} from '../text.ts';
import { genderOutSchema, genderSchema } from './profile-details.ts';
import { cityAndCountry } from './profiles.ts';
import { exportColumnNames, exportColumnSchema, moreUserFilters } from './user-filters.ts';
import { adminUserSchema, listedUserSchema, locationSchema } from './user.ts';

export const userStatuses = ['all', 'active', 'inactive', 'online', 'verified'] as const;
export const userTypes = ['all', 'vip', 'free'] as const;
export const userSorts = ['createdAt', 'lastActive', 'name'] as const;

/** What the list of users can be filtered and sorted by. */
export const userFilters = {
  search: z.optional(searchText),
  status: z.optional(z.enum(userStatuses)),
  type: z.optional(z.enum(userTypes)),
  sortBy: z.optional(z.enum(userSorts)),
  sortOrder: z.optional(z.enum(sortOrders)),
  ...moreUserFilters,
  /** The time zone that the days are meant in; UTC unless given. */
  zone: skippedWhenEmpty(zoneSchema),
};

const filterTexts = ['search', 'city', 'country'] as const;

/**
 * Filters that are stored and shown to colleagues, so without email addresses. A misspelt filter is rejected, because without it everyone
 * would be listed.
 */
export const keptUserFilters = z.strictObject(userFilters).check(({ value, issues }) => {
  for (const name of filterTexts)
    if (hasAddress(value[name] ?? ''))
      issues.push({ code: 'custom', input: value[name], path: [name], message: noAddressText.error() });
});

export const listUsers = endpoint({
  method: 'GET',
  path: '/auth/users',
  summary:
    'List all users, for staff: filtered, sorted (createdAt, newest first by default), by page or cursor. Roles that see addresses see those of the newest 1,000 users, of 300 others within 24 hours in answers of at most 20 users, and those they had shown; others are masked. Each thousand users read is audited.',
  access: 'users.list',
  query: z.object({ ...pageQuery, ...userFilters, cursor: z.optional(text(1, 1024)) }),
  response: answer({ data: z.object({ users: z.array(listedUserSchema), pagination: paginationSchema }) }),
});

export const getAdminUser = endpoint({
  method: 'GET',
  path: '/admin/users/{id}',
  summary: 'Get a user with the details for staff. Access is audited.',
  access: 'users.list',
  params: z.object({ id: idSchema }),
  response: answer({ data: z.object({ user: adminUserSchema }) }),
  errors: ['NOT_FOUND'],
});

/** A user's values as the editor read them. They may violate today's rules for new values. */
const seenValuesSchema = z.object({
  firstName: z.optional(z.nullable(z.string())),
  lastName: z.optional(z.nullable(z.string())),
  gender: z.optional(z.nullable(genderOutSchema)),
  bio: z.optional(z.nullable(z.string())),
  location: z.optional(z.nullable(locationSchema)),
  birthDate: z.optional(z.nullable(daySchema)),
  staffRole: z.optional(z.nullable(staffRoleSchema)),
});

export const changeAdminUser = endpoint({
  method: 'PATCH',
  path: '/admin/users/{id}',
  summary:
    'Edit, activate or deactivate a user, with a reason; audited. Deactivating ends all their sessions. With `was`, the values the editor saw: 409 with the conflicts if a changed field has another value by now.',
  access: 'users.edit',
  writes: true,
  params: z.object({ id: idSchema }),
  body: z.object({
    firstName: z.optional(z.nullable(personNameText(1, nameMaxLength))),
    lastName: z.optional(z.nullable(personNameText(0, nameMaxLength))),
    gender: z.optional(z.nullable(genderSchema)),
    bio: z.optional(z.nullable(trimmedText(0, bioMaxLength))),
    location: z.optional(z.nullable(cityAndCountry)),
    birthDate: z.optional(z.nullable(daySchema)),
    isActive: z.optional(z.boolean()),
    staffRole: z.optional(z.nullable(staffRoleSchema)),
    was: z.optional(seenValuesSchema),
    reason: trimmedText(1, reasonMaxLength),
  }),
  response: answer({ data: z.object({ user: adminUserSchema }) }),
  errors: ['NOT_FOUND', 'CONFLICT', 'UNDER_AGE', 'LAST_ADMINISTRATOR', 'STAFF_UNVERIFIED', 'FORBIDDEN'],
  stale: ['/admin/statistics', '/admin/audit', '/admin/team'],
});

export const revealUser = endpoint({
  method: 'POST',
  path: '/admin/users/{id}/reveal',
  summary: 'Reveal the masked data of a user, with a reason; audited, and limited per hour by role.',
  access: 'users.reveal',
  writes: true,
  params: z.object({ id: idSchema }),
  body: z.object({ reason: trimmedText(1, reasonMaxLength) }),
  response: answer({
    data: z.object({
      email: z.string(),
      birthDate: z.nullable(z.string()),
      /** How many more members' data the caller may reveal within the current hour. */
      remaining: z.int(),
    }),
  }),
  errors: ['NOT_FOUND', 'FORBIDDEN', 'TOO_MANY_REQUESTS'],
});

/** How many users one person can export, or see the addresses of, within 24 hours without a second person, all in all. */
export const exportAloneMax = 1000;

/** For how many of the newest users lists show addresses. */
export const newestShownMax = 1000;
/** Answers with at most this many users also show addresses, for this many users within 24 hours. */
export const shortAnswerMax = 20;
export const furtherShownMax = 300;

export const showAddresses = endpoint({
  method: 'POST',
  path: '/admin/users/addresses',
  summary:
    'Show addresses that lists mask, for a reason; lists show them, too, for 24 hours. Audited. 409 for more than 1,000 users within 24 hours, exports included, except with an `approval` of mine to export their addresses that can be used, once.',
  access: 'users.export',
  writes: true,
  body: z.union([
    z.object({ ids: uuidSet(exportAloneMax), reason: trimmedText(1, reasonMaxLength) }),
    z.object({ approval: idSchema }),
  ]),
  response: answer({
    data: z.object({
      /** Excludes people in whose case I am a party. */
      addresses: z.array(z.object({ _id: z.string(), email: z.string() })),
    }),
  }),
  errors: ['NOT_FOUND', 'CONFLICT', 'APPROVAL_REQUIRED'],
  stale: ['/admin/approvals'],
});

export const exportUsers = endpoint({
  method: 'GET',
  path: '/admin/users/export',
  summary:
    'Export all matching users as CSV, streamed; audited, at the end with the rows and the hash of the file. 409 for more than 1,000 users within 24 hours, except with an `approval` of mine that can be used: then its filters or chosen users, columns and reason apply, once, unless the list has grown since by more than 5 % or 20 users. A download that broke off can be repeated for ten minutes with the same `Idempotency-Key`.',
  access: 'users.export',
  limit: 'export',
  query: z.object({
    ...userFilters,
    /** In the order of the file; all of them if none are named. */
    columns: skippedWhenEmpty(wordList(exportColumnSchema, exportColumnNames.length)),
    reason: skippedWhenEmpty(trimmedText(1, reasonMaxLength)),
    approval: skippedWhenEmpty(idSchema),
  }),
  streams: 'text/csv; charset=utf-8',
  errors: ['NOT_FOUND', 'CONFLICT', 'APPROVAL_REQUIRED'],
});

export const exportSelected = endpoint({
  method: 'POST',
  path: '/admin/users/export',
  summary: 'Export up to 1,000 chosen users as CSV, streamed; audited and limited like the export of a list.',
  access: 'users.export',
  limit: 'export',
  body: z.object({
    ids: uuidSet(exportAloneMax),
    columns: z.optional(z.array(exportColumnSchema).check(z.maxLength(exportColumnNames.length))),
    reason: trimmedText(1, reasonMaxLength),
  }),
  streams: 'text/csv; charset=utf-8',
  errors: ['APPROVAL_REQUIRED'],
});

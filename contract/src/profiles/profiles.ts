import * as z from 'zod/mini';
import {
  bioMaxLength,
  genderTextMaxLength,
  maximumAgeYears,
  minimumAgeYears,
  nameMaxLength,
  placeNameMaxLength,
  reasonMaxLength,
  searchMaxLength,
} from '../constants.ts';
import { answer, endpoint } from '../endpoint.ts';
import { interests, type Interest } from './interests.ts';
import { detailFields, genderOutSchema, genderSchema, interestsMax } from './profile-details.ts';
import { pageQuery, paginationSchema } from '../paging.ts';
import {
  daySchema,
  idSchema,
  nameText,
  personNameText,
  queryBoolean,
  queryInteger,
  skippedWhenEmpty,
  text,
  timeSchema,
  trimmedText,
  wordList,
} from '../text.ts';
import {
  adminUserSchema,
  listedUserSchema,
  locationSchema,
  ownUserSchema,
  publicUserSchema,
  settingsSchema,
} from './user.ts';
import { staffRoleSchema } from '../roles.ts';
import { moreUserFilters } from './user-filters.ts';

const cityAndCountry = z.object({
  city: nameText(1, placeNameMaxLength),
  country: nameText(1, placeNameMaxLength),
});
const coordinates = z
  .object({
    latitude: z.number().check(z.minimum(-90), z.maximum(90)),
    longitude: z.number().check(z.minimum(-180), z.maximum(180)),
  })
  // Devices without a position send 0, 0, which is in the open sea.
  .check(z.refine(({ latitude, longitude }) => latitude !== 0 || longitude !== 0, 'Not a position'));

const isInterest = (word: string): word is Interest => (interests as readonly string[]).includes(word);

const interestList = z.pipe(
  z.string().check(z.maxLength(400)),
  z.pipe(
    z.transform((list: string) => list.split(',').map((word) => word.trim())),
    z
      .array(z.string().check(z.refine(isInterest, 'This is not one of the interests')))
      .check(z.maxLength(interestsMax, `Choose ${interestsMax} at most`)),
  ),
);

/** The profile fields that the owner can write: an absent field keeps its value, null clears it. */
const profileFields = {
  firstName: z.optional(personNameText(1, nameMaxLength)),
  lastName: z.optional(z.nullable(personNameText(0, nameMaxLength))),
  birthDate: z.optional(daySchema),
  gender: z.optional(z.nullable(genderSchema)),
  genderText: z.optional(z.nullable(nameText(0, genderTextMaxLength))),
  seeking: z.optional(z.nullable(z.array(genderSchema).check(z.maxLength(3)))),
  bio: z.optional(z.nullable(trimmedText(0, bioMaxLength))),
  location: z.optional(z.nullable(cityAndCountry)),
  ...detailFields,
};

/** The fields that `profileComplete` requires, in form order. */
export const profileCompletionFields = ['firstName', 'birthDate', 'gender', 'seeking', 'location', 'pictures'] as const;

export const getProfile = endpoint({
  method: 'GET',
  path: '/auth/profile',
  summary: 'Get my own profile and what it still lacks.',
  access: 'signedIn',
  beforeSecondFactor: true,
  response: answer({
    userData: z.object({
      user: ownUserSchema,
      privacySettings: settingsSchema,
      requiresVerification: z.boolean(),
      requiresProfileCompletion: z.boolean(),
      onboardingComplete: z.boolean(),
      /** The same value as in the sign-in response. */
      requiresTerms: z.optional(z.boolean()),
      requiresSecondFactor: z.optional(z.boolean()),
      /** When my second factor will be removed because someone reported it as lost. */
      secondFactorRemovalAt: z.optional(z.nullable(timeSchema)),
      /** When my address will change back because a change is being undone. */
      addressRestoreAt: z.optional(z.nullable(timeSchema)),
    }),
  }),
});

export const completeProfile = endpoint({
  method: 'POST',
  path: '/auth/complete-profile',
  summary: 'Complete the profile. Refused with the list of missing parts (given values are saved).',
  access: 'signedIn',
  body: z.object(profileFields),
  response: answer({ account: z.object({ user: ownUserSchema }), onboardingComplete: z.boolean() }),
  errors: ['UNDER_AGE', 'BIRTH_DATE_SET', 'PROFILE_FIELDS_MISSING', 'TOO_MANY_REQUESTS'],
});

export const editProfile = endpoint({
  method: 'PUT',
  path: '/auth/edit-profile',
  summary: 'Change the profile: an absent field keeps its value, null clears it.',
  access: 'signedIn',
  writes: true,
  body: z.object(profileFields),
  response: answer({ update: z.object({ user: ownUserSchema }) }),
  errors: ['UNDER_AGE', 'BIRTH_DATE_SET', 'TOO_MANY_REQUESTS'],
});

export const showLastActive = endpoint({
  method: 'PUT',
  path: '/auth/show-last-active',
  summary: 'Show or hide when I was last active; hiding is mutual.',
  access: 'signedIn',
  writes: true,
  body: z.object({ showLastActive: z.boolean() }),
  response: answer({ data: z.object({ privacySettings: settingsSchema }) }),
});

export const changeLocation = endpoint({
  method: 'PUT',
  path: '/auth/location',
  summary: 'Set my location, stored as the center of a 0.03° cell, nothing finer; 5 changes per day.',
  access: 'signedIn',
  writes: true,
  body: z.union([coordinates, cityAndCountry]),
  response: answer({ data: z.object({ location: ownUserSchema.shape.location }) }),
  errors: ['TOO_MANY_REQUESTS'],
});

export const searchPlaces = endpoint({
  method: 'GET',
  path: '/places',
  summary:
    'Suggest known cities whose names start with the text, exact matches first, then the largest, at most eight.',
  access: 'signedIn',
  query: z.object({ search: nameText(2, placeNameMaxLength) }),
  response: answer({
    data: z.object({
      /** `isExact`: the text is the whole name of the city in one of its languages. */
      places: z.array(z.extend(cityAndCountry, { isExact: z.optional(z.boolean()) })),
    }),
  }),
});

export const getUser = endpoint({
  method: 'GET',
  path: '/auth/user/{id}',
  summary: "Get another member's profile, as far as it is visible to me.",
  access: 'completed',
  limit: 'profileView',
  params: z.object({ id: idSchema }),
  response: answer({
    data: z.object({
      user: publicUserSchema,
      privacyInfo: settingsSchema,
      /** Lower bound of the distance band, in km. */
      distance: z.nullable(z.int()),
      distanceFormatted: z.nullable(z.string()),
      compatibilityScore: z.nullable(z.int()),
      compatibilityBand: z.nullable(z.enum(['low', 'good', 'high'])),
      /** What I decided about them, and our match; absent for staff and on my own profile. */
      decision: z.optional(z.nullable(z.enum(['like', 'pass']))),
      matchId: z.optional(z.nullable(idSchema)),
    }),
  }),
  errors: ['NOT_FOUND'],
});

export const userStatuses = ['all', 'active', 'inactive', 'online', 'verified'] as const;
export const userTypes = ['all', 'vip', 'free'] as const;
export const userSorts = ['createdAt', 'lastActive', 'name'] as const;
export const sortOrders = ['asc', 'desc'] as const;

/** What the list of users can be filtered and sorted by. */
export const userFilters = {
  search: z.optional(
    z.string().check(
      z.trim(),
      z.maxLength(searchMaxLength),
      z.refine((t) => !t.includes('\0') && t.isWellFormed(), 'Contains characters that cannot be searched'),
    ),
  ),
  status: z.optional(z.enum(userStatuses)),
  type: z.optional(z.enum(userTypes)),
  sortBy: z.optional(z.enum(userSorts)),
  sortOrder: z.optional(z.enum(sortOrders)),
  ...moreUserFilters,
};

export const listUsers = endpoint({
  method: 'GET',
  path: '/auth/users',
  summary: 'List all users, for staff: filtered, sorted (createdAt, newest first by default), by page or cursor.',
  access: 'users.list',
  query: z.object({ ...pageQuery, ...userFilters, cursor: z.optional(text(1, 1024)) }),
  response: answer({ data: z.object({ users: z.array(listedUserSchema), pagination: paginationSchema }) }),
});

export const memberSearchSorts = ['newest', 'lastActive', 'compatibility'] as const;

export const searchUsers = endpoint({
  method: 'GET',
  path: '/auth/search-users',
  summary: 'Search visible members; staff search all users by name or email address.',
  access: 'completed',
  limit: 'profileView',
  query: z.object({
    ...pageQuery,
    search: userFilters.search,
    gender: skippedWhenEmpty(genderSchema),
    minAge: skippedWhenEmpty(queryInteger(minimumAgeYears, maximumAgeYears)),
    maxAge: skippedWhenEmpty(queryInteger(minimumAgeYears, maximumAgeYears)),
    /** Kilometres between the centres of the two place cells. */
    maxDistance: skippedWhenEmpty(queryInteger(1, 20_100)),
    city: skippedWhenEmpty(trimmedText(1, placeNameMaxLength)),
    country: skippedWhenEmpty(trimmedText(1, placeNameMaxLength)),
    /** Interests separated by commas; a match with any of them counts. */
    interests: skippedWhenEmpty(interestList),
    onlineNow: skippedWhenEmpty(queryBoolean),
    sortBy: skippedWhenEmpty(z.enum(memberSearchSorts)),
  }),
  response: answer({
    data: z.object({
      users: z.array(z.union([listedUserSchema, publicUserSchema])),
      pagination: paginationSchema,
      /** The search parameters, without empty ones. */
      searchParams: z.object({
        page: z.optional(z.int()),
        limit: z.optional(z.int()),
        search: z.optional(z.string()),
        gender: z.optional(genderOutSchema),
        minAge: z.optional(z.int()),
        maxAge: z.optional(z.int()),
        maxDistance: z.optional(z.int()),
        city: z.optional(z.string()),
        country: z.optional(z.string()),
        interests: z.optional(z.array(z.string())),
        onlineNow: z.optional(z.boolean()),
        sortBy: z.optional(z.enum(memberSearchSorts)),
      }),
    }),
  }),
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

/** What an export can have of each user, with the titles of its columns. */
export const exportColumns = {
  id: 'User ID',
  firstName: 'First name',
  lastName: 'Last name',
  email: 'Email',
  emailVerified: 'Email verified',
  joined: 'Joined (UTC)',
  lastActive: 'Last active (UTC)',
  status: 'Status',
  subscription: 'Subscription',
  complete: 'Profile complete',
  age: 'Age',
  gender: 'Gender',
  city: 'City',
  country: 'Country',
  staffRole: 'Staff role',
} as const;
export type ExportColumn = keyof typeof exportColumns;
export const exportColumnNames = Object.keys(exportColumns) as ExportColumn[];
export const exportColumnSchema = z.enum(exportColumnNames);

/** How many users one person exports without a second one. */
export const exportAloneMax = 1000;

export const exportUsers = endpoint({
  method: 'GET',
  path: '/admin/users/export',
  summary:
    'Export all matching users as CSV, streamed; audited, at the end with the rows and the hash of the file. 409 for more than 1,000 users, except with an `approval` of mine that can be used: then its filters, columns and reason apply, once.',
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
  summary: 'Export up to 1,000 chosen users as CSV, streamed; audited like the export of a list.',
  access: 'users.export',
  limit: 'export',
  body: z.object({
    ids: z.array(z.uuid()).check(z.minLength(1), z.maxLength(exportAloneMax)),
    columns: z.optional(z.array(exportColumnSchema).check(z.maxLength(exportColumnNames.length))),
    reason: trimmedText(1, reasonMaxLength),
  }),
  streams: 'text/csv; charset=utf-8',
});

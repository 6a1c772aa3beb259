import * as z from 'zod/mini';
import {
  bioMaxLength,
  genderTextMaxLength,
  maximumAgeYears,
  minimumAgeYears,
  nameMaxLength,
  placeNameMaxLength,
} from '../constants.ts';
import { answer, endpoint } from '../endpoint.ts';
import {
  choiceMaxLength,
  choiceSchema,
  choicesUpTo,
  detailFields,
  genderOutSchema,
  genderSchema,
  interestsMax,
} from './profile-details.ts';
import { cursorQuery, paginationSchema } from '../paging.ts';
import {
  daySchema,
  idSchema,
  nameText,
  personNameText,
  queryBoolean,
  queryInteger,
  searchText,
  skippedWhenEmpty,
  timeSchema,
  trimmedText,
} from '../text.ts';
import { listedUserSchema, ownUserSchema, publicUserSchema, settingsSchema } from './user.ts';

/** A place as people name it. */
export const cityAndCountry = z.object({
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

const interestList = z.pipe(
  z.string().check(z.maxLength(interestsMax * (choiceMaxLength + 2))),
  z.pipe(
    z.transform((list: string) => list.split(',')),
    z.array(choiceSchema).check(choicesUpTo(interestsMax)),
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
  loadsProfile: true,
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
  loadsProfile: true,
  body: z.object(profileFields),
  response: answer({ account: z.object({ user: ownUserSchema }), onboardingComplete: z.boolean() }),
  errors: ['UNDER_AGE', 'BIRTH_DATE_SET', 'PROFILE_FIELDS_MISSING', 'TOO_MANY_REQUESTS'],
});

export const editProfile = endpoint({
  method: 'PUT',
  path: '/auth/edit-profile',
  summary: 'Change the profile: an absent field keeps its value, null clears it.',
  access: 'signedIn',
  loadsProfile: true,
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
    'Suggest known towns whose names start with the text, exact matches first, then the larger and nearer, at most eight.',
  access: 'signedIn',
  query: z.object({ search: nameText(2, placeNameMaxLength) }),
  response: answer({
    data: z.object({
      /**
       * `isExact`: the text is the whole name of the town in one of its languages. `region`: another one has the name in this country, and
       * "Springfield, Illinois" names this one.
       */
      places: z.array(z.extend(cityAndCountry, { region: z.optional(z.string()), isExact: z.optional(z.boolean()) })),
    }),
  }),
});

export const getUser = endpoint({
  method: 'GET',
  path: '/auth/user/{id}',
  summary: "Get the parts of another member's profile that I may see.",
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
      /** Whether I bookmarked them; absent for staff and on my own profile. */
      isBookmarked: z.optional(z.boolean()),
    }),
  }),
  errors: ['NOT_FOUND'],
});

export const memberSearchSorts = ['newest', 'lastActive', 'compatibility'] as const;

export const searchUsers = endpoint({
  method: 'GET',
  path: '/auth/search-users',
  summary:
    'Search visible members; staff search all users by name or email address, also while the owner has People off.',
  access: 'completed',
  limit: 'profileView',
  query: z.object({
    ...cursorQuery,
    search: z.optional(searchText),
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
  errors: ['PART_OFF'],
});

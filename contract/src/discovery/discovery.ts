import * as z from 'zod/mini';
import { maximumAgeYears, minimumAgeYears, placeNameMaxLength } from '../constants.ts';
import { answer, endpoint } from '../endpoint.ts';
import { interests } from '../profiles/interests.ts';
import {
  childrenAnswers,
  drinkingAnswers,
  exerciseAnswers,
  genderOutSchema,
  genderSchema,
  heightMaxCm,
  heightMinCm,
  languages,
  type RelationshipGoal,
  relationshipGoals,
  smokingAnswers,
} from '../profiles/profile-details.ts';
import { publicUserSchema } from '../profiles/user.ts';
import { nameText, queryInteger } from '../text.ts';

/**
 * A reason to show two people to each other: a kind and the values for its sentence, true of what both show. `premium` discloses a paid
 * rank, `new-here` an exploration slot.
 */
export const reasonSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('goal'), goal: z.enum(relationshipGoals) }),
  z.object({ kind: z.literal('ages'), viewerAge: z.int() }),
  z.object({ kind: z.literal('answers') }),
  z.object({ kind: z.literal('languages'), languages: z.array(z.string()) }),
  z.object({
    kind: z.literal('children'),
    wish: z.enum(['want', 'do-not-want']),
  }),
  z.object({ kind: z.literal('smoking') }),
  z.object({ kind: z.literal('interests'), interests: z.array(z.string()), areRare: z.boolean() }),
  z.object({ kind: z.literal('active') }),
  z.object({ kind: z.literal('new-here') }),
  z.object({ kind: z.literal('premium') }),
]);

export type MatchReason = z.output<typeof reasonSchema>;
export type ReasonKind = MatchReason['kind'];

const goalReasons: Record<RelationshipGoal, string> = {
  'long-term': 'You both want something that lasts',
  'short-term': 'You both want something casual',
  friendship: 'You are both here for friendship',
  'open-to-see': 'You are both open to see what comes',
};

/** The sentence of a reason; `{name}` is the other person, other braces are values of the reason. */
export function reasonWords(reason: MatchReason): string {
  switch (reason.kind) {
    case 'goal':
      return goalReasons[reason.goal];
    case 'ages':
      return 'You are {viewerAge}, within the age range {name} is looking for, and {name} is within yours';
    case 'answers':
      return 'You agree on most of the important questions';
    case 'languages':
      return 'You both speak {languages}';
    case 'children':
      return reason.wish === 'want' ? 'You both want children' : 'Neither of you wants children';
    case 'smoking':
      return 'Neither of you smokes';
    case 'interests':
      return reason.areRare ? 'Rare shared interest: {interests}' : 'You both like {interests}';
    case 'active':
      return 'Active this week and usually replies';
    case 'new-here':
      return 'New here, be one of the first';
    case 'premium':
      return 'Premium: shown a little earlier';
  }
}

export const farthestKm = 20_000;

const isRange = () =>
  z.refine<{ min: number; max: number }>(({ min, max }) => min <= max, "The minimum can't be above the maximum");

const ageSchema = z.int().check(z.minimum(minimumAgeYears), z.maximum(maximumAgeYears));
const heightSchema = z.int().check(z.minimum(heightMinCm), z.maximum(heightMaxCm));

/** A preference: `required` excludes others, otherwise it only affects the order. */
const anyOf = <T extends readonly [string, ...string[]]>(words: T) =>
  z.nullable(
    z.object({
      values: z.array(z.enum(words)).check(z.minLength(1, 'Choose at least one'), z.maxLength(words.length)),
      required: z.boolean(),
    }),
  );

/** Discovery preferences: absent keeps, null means any. */
const preferenceFields = {
  age: z.nullable(z.object({ min: ageSchema, max: ageSchema, required: z.boolean() }).check(isRange())),
  /** Between the centres of the two place cells, km. */
  distance: z.nullable(z.object({ maxKm: z.int().check(z.minimum(1), z.maximum(farthestKm)), required: z.boolean() })),
  interests: anyOf(interests),
  goal: anyOf(relationshipGoals),
  languages: anyOf(languages),
  children: anyOf(childrenAnswers),
  smoking: anyOf(smokingAnswers),
  drinking: anyOf(drinkingAnswers),
  exercise: anyOf(exerciseAnswers),
  heightCm: z.nullable(z.object({ min: heightSchema, max: heightSchema, required: z.boolean() }).check(isRange())),
};

const deckOrders = ['matching', 'newest'] as const;
export type DeckOrder = (typeof deckOrders)[number];

/** Browsing options: order, a paused profile, incognito, and another city; the last two need premium. */
const lookFields = {
  order: z.enum(deckOrders),
  isPaused: z.boolean(),
  incognito: z.boolean(),
  elsewhere: z.nullable(z.object({ city: nameText(1, placeNameMaxLength), country: nameText(1, placeNameMaxLength) })),
};

/** Filters that exclude others only with premium; as nice-to-have they are available to everyone. */
export const premiumFilters = [
  'goal',
  'languages',
  'children',
  'smoking',
  'drinking',
  'exercise',
  'heightCm',
] as const satisfies readonly PreferenceKey[];

const preferencesSchema = z.object({
  seeking: z.array(genderOutSchema),
  ...preferenceFields,
  order: z.enum(deckOrders),
  /** New people don't see me, and I get no cards. */
  isPaused: z.boolean(),
  incognito: z.boolean(),
  elsewhere: z.nullable(z.object({ city: z.string(), country: z.string() })),
});

export type Preferences = z.output<typeof preferencesSchema>;
export type PreferenceKey = keyof typeof preferenceFields;

/** The default preferences. */
export const noPreferences: Omit<Preferences, 'seeking' | 'isPaused' | 'incognito'> = {
  age: null,
  distance: null,
  interests: null,
  goal: null,
  languages: null,
  children: null,
  smoking: null,
  drinking: null,
  exercise: null,
  heightCm: null,
  order: 'matching',
  elsewhere: null,
};

export const getPreferences = endpoint({
  method: 'GET',
  path: '/discovery/preferences',
  summary: 'Get my discovery preferences.',
  access: 'signedIn',
  response: answer({ data: z.object({ preferences: preferencesSchema }) }),
  errors: ['FORBIDDEN'],
});

export const putPreferences = endpoint({
  method: 'PUT',
  path: '/discovery/preferences',
  summary: 'Change my discovery preferences and which are required: absent keeps, null means any.',
  access: 'signedIn',
  writes: true,
  body: z.partial(
    z.object({
      seeking: z.nullable(z.array(genderSchema).check(z.minLength(1, 'Choose at least one'), z.maxLength(3))),
      ...preferenceFields,
      ...lookFields,
    }),
  ),
  response: answer({ data: z.object({ preferences: preferencesSchema }) }),
  errors: ['FORBIDDEN', 'PREMIUM_REQUIRED'],
});

/** One person to decide about. */
const cardSchema = z.object({
  user: publicUserSchema,
  distance: z.nullable(z.int()),
  distanceFormatted: z.nullable(z.string()),
  /** The band's fixed number; null below ten shared questions that matter to both. */
  compatibilityScore: z.nullable(z.int()),
  compatibilityBand: z.nullable(z.enum(['low', 'good', 'high'])),
  reasons: z.array(reasonSchema),
});

export type CardView = z.output<typeof cardSchema>;

/** The filters that can be required, by name. */
export const filterNames = ['gender', 'age', 'distance', 'interests', ...premiumFilters] as const;
export type FilterName = (typeof filterNames)[number];

/** Why a deck is empty: for each filter, how many people it excludes. */
const emptySchema = z.object({
  perFilter: z.array(
    z.object({
      filter: z.enum(filterNames),
      /** People excluded only by this filter, counted up to 500. */
      removed: z.int(),
    }),
  ),
  /** People who pass my filters and have my decision already, counted up to 500. */
  decided: z.int(),
  /** I reached the daily limit of people; there are more tomorrow. */
  isUsedUp: z.boolean(),
});

export type EmptyDeck = z.output<typeof emptySchema>;

export const cardsMax = 20;

export const getCards = endpoint({
  method: 'GET',
  path: '/discovery',
  summary: 'The next people to decide about, who currently fit both ways; if there are none, the reasons.',
  access: 'completed',
  query: z.object({
    limit: z.optional(queryInteger(1, cardsMax)),
    /** `once`: each picture is listed in `pictures` only, and `more_pictures` is empty. */
    pictures: z.optional(z.enum(['once'])),
  }),
  response: answer({
    data: z.object({
      cards: z.array(cardSchema),
      remainingLikes: z.nullable(z.int()),
      order: z.enum(deckOrders),
      empty: z.nullable(emptySchema),
      /** My profile is paused, so there are no cards until I resume it. */
      isPaused: z.boolean(),
    }),
  }),
  errors: ['FORBIDDEN'],
});

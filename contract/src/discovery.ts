import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/runtime-macro';
import * as z from 'zod/mini';
import { maximumAgeYears, minimumAgeYears, placeNameMaxLength, reasonMaxLength } from './constants.ts';
import { answer, endpoint } from './endpoint.ts';
import {
  childrenAnswers,
  choiceSchema,
  drinkingAnswers,
  exerciseAnswers,
  genderOutSchema,
  genderSchema,
  heightMaxCm,
  heightMinCm,
  languages,
  listedMost,
  type RelationshipGoal,
  relationshipGoals,
  smokingAnswers,
} from './profiles/profile-details.ts';
import { publicUserSchema } from './profiles/user.ts';
import { idSchema, nameText, queryInteger, timeSchema, trimmedText } from './text.ts';
import { said } from './said.ts';

/**
 * A reason to show two people to each other: its kind and the values for its sentence, all visible on their profiles.
 * `premium` discloses a paid rank, `new-here` an exploration slot. `near`, `newcomer` and `musts` are facts for cards without another reason.
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
  /** The distance as `distanceFormatted` has it. */
  z.object({ kind: z.literal('near'), distance: z.string() }),
  z.object({ kind: z.literal('newcomer') }),
  /** Whether each of them has the gender that the other seeks, and meets the other's required preferences. */
  z.object({ kind: z.literal('musts') }),
  z.object({ kind: z.literal('premium') }),
]);

export type MatchReason = z.output<typeof reasonSchema>;
export type ReasonKind = MatchReason['kind'];

const goalReasons: Record<RelationshipGoal, MessageDescriptor> = {
  'long-term': msg`You both want something that lasts`,
  'short-term': msg`You both want something casual`,
  friendship: msg`You are both here for friendship`,
  'open-to-see': msg`You are both open to see what comes`,
};

/** The sentence of a reason; `{name}` is the other person, other braces are values of the reason. */
export function reasonWords(reason: MatchReason): MessageDescriptor {
  switch (reason.kind) {
    case 'goal':
      return goalReasons[reason.goal];
    case 'ages':
      return msg({
        message: 'You are {viewerAge}, within the age range {name} is looking for, and {name} is within yours',
      });
    case 'answers':
      return msg`You agree on most of the important questions`;
    case 'languages':
      return msg({ message: 'You both speak {languages}' });
    case 'children':
      return reason.wish === 'want' ? msg`You both want children` : msg`Neither of you wants children`;
    case 'smoking':
      return msg`Neither of you smokes`;
    case 'interests':
      return reason.areRare
        ? msg({ message: 'Rare shared interest: {interests}' })
        : msg({ message: 'You both like {interests}' });
    case 'active':
      return msg`Active this week and usually replies`;
    case 'new-here':
      return msg`New here, be one of the first`;
    case 'near':
      return msg({ message: 'Close by: {distance}' });
    case 'newcomer':
      return msg`New here`;
    case 'musts':
      return msg`You fit each other's must-haves`;
    case 'premium':
      return msg`Premium: shown a little earlier`;
  }
}

export const farthestKm = 20_000;

const isRange = () =>
  z.refine<{ min: number; max: number }>(
    ({ min, max }) => min <= max,
    said(msg`The minimum can't be above the maximum`),
  );

const ageSchema = z.int().check(z.minimum(minimumAgeYears), z.maximum(maximumAgeYears));
const heightSchema = z.int().check(z.minimum(heightMinCm), z.maximum(heightMaxCm));

/** A preference: `required` excludes other people; otherwise it only affects the order. */
const someOf = <T extends z.ZodMiniType<string>>(word: T, most: number) =>
  z.nullable(
    z.object({
      values: z.array(word).check(z.minLength(1, said(msg`Choose at least one`)), z.maxLength(most)),
      required: z.boolean(),
    }),
  );
const anyOf = <T extends readonly [string, ...string[]]>(words: T) => someOf(z.enum(words), words.length);

/** Discovery preferences: an absent field keeps its value, null accepts anyone. */
export const preferenceFields = {
  age: z.nullable(z.object({ min: ageSchema, max: ageSchema, required: z.boolean() }).check(isRange())),
  /** Kilometers between the centers of the two place cells. */
  distance: z.nullable(z.object({ maxKm: z.int().check(z.minimum(1), z.maximum(farthestKm)), required: z.boolean() })),
  interests: someOf(choiceSchema, listedMost.interest),
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

/** Browsing options: order, pausing the profile, incognito, and another city; the last two require premium. */
const lookFields = {
  order: z.enum(deckOrders),
  photoVerifiedOnly: z.boolean(),
  isPaused: z.boolean(),
  incognito: z.boolean(),
  elsewhere: z.nullable(z.object({ city: nameText(1, placeNameMaxLength), country: nameText(1, placeNameMaxLength) })),
};

/** Filters that exclude people only with premium; everyone can use them as nice-to-have. */
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
  /** Show only photo-verified people. Free for everyone. */
  photoVerifiedOnly: z.boolean(),
  /** While paused, new people don't see me and I get no cards. */
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
  photoVerifiedOnly: false,
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
      seeking: z.nullable(z.array(genderSchema).check(z.minLength(1, said(msg`Choose at least one`)), z.maxLength(3))),
      ...preferenceFields,
      ...lookFields,
    }),
  ),
  response: answer({ data: z.object({ preferences: preferencesSchema }) }),
  errors: ['FORBIDDEN', 'PREMIUM_REQUIRED'],
});

/** The most people that are counted for filters; numbers below `fewestCounted` are shown as one. */
export const peopleCountedMost = 1000;
export const fewestCounted = 20;

export const countPeople = endpoint({
  method: 'POST',
  path: '/discovery/count',
  summary:
    'How many people would fit both ways with these preferences, which are not saved; absent ones count as saved.',
  access: 'signedIn',
  limit: 'peopleCount',
  body: z.partial(
    z.object({
      seeking: z.array(genderSchema).check(z.maxLength(3)),
      photoVerifiedOnly: z.boolean(),
      ...preferenceFields,
    }),
  ),
  response: answer({
    data: z.object({
      /** Rounded down to tens; 0 for fewer than `fewestCounted`. Null while gender, birth date or preferred genders are unknown. */
      people: z.nullable(z.int()),
    }),
  }),
  errors: ['FORBIDDEN'],
});

/** One card: a person to like or pass on. */
const cardSchema = z.object({
  user: publicUserSchema,
  distance: z.nullable(z.int()),
  distanceFormatted: z.nullable(z.string()),
  /** The fixed number of the compatibility band; null below ten shared questions that matter to both. */
  compatibilityScore: z.nullable(z.int()),
  compatibilityBand: z.nullable(z.enum(['low', 'good', 'high'])),
  reasons: z.array(reasonSchema),
});

export type CardView = z.output<typeof cardSchema>;

/** The names of the filters that can be required. */
export const filterNames = ['gender', 'age', 'distance', 'interests', 'photoVerified', ...premiumFilters] as const;
export type FilterName = (typeof filterNames)[number];

/** Why a deck is empty: how many people each filter excludes. */
const emptySchema = z.object({
  perFilter: z.array(
    z.object({
      filter: z.enum(filterNames),
      /** People that only this filter excludes, counted up to 500. */
      removed: z.int(),
    }),
  ),
  /** People who pass my filters but have already been decided on, counted up to 500. */
  decided: z.int(),
  /** I have reached the daily limit of people; there are more tomorrow. */
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
    /** With `once`, each picture is listed in `pictures` only, and `more_pictures` is empty. */
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

/** Segments with fewer members, and percentages of fewer people, likes or matches, are not published. */
export const smallestCell = 10;
/** How many weeks are shown. */
export const insightWeeks = 12;

/** A percentage; null if too few were counted to publish it. */
const shareSchema = z.nullable(z.number());

const segmentSchema = z.object({
  /** Null for all genders together. */
  gender: z.nullable(genderOutSchema),
  /** An age range; null for all ages. */
  age: z.nullable(z.string()),
  /** Members who decided about a card in the week, rounded to tens. */
  members: z.int(),
  /** Percentage of these members with a new match. */
  coverage: shareSchema,
  /** The Gini coefficient of the likes these members received, from 0 to 1. */
  gini: z.number(),
  /** Percentage of received likes that are not answered yet. */
  unread: shareSchema,
  /**
   * Percentage of members who joined in the week and had a match within seven days, except members who paused before
   * that.
   */
  newMatched: shareSchema,
  /** Percentage of received first messages answered within 24 hours. */
  replied: shareSchema,
  /** Whether each of them paused their own profile: no one new sees it, and they get no cards. */
  conversations: shareSchema,
});
export type MatchingSegment = z.output<typeof segmentSchema>;

const insightsSchema = z.object({
  /** Newest first; `week` is the date of its Monday in UTC. */
  weeks: z.array(z.object({ week: z.string(), segments: z.array(segmentSchema) })),
  /** Null before the first calculation. */
  countedAt: z.nullable(timeSchema),
});
export type MatchingInsights = z.output<typeof insightsSchema>;

export const getMatchingInsights = endpoint({
  method: 'GET',
  path: '/admin/matching',
  summary: 'How well matching did in recent weeks, by segment; from counters of the last night, without small groups.',
  access: 'matching.view',
  response: answer({ data: insightsSchema }),
});

const filtersSchema = z.array(z.enum(filterNames));

const explanationSchema = z.object({
  viewer: z.object({ _id: z.string(), name: z.nullable(z.string()) }),
  person: z.object({ _id: z.string(), name: z.nullable(z.string()) }),
  /** Whether the viewer takes part in discovery. */
  takesPart: z.boolean(),
  /** Whether each of them paused their own profile: no one new sees it, and they get no cards. */
  isViewerPaused: z.boolean(),
  isPersonPaused: z.boolean(),
  /**
   * Whether the person could be shown to the viewer apart from a pause: was active within 30 days, and is not hidden as
   * incognito.
   */
  isVisible: z.boolean(),
  isActive: z.boolean(),
  isIncognito: z.boolean(),
  isBlocked: z.boolean(),
  /** For each of the two, their required filters that the other doesn't meet. */
  viewerRefuses: filtersSchema,
  personRefuses: filtersSchema,
  /** The viewer's decision, and whether the person passed on the viewer before today. */
  decided: z.nullable(z.object({ kind: z.enum(['like', 'pass', 'unmatch']), at: timeSchema })),
  hasPassed: z.boolean(),
  deck: z.nullable(
    z.object({
      madeAt: timeSchema,
      cards: z.int(),
      /**
       * The deck was made before the viewer's profile or preferences changed, so it will be rebuilt before it is used.
       */
      isOutdated: z.boolean(),
      /** The position in the deck, from 1; null if the person is not in it. */
      place: z.nullable(z.int()),
      isExploration: z.boolean(),
      /** The lowest rank of a card without an exploration slot; null without such cards. */
      cut: z.nullable(z.number()),
    }),
  ),
  /** The components of the rank, as of now; null if one of them takes no part in discovery. */
  terms: z.nullable(
    z.object({
      rank: z.number(),
      /** In whole percent. */
      viewerLikes: z.int(),
      personLikes: z.int(),
      likesViewer: z.boolean(),
      /**
       * Subtractions for unread likes and for days without a visit, additions for premium and the viewer's preferences,
       * and the random term of the day.
       */
      inbox: z.number(),
      absence: z.number(),
      premium: z.number(),
      preferences: z.number(),
      daily: z.number(),
    }),
  ),
  /** How many more members' data the caller may reveal within the current hour. */
  remaining: z.int(),
});
export type CardExplanation = z.output<typeof explanationSchema>;

export const explainCard = endpoint({
  method: 'POST',
  path: '/admin/matching/explain',
  summary:
    'Why one member was or was not shown another, with a reason; audited for both, and counts as revealing the data of both.',
  access: 'matching.explain',
  body: z.object({ viewerId: idSchema, personId: idSchema, reason: trimmedText(1, reasonMaxLength) }),
  response: answer({ data: explanationSchema }),
  errors: ['NOT_FOUND', 'FORBIDDEN', 'TOO_MANY_REQUESTS'],
});

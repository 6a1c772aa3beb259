import * as z from 'zod/mini';
import { reasonMaxLength } from '../constants.ts';
import { answer, endpoint } from '../endpoint.ts';
import { genderOutSchema } from '../profiles/profile-details.ts';
import { idSchema, timeSchema, trimmedText } from '../text.ts';
import { filterNames } from './discovery.ts';

/** Segments with fewer members, and shares of fewer people, likes or matches, are not published. */
export const smallestCell = 10;
/** How many weeks are shown. */
export const insightWeeks = 12;

/** A percentage; null if too few were counted. */
const shareSchema = z.nullable(z.number());

const segmentSchema = z.object({
  /** Null for all genders. */
  gender: z.nullable(genderOutSchema),
  /** An age bucket; null for all ages. */
  age: z.nullable(z.string()),
  /** Members who decided about a card in the week, rounded to tens. */
  members: z.int(),
  /** Of them, those with a new match. */
  coverage: shareSchema,
  /** The Gini coefficient of the likes that they received, 0 to 1. */
  gini: z.number(),
  /** Of the likes received, those not yet answered. */
  unread: shareSchema,
  /** Of the members who joined in the week, those who had a match within seven days; members who paused before one don't count. */
  newMatched: shareSchema,
  /** Of the first messages received, those answered within 24 hours. */
  replied: shareSchema,
  /** Of the matches, those in which both wrote, six messages at least. */
  conversations: shareSchema,
});
export type MatchingSegment = z.output<typeof segmentSchema>;

const insightsSchema = z.object({
  /** Newest first; `week` is its Monday, UTC. */
  weeks: z.array(z.object({ week: z.string(), segments: z.array(segmentSchema) })),
  /** Null before the first count. */
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
  /** Whether one of them has paused their own profile: no one new sees it, and they get no cards. */
  isViewerPaused: z.boolean(),
  isPersonPaused: z.boolean(),
  /** Whether the person is shown to anyone at all unless paused, was active within 30 days, and is not hidden from the viewer as incognito. */
  isVisible: z.boolean(),
  isActive: z.boolean(),
  isIncognito: z.boolean(),
  isBlocked: z.boolean(),
  /** The required filters of each that the other doesn't meet. */
  viewerRefuses: filtersSchema,
  personRefuses: filtersSchema,
  /** What the viewer decided, and whether the person passed on the viewer before today. */
  decided: z.nullable(z.object({ kind: z.enum(['like', 'pass', 'unmatch']), at: timeSchema })),
  hasPassed: z.boolean(),
  deck: z.nullable(
    z.object({
      madeAt: timeSchema,
      cards: z.int(),
      /** Made before the viewer's profile or preferences changed, so it is rebuilt before it is served. */
      isOutdated: z.boolean(),
      /** From 1; null if the person is not in it. */
      place: z.nullable(z.int()),
      isExploration: z.boolean(),
      /** The lowest rank that a card got without an exploration place; null without such cards. */
      cut: z.nullable(z.number()),
    }),
  ),
  /** What the rank is made of, as of now; null if one of them takes no part in discovery. */
  terms: z.nullable(
    z.object({
      rank: z.number(),
      /** In percent, rounded to whole ones. */
      viewerLikes: z.int(),
      personLikes: z.int(),
      likesViewer: z.boolean(),
      /** What is subtracted for unread likes and for days without a visit, what premium and the viewer's preferences add, and the term drawn for the day. */
      inbox: z.number(),
      absence: z.number(),
      premium: z.number(),
      preferences: z.number(),
      daily: z.number(),
    }),
  ),
  /** How many more members' data the caller may reveal within the hour. */
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

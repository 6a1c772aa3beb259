import * as z from 'zod/mini';
import { relationshipGoals, type RelationshipGoal } from '../profiles/profile-details.ts';

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

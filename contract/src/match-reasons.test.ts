import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { reasonSchema, reasonWords, type MatchReason } from './discovery.ts';
import { relationshipGoals } from './profiles/profile-details.ts';

const reasons: MatchReason[] = [
  ...relationshipGoals.map((goal) => ({ kind: 'goal' as const, goal })),
  { kind: 'ages', viewerAge: 33 },
  { kind: 'answers' },
  { kind: 'languages', languages: ['cs', 'es'] },
  { kind: 'children', wish: 'want' },
  { kind: 'children', wish: 'do-not-want' },
  { kind: 'smoking' },
  { kind: 'interests', interests: ['tea'], areRare: true },
  { kind: 'interests', interests: ['tea'], areRare: false },
  { kind: 'active' },
  { kind: 'new-here' },
  { kind: 'near', distance: '5–10 km' },
  { kind: 'newcomer' },
  { kind: 'musts' },
  { kind: 'premium' },
];

describe('match reasons', () => {
  test.each(reasons)('produce a sentence from the data they carry: $kind', (reason) => {
    expect(z.parse(reasonSchema, reason)).toEqual(reason);
    const asked = [...(reasonWords(reason).message ?? '').matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '');
    expect(asked.filter((name) => name !== 'name' && !(name in reason))).toEqual([]);
  });

  test('have different wording for each kind', () => {
    expect(new Set(reasons.map((reason) => reasonWords(reason).id)).size).toBe(reasons.length);
  });

  test('are rejected by the schema if their kind is unknown', () => {
    expect(z.safeParse(reasonSchema, { kind: 'popular' }).success).toBe(false);
  });
});

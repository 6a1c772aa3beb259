import * as z from 'zod/mini';
import { filterNames, smallestCell } from './discovery.ts';
import { answer, endpoint } from './endpoint.ts';
import { profileCompletionFields } from './profiles/profiles.ts';
import { publicUserSchema } from './profiles/user.ts';
import { idSchema } from './text.ts';

/** The reasons why a person is not shown to others, in the order in which staff should check them. */
export const hidingReasons = [
  'staff',
  'leaving',
  'deactivated',
  'hidden',
  'unverified',
  'incomplete',
  'paused',
  'incognito',
  'unopened',
  'inactive',
] as const;
export type HidingReason = (typeof hidingReasons)[number];

/** A number of people, counted up to 500; null for fewer than ten, so that it reveals nothing about a single person. */
const countSchema = z.nullable(z.int().check(z.minimum(smallestCell)));

const visibilitySchema = z.object({
  /** Empty if nothing about the person keeps them from being shown. */
  reasons: z.array(z.enum(hidingReasons)),
  /** The missing parts of an incomplete profile. */
  missing: z.array(z.enum(profileCompletionFields)),
  /**
   * How many of the nearest ten thousand members could see the person if none of the reasons applied. Null without a gender, a birth date
   * or preferred genders.
   */
  audience: z.nullable(
    z.object({
      nearby: countSchema,
      /** People who may get the person as a card. */
      canSee: countSchema,
      /** People excluded by a single required filter of the person. */
      ownFilters: z.array(z.object({ filter: z.enum(filterNames), excluded: z.int() })),
      /** People whose own required filters exclude the person: by distance alone, and in any other way. */
      theirDistance: countSchema,
      theirFilters: countSchema,
      /** People who fit both ways and have already decided, or were passed on by the person. */
      decided: countSchema,
    }),
  ),
});
export type Visibility = z.output<typeof visibilitySchema>;

export const getUserAsMember = endpoint({
  method: 'GET',
  path: '/admin/users/{id}/as-member',
  summary: "Get a user's profile as other members see it, without signing in as anyone. Audited.",
  access: 'users.visibility',
  params: z.object({ id: idSchema }),
  response: answer({ data: z.object({ user: publicUserSchema }) }),
  errors: ['NOT_FOUND', 'FORBIDDEN'],
});

export const getVisibility = endpoint({
  method: 'GET',
  path: '/admin/users/{id}/visibility',
  summary: 'Get why other members can or cannot see a user, without counts below ten. Audited.',
  access: 'users.visibility',
  params: z.object({ id: idSchema }),
  response: answer({ data: visibilitySchema }),
  errors: ['NOT_FOUND', 'FORBIDDEN'],
});

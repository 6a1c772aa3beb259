import * as z from 'zod/mini';
import { reasonMaxLength } from '../constants.ts';
import { answer, endpoint } from '../endpoint.ts';
import { premiumGrantDays } from '../roles.ts';
import { idSchema, timeSchema, trimmedText } from '../text.ts';

/** The longest gift of any role. */
export const grantDaysMax = Math.max(...Object.values(premiumGrantDays));

/** Premium that staff gave a member: it ends by itself, costs nothing and never renews. */
export const premiumGrantSchema = z.object({
  _id: z.string(),
  days: z.int(),
  startsAt: timeSchema,
  endsAt: timeSchema,
  revokedAt: z.nullable(timeSchema),
  by: z.string(),
  reason: z.string(),
});

export type PremiumGrant = z.output<typeof premiumGrantSchema>;

const reason = trimmedText(1, reasonMaxLength);
const theGrant = answer({ data: z.object({ grant: premiumGrantSchema }) });

export const grantPremium = endpoint({
  method: 'POST',
  path: '/admin/users/{id}/premium-grants',
  summary:
    'Give a member premium for some days, after earlier gifts and after what they pay for: it waits as long as their plan renews. Each role has a limit per gift, and per member and year. Audited.',
  access: 'premium.grant',
  writes: true,
  status: 201,
  creates: true,
  params: z.object({ id: idSchema }),
  body: z.object({ days: z.int().check(z.minimum(1), z.maximum(grantDaysMax)), reason }),
  response: theGrant,
  errors: ['NOT_FOUND', 'FORBIDDEN', 'CONFLICT'],
  stale: ['/admin/users/{id}', '/admin/users/{id}/file'],
});

export const revokePremiumGrant = endpoint({
  method: 'POST',
  path: '/admin/premium-grants/{id}/revoke',
  summary:
    'End a gift of premium now; later ones begin earlier. Roles can end those that they could have given. Audited.',
  access: 'premium.grant',
  writes: true,
  params: z.object({ id: idSchema }),
  body: z.object({ reason }),
  response: theGrant,
  errors: ['NOT_FOUND', 'FORBIDDEN', 'CONFLICT'],
});

export const getPremiumGift = endpoint({
  method: 'GET',
  path: '/subscription/gift',
  summary:
    'Until when I have premium as a gift from the team, and from when if it begins after what I pay for; null without one.',
  access: 'signedIn',
  response: answer({
    data: z.object({ gift: z.nullable(z.object({ from: z.optional(timeSchema), until: timeSchema })) }),
  }),
});

import * as z from 'zod/mini';
import { ownUserSchema } from '../profiles/user.ts';

/** What an answer that opens a session says of it, and of whose it is. */
export const sessionFields = {
  token: z.string(),
  refreshToken: z.string(),
  user: ownUserSchema,
};

/** What is left to do before others can be met. */
export const stepFields = {
  requiresVerification: z.boolean(),
  requiresProfileCompletion: z.boolean(),
  onboardingComplete: z.boolean(),
};

/** What a device is told that is signed in. */
export const signedInSchema = z.object({
  ...sessionFields,
  ...stepFields,
  /** Staff who must have a second factor, and have yet to show one: until then nothing else is answered. */
  requiresSecondFactor: z.optional(z.boolean()),
});

/**
 * What the first factor, a password or an identity, is answered with: a session, or where the account has a second factor
 * the challenge that its code goes with.
 */
export const signInAnswerSchema = z.union([
  signedInSchema,
  z.object({ totpRequired: z.literal(true), challenge: z.string() }),
]);

import * as z from 'zod/mini';
import { ownUserSchema } from '../profiles/user.ts';

/** New tokens of the caller's session, which end its earlier ones: present when its privilege was raised. */
export const raisedTokenFields = { token: z.optional(z.string()), refreshToken: z.optional(z.string()) };

/** The fields of a response that opens a session. */
export const sessionFields = {
  token: z.string(),
  refreshToken: z.string(),
  user: ownUserSchema,
};

/** What is left to do before seeing other members. */
export const stepFields = {
  requiresVerification: z.boolean(),
  requiresProfileCompletion: z.boolean(),
  onboardingComplete: z.boolean(),
};

/** The response to a device that is signed in. */
export const signedInSchema = z.object({
  ...sessionFields,
  ...stepFields,
  /** Staff who must use a second factor and haven't yet; all other calls are refused until then. */
  requiresSecondFactor: z.optional(z.boolean()),
});

/**
 * The response to the first factor, a password or an identity: a session, or with two-step verification a challenge for its code.
 */
export const signInAnswerSchema = z.union([
  signedInSchema,
  z.object({ totpRequired: z.literal(true), challenge: z.string() }),
]);

import * as z from 'zod/mini';
import { ownUserSchema } from './user.ts';

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

import * as z from 'zod/mini';
import { answer, endpoint } from '../endpoint.ts';
import { ownUserSchema } from '../profiles/user.ts';
import { emailSchema, givenPasswordSchema, tokenText } from '../text.ts';

/** New tokens for the caller's session, which replace its earlier ones. Present when a request raised the session's privileges. */
export const raisedTokenFields = { token: z.optional(z.string()), refreshToken: z.optional(z.string()) };

/** The fields of a response that opens a session. */
export const sessionFields = {
  token: z.string(),
  refreshToken: z.string(),
  user: ownUserSchema,
};

/** The steps left before the member can see other members. */
export const stepFields = {
  requiresVerification: z.boolean(),
  requiresProfileCompletion: z.boolean(),
  onboardingComplete: z.boolean(),
  /** The terms have changed since the member accepted them. The app asks again, but no request is refused. */
  requiresTerms: z.optional(z.boolean()),
};

/** The response to a signed-in device. */
export const signedInSchema = z.object({
  ...sessionFields,
  ...stepFields,
  /** True for staff who must set up a second factor; all other requests are refused until then. */
  requiresSecondFactor: z.optional(z.boolean()),
});

/**
 * The response to the first factor, a password or an identity: a session, or a challenge that a code completes, or a passkey after the
 * house's account.
 */
export const signInAnswerSchema = z.union([
  signedInSchema,
  z.object({ totpRequired: z.literal(true), challenge: z.string() }),
  z.object({ passkeyRequired: z.literal(true), challenge: z.string() }),
]);

export const login = endpoint({
  method: 'POST',
  path: '/auth/login',
  summary:
    'Sign in with email address and password. With two-step verification the response is a challenge and no token.',
  access: 'everyone',
  writes: true,
  body: z.object({ email: emailSchema, password: givenPasswordSchema }),
  response: answer({ data: signInAnswerSchema }),
  errors: ['INVALID_CREDENTIALS', 'ACCOUNT_DEACTIVATED', 'ACCOUNT_LEAVING', 'SECOND_FACTOR_REQUIRED', 'UNAVAILABLE'],
});

export const refreshToken = endpoint({
  method: 'POST',
  path: '/auth/refresh-token',
  summary:
    'Exchange a refresh token for a new pair. It works once. A retry with the same key gets the same pair, and while the new refresh token is unused, a second use replaces it; any other second use ends the session.',
  access: 'everyone',
  body: z.object({ refreshToken: tokenText }),
  response: answer({ data: z.object({ token: z.string(), refreshToken: z.string() }) }),
  errors: ['UNAUTHENTICATED'],
});

export const logout = endpoint({
  method: 'POST',
  path: '/auth/logout',
  summary: 'Sign out this session.',
  access: 'signedIn',
  writes: true,
  beforeSecondFactor: true,
  response: answer({
    data: z.object({
      /** Where the browser can also sign out of the house's account that it signed in with; absent for other sessions. */
      leaveAt: z.optional(z.string()),
    }),
  }),
});

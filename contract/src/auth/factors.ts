import { msg } from '@lingui/core/runtime-macro';
import * as z from 'zod/mini';
import { onlyCopyKeptSeconds, reasonMaxLength } from '../constants.ts';
import { answer, endpoint } from '../endpoint.ts';
import { assertionSchema } from './webauthn.ts';
import { raisedTokenFields, signedInSchema } from './session.ts';
import { givenPasswordSchema, idSchema, timeSchema, tokenText, trimmedText, withPlainDigits } from '../text.ts';
import { said } from '../said.ts';

/** Characters that are easily misread when copied by hand; recovery codes don't contain them. */
const misread: Record<string, string> = { O: '0', I: '1', L: '1' };
const asWritten = (code: string) =>
  withPlainDigits(code)
    .replaceAll(/[\s-]/g, '')
    .toUpperCase()
    .replaceAll(/[OIL]/g, (letter) => misread[letter] ?? letter);

/** The six digits of an authenticator app, or a recovery code, in any spacing. */
export const factorCodeSchema = z
  .string()
  .check(
    z.maxLength(64),
    z.overwrite(asWritten),
    z.regex(/^([0-9]{6}|[0-9A-HJKMNP-TV-Z]{12})$/, said(msg`Use the six digits from your app, or a recovery code`)),
  );

/**
 * Confirmation before a sensitive action: a passkey alone, or the password and, with a second factor, a code. Accounts with none of
 * these must have signed in recently.
 */
export const proofSchema = z.object({
  password: z.optional(givenPasswordSchema),
  code: z.optional(factorCodeSchema),
  passkey: z.optional(assertionSchema),
});

export type Proof = z.output<typeof proofSchema>;

/** The data returned when a confirmation is refused. */
export const proofErrors = [
  'WRONG_PASSWORD',
  'INVALID_CODE',
  'PROOF_REQUIRED',
  'PASSKEY_REFUSED',
  'UNAVAILABLE',
] as const;
const recoveryCodes = z.object({ recoveryCodes: z.array(z.string()) });

export const loginWithCode = endpoint({
  method: 'POST',
  path: '/auth/login/totp',
  summary: 'Complete two-step sign-in: the challenge with an app code or a recovery code. Each code works once.',
  access: 'everyone',
  writes: true,
  limit: 'codeTry',
  body: z.object({ challenge: tokenText, code: factorCodeSchema }),
  response: answer({ data: signedInSchema }),
  errors: ['INVALID_CODE', 'CHALLENGE_EXPIRED', 'ACCOUNT_DEACTIVATED', 'ACCOUNT_LEAVING', 'TOO_MANY_REQUESTS'],
});

export const getSecondFactor = endpoint({
  method: 'GET',
  path: '/auth/totp',
  summary: 'Get the status of two-step verification: since when it is on, and how many recovery codes are left.',
  access: 'signedIn',
  beforeSecondFactor: true,
  response: answer({
    data: z.object({
      /** Null while two-step verification is off. */
      since: z.nullable(timeSchema),
      recoveryCodesLeft: z.int(),
      /** When the second factor will be removed because someone reported it as lost. */
      removalAt: z.nullable(timeSchema),
      /** Which proofs to request before a sensitive action. */
      hasPassword: z.boolean(),
      /** True for staff, who must have a second factor on this service. */
      isRequired: z.boolean(),
    }),
  }),
});

export const setUpTotp = endpoint({
  method: 'POST',
  path: '/auth/totp/setup',
  summary:
    'Start setting up two-step verification: returns the key for an authenticator app. Active once a code is confirmed.',
  access: 'signedIn',
  writes: true,
  beforeSecondFactor: true,
  limit: 'sensitive',
  body: proofSchema,
  response: answer({ data: z.object({ secret: z.string(), uri: z.string(), expiresAt: timeSchema }) }),
  errors: [...proofErrors, 'EMAIL_NOT_VERIFIED', 'CONFLICT'],
});

export const enableTotp = endpoint({
  method: 'POST',
  path: '/auth/totp/enable',
  summary:
    'Turn on two-step verification with a code from the app. The recovery codes are returned only here. The session gets new tokens, which replace its earlier ones.',
  access: 'signedIn',
  writes: true,
  creates: true,
  answerKeptSeconds: onlyCopyKeptSeconds,
  beforeSecondFactor: true,
  limit: 'sensitive',
  body: z.object({ code: factorCodeSchema }),
  response: answer({ data: z.extend(recoveryCodes, raisedTokenFields) }),
  errors: ['INVALID_CODE', 'EMAIL_NOT_VERIFIED', 'CONFLICT', 'TOO_MANY_REQUESTS'],
});

export const disableTotp = endpoint({
  method: 'POST',
  path: '/auth/totp/disable',
  summary: 'Turn off two-step verification, with the password and a code.',
  access: 'signedIn',
  writes: true,
  limit: 'sensitive',
  body: proofSchema,
  response: answer({ data: z.object({}) }),
  errors: [...proofErrors, 'CONFLICT'],
});

export const renewRecoveryCodes = endpoint({
  method: 'POST',
  path: '/auth/totp/recovery-codes',
  summary: 'Create ten new recovery codes; the old ones stop working.',
  access: 'signedIn',
  writes: true,
  creates: true,
  answerKeptSeconds: onlyCopyKeptSeconds,
  limit: 'sensitive',
  body: proofSchema,
  response: answer({ data: recoveryCodes }),
  errors: [...proofErrors, 'CONFLICT'],
});

export const askForRemoval = endpoint({
  method: 'POST',
  path: '/auth/totp/removal',
  summary:
    'Report a lost second factor: emails a link to the owner, who must have passed the first factor. Not for staff; a colleague resets theirs.',
  access: 'everyone',
  writes: true,
  limit: 'mailRequest',
  body: z.object({ challenge: tokenText }),
  response: answer({ data: z.object({}) }),
  errors: ['CHALLENGE_EXPIRED', 'FORBIDDEN', 'CONFLICT'],
});

export const confirmRemoval = endpoint({
  method: 'POST',
  path: '/auth/totp/removal/confirm',
  summary:
    'Confirm with the emailed link that two-step verification will be removed in 72 hours unless someone stops it.',
  access: 'everyone',
  writes: true,
  limit: 'codeTry',
  body: z.object({ token: tokenText }),
  response: answer({ data: z.object({ removalAt: timeSchema }) }),
  errors: ['INVALID_CODE'],
});

export const stopRemoval = endpoint({
  method: 'POST',
  path: '/auth/totp/removal/stop',
  summary: 'Stop the removal of two-step verification with the emailed link or on any signed-in device.',
  access: 'everyone',
  writes: true,
  limit: 'codeTry',
  body: z.object({ token: z.optional(tokenText) }),
  response: answer({ data: z.object({}) }),
  errors: ['INVALID_CODE', 'UNAUTHENTICATED'],
});

export const resetFactors = endpoint({
  method: 'POST',
  path: '/admin/users/{id}/factors/reset',
  summary: 'Remove the second factor and passkeys of a colleague who lost them. Ends their sessions.',
  access: 'users.secure',
  writes: true,
  limit: 'sensitive',
  params: z.object({ id: idSchema }),
  body: z.object({ reason: trimmedText(1, reasonMaxLength) }),
  response: answer({ data: z.object({}) }),
  errors: ['NOT_FOUND', 'FORBIDDEN'],
  stale: ['/admin/users/{id}', '/admin/users/{id}/file'],
});

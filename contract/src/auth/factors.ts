import * as z from 'zod/mini';
import { reasonMaxLength } from '../constants.ts';
import { answer, endpoint } from '../endpoint.ts';
import { assertionSchema } from './passkey.ts';
import { signedInSchema } from './session-fields.ts';
import { givenPasswordSchema, tokenText } from './session.ts';
import { idSchema, timeSchema, trimmedText } from '../text.ts';

/** What people mistake for each other when they copy a recovery code by hand; no such code holds the letters. */
const misread: Record<string, string> = { O: '0', I: '1', L: '1' };
const asWritten = (code: string) =>
  code
    .replaceAll(/[\s-]/g, '')
    .toUpperCase()
    .replaceAll(/[OIL]/g, (letter) => misread[letter] ?? letter);

/** The six digits of an authenticator app, or a recovery code, however they are spaced. */
export const factorCodeSchema = z
  .string()
  .check(
    z.maxLength(64),
    z.overwrite(asWritten),
    z.regex(/^(\d{6}|[0-9A-HJKMNP-TV-Z]{12})$/, 'Use the six digits from your app, or a recovery code'),
  );

/**
 * Who one is, shown anew before something that matters: a passkey alone, or everything else the account has, the password
 * and, with a second factor, a code of it. An account with none of these has to have signed in just now.
 */
export const proofSchema = z.object({
  password: z.optional(givenPasswordSchema),
  code: z.optional(factorCodeSchema),
  passkey: z.optional(assertionSchema),
});

export type Proof = z.output<typeof proofSchema>;

/** What a refused proof is answered with. */
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
  summary: 'The second step of signing in: the challenge with a code of the app, or a recovery code. Each works once.',
  access: 'everyone',
  limit: 'codeTry',
  body: z.object({ challenge: tokenText, code: factorCodeSchema }),
  response: answer({ data: signedInSchema }),
  errors: ['INVALID_CODE', 'CHALLENGE_EXPIRED', 'ACCOUNT_DEACTIVATED', 'ACCOUNT_LEAVING', 'TOO_MANY_REQUESTS'],
});

export const getSecondFactor = endpoint({
  method: 'GET',
  path: '/auth/totp',
  summary: 'Whether I have a second factor, since when, and how many recovery codes are left.',
  access: 'signedIn',
  beforeSecondFactor: true,
  response: answer({
    data: z.object({
      /** Null: there is none. */
      since: z.nullable(timeSchema),
      recoveryCodesLeft: z.int(),
      /** When it goes by itself, as somebody asked who has lost it. */
      removalAt: z.nullable(timeSchema),
      /** What to ask for before something that matters. */
      hasPassword: z.boolean(),
      /** Staff cannot be without one here. */
      isRequired: z.boolean(),
    }),
  }),
});

export const setUpTotp = endpoint({
  method: 'POST',
  path: '/auth/totp/setup',
  summary: 'Begin the second factor: the key for an authenticator app. It counts once a code of it comes back.',
  access: 'signedIn',
  beforeSecondFactor: true,
  limit: 'sensitive',
  body: proofSchema,
  response: answer({ data: z.object({ secret: z.string(), uri: z.string(), expiresAt: timeSchema }) }),
  errors: [...proofErrors, 'EMAIL_NOT_VERIFIED', 'CONFLICT'],
});

export const enableTotp = endpoint({
  method: 'POST',
  path: '/auth/totp/enable',
  summary: 'Finish the second factor with a code of the app. The recovery codes are told here and never again.',
  access: 'signedIn',
  beforeSecondFactor: true,
  limit: 'sensitive',
  body: z.object({ code: factorCodeSchema }),
  response: answer({ data: recoveryCodes }),
  errors: ['INVALID_CODE', 'EMAIL_NOT_VERIFIED', 'CONFLICT', 'TOO_MANY_REQUESTS'],
});

export const disableTotp = endpoint({
  method: 'POST',
  path: '/auth/totp/disable',
  summary: 'Turn the second factor off, with the password and a code of it.',
  access: 'signedIn',
  limit: 'sensitive',
  body: proofSchema,
  response: answer({ data: z.object({}) }),
  errors: [...proofErrors, 'CONFLICT'],
});

export const renewRecoveryCodes = endpoint({
  method: 'POST',
  path: '/auth/totp/recovery-codes',
  summary: 'Ten new recovery codes; the old ones work no more.',
  access: 'signedIn',
  limit: 'sensitive',
  body: proofSchema,
  response: answer({ data: recoveryCodes }),
  errors: [...proofErrors, 'CONFLICT'],
});

export const askForRemoval = endpoint({
  method: 'POST',
  path: '/auth/totp/removal',
  summary:
    'The second factor is lost: mails a link to its owner, who has shown the first one by the challenge. Not for staff, whom a colleague helps.',
  access: 'everyone',
  limit: 'mailRequest',
  body: z.object({ challenge: tokenText }),
  response: answer({ data: z.object({}) }),
  errors: ['CHALLENGE_EXPIRED', 'FORBIDDEN', 'CONFLICT'],
});

export const confirmRemoval = endpoint({
  method: 'POST',
  path: '/auth/totp/removal/confirm',
  summary: 'With the mailed link: the second factor goes in 72 hours, unless somebody says stop until then.',
  access: 'everyone',
  limit: 'codeTry',
  body: z.object({ token: tokenText }),
  response: answer({ data: z.object({ removalAt: timeSchema }) }),
  errors: ['INVALID_CODE'],
});

export const stopRemoval = endpoint({
  method: 'POST',
  path: '/auth/totp/removal/stop',
  summary: 'Keep the second factor: by the mailed link, or on any device that is signed in.',
  access: 'everyone',
  limit: 'codeTry',
  body: z.object({ token: z.optional(tokenText) }),
  response: answer({ data: z.object({}) }),
  errors: ['INVALID_CODE', 'UNAUTHENTICATED'],
});

export const resetFactors = endpoint({
  method: 'POST',
  path: '/admin/users/{id}/factors/reset',
  summary: 'Take the second factor and the passkeys of a colleague away who lost them; ends their sessions.',
  access: 'administrator',
  limit: 'sensitive',
  params: z.object({ id: idSchema }),
  body: z.object({ reason: trimmedText(1, reasonMaxLength) }),
  response: answer({ data: z.object({}) }),
  errors: ['NOT_FOUND', 'FORBIDDEN'],
});

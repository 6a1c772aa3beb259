import * as z from 'zod/mini';
import { passkeyNameMaxLength } from '../constants.ts';
import { answer, endpoint } from '../endpoint.ts';
import { proofErrors, proofSchema } from './factors.ts';
import { assertionSchema, attestationSchema, creationOptionsSchema, requestOptionsSchema } from './webauthn.ts';
import { raisedTokenFields, signInAnswerSchema } from './session.ts';
import { idSchema, nameText, timeSchema, tokenText } from '../text.ts';

const passkeySchema = z.object({
  _id: z.string(),
  name: z.string(),
  createdAt: timeSchema,
  lastUsedAt: z.nullable(timeSchema),
  /** The passkey's provider keeps a copy, so the passkey survives the loss of the device. */
  isSynced: z.boolean(),
});

export type PasskeyView = z.output<typeof passkeySchema>;

export const passkeyRegisterOptions = endpoint({
  method: 'POST',
  path: '/auth/passkeys/register/options',
  summary: 'Start creating a passkey: the options for the browser. Valid for five minutes.',
  access: 'signedIn',
  writes: true,
  beforeSecondFactor: true,
  limit: 'sensitive',
  body: proofSchema,
  response: answer({ data: z.object({ options: creationOptionsSchema }) }),
  errors: [...proofErrors, 'EMAIL_NOT_VERIFIED', 'TOO_MANY_PASSKEYS'],
});

export const passkeyRegister = endpoint({
  method: 'POST',
  path: '/auth/passkeys/register/verify',
  summary: 'Save the new passkey. The session gets new tokens, which replace its earlier ones.',
  access: 'signedIn',
  writes: true,
  beforeSecondFactor: true,
  limit: 'sensitive',
  body: z.object({ credential: attestationSchema, name: z.optional(nameText(1, passkeyNameMaxLength)) }),
  response: answer({ data: z.object({ passkey: passkeySchema, ...raisedTokenFields }) }),
  errors: ['PASSKEY_REFUSED', 'EMAIL_NOT_VERIFIED', 'TOO_MANY_PASSKEYS', 'CONFLICT'],
});

export const passkeyLoginOptions = endpoint({
  method: 'POST',
  path: '/auth/passkeys/login/options',
  summary: 'Start a passkey sign-in without a username. Valid for five minutes.',
  access: 'everyone',
  writes: true,
  limit: 'passkey',
  response: answer({ data: z.object({ options: requestOptionsSchema }) }),
});

export const passkeyLogin = endpoint({
  method: 'POST',
  path: '/auth/passkeys/login/verify',
  summary:
    "Sign in with a passkey; it replaces both factors, and completes the sign-in of a challenge after the house's account. If its counter went backwards, the response is a challenge for a code and no token.",
  access: 'everyone',
  writes: true,
  limit: 'passkey',
  body: z.object({ credential: assertionSchema, challenge: z.optional(tokenText) }),
  response: answer({ data: signInAnswerSchema }),
  errors: ['INVALID_CREDENTIALS', 'CHALLENGE_EXPIRED', 'ACCOUNT_DEACTIVATED', 'ACCOUNT_LEAVING'],
});

export const listPasskeys = endpoint({
  method: 'GET',
  path: '/auth/passkeys',
  summary: 'List my passkeys, newest first.',
  access: 'signedIn',
  beforeSecondFactor: true,
  response: answer({ data: z.object({ passkeys: z.array(passkeySchema) }) }),
});

export const renamePasskey = endpoint({
  method: 'PATCH',
  path: '/auth/passkeys/{id}',
  summary: 'Rename a passkey.',
  access: 'signedIn',
  writes: true,
  params: z.object({ id: idSchema }),
  body: z.object({ name: nameText(1, passkeyNameMaxLength) }),
  response: answer({ data: z.object({ passkey: passkeySchema }) }),
  errors: ['NOT_FOUND'],
});

export const removePasskey = endpoint({
  method: 'DELETE',
  path: '/auth/passkeys/{id}',
  summary: 'Delete a passkey. Ends every other session.',
  access: 'signedIn',
  writes: true,
  limit: 'sensitive',
  params: z.object({ id: idSchema }),
  body: proofSchema,
  response: answer({ data: z.object({}) }),
  errors: [...proofErrors, 'LAST_WAY_IN', 'NOT_FOUND'],
});

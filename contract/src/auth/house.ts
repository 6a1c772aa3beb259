import * as z from 'zod/mini';
import { answer, endpoint } from '../endpoint.ts';
import { text, tokenText } from '../text.ts';
import { signInAnswerSchema } from './session.ts';

/** The address of a provider, as providers name themselves in answers. */
const issuerText = z.string().check(z.maxLength(2048), z.regex(/^https?:\/\/[\x21-\x7e]+$/, 'This is not a provider'));

export const startHouse = endpoint({
  method: 'GET',
  path: '/auth/house',
  summary:
    "Start a sign-in of staff with the house's account: returns the address of its provider, and binds the sign-in to this browser by a cookie.",
  access: 'everyone',
  limit: 'identity',
  response: answer({ data: z.object({ url: z.string() }) }),
  errors: ['NOT_FOUND', 'UNAVAILABLE'],
});

export const houseSignIn = endpoint({
  method: 'POST',
  path: '/auth/house',
  summary: "Sign in as staff with what the house's provider returned to this browser. Same response as a login.",
  access: 'everyone',
  writes: true,
  limit: 'identity',
  body: z.object({ code: text(1, 8192), state: tokenText, iss: z.optional(issuerText) }),
  response: answer({ data: signInAnswerSchema }),
  errors: [
    'INVALID_CREDENTIALS',
    'ACCOUNT_DEACTIVATED',
    'ACCOUNT_LEAVING',
    'FORBIDDEN',
    'NOT_FOUND',
    'CONFLICT',
    'LINK_NEEDS_PASSWORD',
    'UNAVAILABLE',
  ],
});

export const linkHouse = endpoint({
  method: 'POST',
  path: '/auth/house/link',
  summary:
    "Link the house's account that was just shown to my staff account, which has its address. Needs a fresh sign-in, and signs me out everywhere.",
  access: 'signedIn',
  writes: true,
  limit: 'sensitive',
  body: z.object({ linkToken: text(1, 8192) }),
  response: answer({ data: z.object({}) }),
  errors: ['INVALID_CODE', 'PROOF_REQUIRED', 'FORBIDDEN', 'NOT_FOUND', 'IDENTITY_TAKEN'],
});

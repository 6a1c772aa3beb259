import { msg } from '@lingui/core/runtime-macro';
import * as z from 'zod/mini';
import { answer, endpoint } from '../endpoint.ts';
import { proofErrors, proofSchema } from './factors.ts';
import { raisedTokenFields, signInAnswerSchema } from './session.ts';
import { emailSchema, givenPasswordSchema, idSchema, text, timeSchema, tokenText } from '../text.ts';
import { said } from '../said.ts';

/** Identity providers. */
export const identityProviders = ['google', 'facebook'] as const;
export const identityProviderSchema = z.enum(identityProviders);
export type IdentityProvider = z.output<typeof identityProviderSchema>;

/** The credential that a provider issued. */
const givenTokenText = text(1, 8192);

const googleFields = { tokenId: givenTokenText };
/** The result of the authorization-code flow with PKCE (RFC 7636); the server exchanges it for the ID token. */
const googleCodeFields = {
  authorizationCode: givenTokenText,
  codeVerifier: z.string().check(z.regex(/^[\w.~-]{43,128}$/, 'Not a code verifier')),
  /** The page of this service that the browser returned to. */
  redirectUri: givenTokenText,
};
const facebookFields = {
  accessToken: givenTokenText,
  /** Not trusted as proof, but if present it must match the user of the token. */
  userID: z.optional(idSchema),
};
/** If true, new people join immediately; otherwise they are asked to accept the terms first. */
const acceptTerms = z.optional(z.boolean());

const signInErrors = [
  'INVALID_CREDENTIALS',
  'ACCOUNT_DEACTIVATED',
  'ACCOUNT_LEAVING',
  'FORBIDDEN',
  'NOT_FOUND',
  'LINK_NEEDS_PASSWORD',
  'JOIN_UNFINISHED',
  'REGISTRATION_CLOSED',
  'SECOND_FACTOR_REQUIRED',
  'UNAVAILABLE',
] as const;

export const googleNonce = endpoint({
  method: 'GET',
  path: '/auth/google/nonce',
  summary: 'Start a Google sign-in in a browser: returns the nonce for the token, bound to a cookie for ten minutes.',
  access: 'everyone',
  response: answer({ data: z.object({ nonce: z.string() }) }),
  errors: ['NOT_FOUND'],
});

export const googleSignIn = endpoint({
  method: 'POST',
  path: '/auth/google',
  summary: 'Sign in or join with a Google ID token, or a code to exchange for one. Same response as a login.',
  access: 'everyone',
  writes: true,
  limit: 'identity',
  body: z.union([z.object({ ...googleFields, acceptTerms }), z.object({ ...googleCodeFields, acceptTerms })]),
  response: answer({ data: signInAnswerSchema }),
  errors: signInErrors,
});

export const facebookSignIn = endpoint({
  method: 'POST',
  path: '/auth/facebook',
  summary: 'Sign in or join with a Facebook access token or limited-login token. Same response as a login.',
  access: 'everyone',
  writes: true,
  limit: 'identity',
  body: z.object({ ...facebookFields, acceptTerms }),
  response: answer({ data: signInAnswerSchema }),
  errors: signInErrors,
});

export const linkByPassword = endpoint({
  method: 'POST',
  path: '/auth/link',
  summary: "Link an identity to the account that uses its address, with that account's password, and sign in.",
  access: 'everyone',
  writes: true,
  limit: 'identity',
  body: z.object({ linkToken: tokenText, password: givenPasswordSchema }),
  response: answer({ data: signInAnswerSchema }),
  errors: [
    'INVALID_CODE',
    'WRONG_PASSWORD',
    'ACCOUNT_DEACTIVATED',
    'ACCOUNT_LEAVING',
    'FORBIDDEN',
    'SECOND_FACTOR_REQUIRED',
    'UNAVAILABLE',
  ],
});

export const joinWithIdentity = endpoint({
  method: 'POST',
  path: '/auth/join',
  summary:
    'Join with an identity that was just confirmed. With Facebook the address can be changed; it is verified by an emailed code.',
  access: 'everyone',
  status: 201,
  writes: true,
  creates: true,
  limit: 'register',
  body: z.object({
    joinToken: tokenText,
    email: z.optional(emailSchema),
    acceptTerms: z.boolean().check(z.refine((accepted) => accepted, said(msg`Accept the terms to join`))),
  }),
  response: answer({ data: signInAnswerSchema }),
  errors: [
    'INVALID_CODE',
    'REGISTRATION_CLOSED',
    'LINK_NEEDS_PASSWORD',
    'ACCOUNT_DEACTIVATED',
    'ACCOUNT_LEAVING',
    'FORBIDDEN',
    'SECOND_FACTOR_REQUIRED',
  ],
});

/** An identity together with the provider's credential that proves it. */
const shownIdentity = [
  z.object({ ...googleFields }),
  z.object({ ...googleCodeFields }),
  z.object({ ...facebookFields }),
] as const;

const identitySchema = z.object({ provider: identityProviderSchema, linkedAt: timeSchema });
export type IdentityView = z.output<typeof identitySchema>;

/** All sign-in methods of an account except passkeys, which have their own list. */
export const waysInSchema = z.object({
  identities: z.array(identitySchema),
  hasPassword: z.boolean(),
  /** Until when this sign-in is recent enough to confirm actions without a password; null if it isn't. */
  freshUntil: z.nullable(timeSchema),
});
export type WaysIn = z.output<typeof waysInSchema>;

export const listIdentities = endpoint({
  method: 'GET',
  path: '/auth/identities',
  summary: 'List the identities linked to my account, and whether it has a password.',
  access: 'signedIn',
  response: answer({ data: waysInSchema }),
  errors: ['FORBIDDEN'],
});

export const addIdentity = endpoint({
  method: 'POST',
  path: '/auth/identities',
  summary: 'Link an identity to my verified account, replacing one of the same provider.',
  access: 'signedIn',
  writes: true,
  limit: 'sensitive',
  body: z.union([
    z.extend(proofSchema, shownIdentity[0].shape),
    z.extend(proofSchema, shownIdentity[1].shape),
    z.extend(proofSchema, shownIdentity[2].shape),
  ]),
  response: answer({ data: waysInSchema }),
  errors: [...proofErrors, 'EMAIL_NOT_VERIFIED', 'IDENTITY_REFUSED', 'IDENTITY_TAKEN', 'FORBIDDEN', 'NOT_FOUND'],
});

export const removeIdentity = endpoint({
  method: 'DELETE',
  path: '/auth/identities/{provider}',
  summary: 'Unlink an identity if another sign-in method remains. Ends every other session.',
  access: 'signedIn',
  writes: true,
  limit: 'sensitive',
  params: z.object({ provider: idSchema }),
  body: proofSchema,
  response: answer({ data: waysInSchema }),
  errors: [...proofErrors, 'LAST_WAY_IN', 'FORBIDDEN', 'NOT_FOUND'],
});

export const confirmIdentity = endpoint({
  method: 'POST',
  path: '/auth/confirm',
  summary: 'Confirm a linked identity again, which makes this sign-in fresh; for accounts without a password.',
  access: 'signedIn',
  writes: true,
  limit: 'sensitive',
  body: z.union([...shownIdentity]),
  response: answer({ data: z.extend(waysInSchema, raisedTokenFields) }),
  errors: ['IDENTITY_REFUSED', 'FORBIDDEN', 'NOT_FOUND', 'UNAVAILABLE'],
});

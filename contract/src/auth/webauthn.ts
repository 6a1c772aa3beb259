import * as z from 'zod/mini';

/** Bytes as WebAuthn writes them in JSON. */
const bytes = (maxLength: number) => z.string().check(z.maxLength(maxLength), z.regex(/^[\w-]*$/, 'Not base64url'));

const longestId = 1400;
const longestAnswer = 16_384;

/** An authenticator's answer to a sign-in: the parts of `AuthenticationResponseJSON` that we read. */
export const assertionSchema = z.object({
  id: bytes(longestId),
  rawId: bytes(longestId),
  type: z.literal('public-key'),
  response: z.object({
    clientDataJSON: bytes(longestAnswer),
    authenticatorData: bytes(longestAnswer),
    signature: bytes(longestAnswer),
    userHandle: z.optional(z.nullable(bytes(longestId))),
  }),
});

/** An authenticator's answer when it creates a passkey: the parts of `RegistrationResponseJSON` that we read. */
export const attestationSchema = z.object({
  id: bytes(longestId),
  rawId: bytes(longestId),
  type: z.literal('public-key'),
  response: z.object({
    clientDataJSON: bytes(longestAnswer),
    attestationObject: bytes(longestAnswer),
    transports: z.optional(z.array(z.string().check(z.regex(/^[a-z-]{1,20}$/))).check(z.maxLength(10))),
  }),
});

export type Assertion = z.output<typeof assertionSchema>;
export type Attestation = z.output<typeof attestationSchema>;

/** `PublicKeyCredentialRequestOptionsJSON`: any passkey of this site, without a username. */
export const requestOptionsSchema = z.object({
  challenge: z.string(),
  timeout: z.int(),
  rpId: z.string(),
  userVerification: z.literal('required'),
});

/** `PublicKeyCredentialCreationOptionsJSON`: a discoverable passkey with user verification. */
export const creationOptionsSchema = z.object({
  rp: z.object({ id: z.string(), name: z.string() }),
  user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
  challenge: z.string(),
  pubKeyCredParams: z.array(z.object({ alg: z.int(), type: z.literal('public-key') })),
  timeout: z.int(),
  attestation: z.literal('none'),
  excludeCredentials: z.array(z.object({ id: z.string(), type: z.literal('public-key') })),
  authenticatorSelection: z.object({
    residentKey: z.literal('required'),
    requireResidentKey: z.literal(true),
    userVerification: z.literal('required'),
  }),
});

export type RequestOptions = z.output<typeof requestOptionsSchema>;
export type CreationOptions = z.output<typeof creationOptionsSchema>;

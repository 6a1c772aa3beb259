import type { IdentityProvider } from '#contract/auth/identities.ts';

/** What works once, by its digest, and until when it would work again. */
export interface UsedUp {
  hash: Buffer;
  until: Date;
}

/** Who somebody is at a provider, shown by a token that was checked. */
export interface ShownIdentity {
  provider: IdentityProvider;
  /** What the provider calls them, for good. */
  subject: string;
  email: string | null;
  /** The provider vouches for the address. */
  isEmailProven: boolean;
  firstName: string | null;
  lastName: string | null;
  /** What must not have been shown before. */
  once: UsedUp[];
}

/** A token that shows nobody: forged, another's, too old, or not for us. */
export class RefusedToken extends Error {
  override name = 'RefusedToken';
}

/** The provider did not answer in time, or nothing that can be understood; nothing is known of the token. */
export class ProviderUnavailable extends Error {
  override name = 'ProviderUnavailable';
}

export interface GoogleIdentities {
  /** Where browsers go, and as whom. */
  forBrowsers: { url: string; clientId: string };
  /** The identity of an ID token; `nonce` is what its browser was given, or null. */
  read(tokenId: string, nonce: string | null, now: Date): Promise<ShownIdentity>;
}

export interface FacebookIdentities {
  forBrowsers: { url: string; clientId: string };
  /** The identity of an access token, or of the token of the limited login; `userId` is whom the caller takes it to be about. */
  read(accessToken: string, userId: string | undefined, now: Date): Promise<ShownIdentity>;
}

/** How a provider is reached. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

import type { ErrorCode } from '#contract/errors.ts';
import type { IdentityProvider } from '#contract/auth/identities.ts';
import { AppError, notFound } from '../../../platform/http/app-error.ts';
import type { Deps } from '../../../deps.ts';
import { ProviderUnavailable, RefusedToken, type ShownIdentity } from './providers/provider.ts';

export const providerNames: Record<IdentityProvider, string> = { google: 'Google', facebook: 'Facebook' };

/** What a caller shows of who they are elsewhere, as calls take it. */
export type Shown = { tokenId: string } | { accessToken: string; userID?: string | undefined };

const retryAfterSeconds = 30;

/** The code at the bottom of an error, such as the connection's; null where none has one. */
function reasonOf(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  const { code } = error as Error & { code?: unknown };
  return reasonOf(error.cause) ?? (typeof code === 'string' ? code : null);
}

/**
 * The identity that a caller shows. Refused with `refusal` when the token shows none; 503 when the provider cannot tell, which
 * says nothing about the token; 404 where nobody signs in by this provider.
 */
export async function shownIdentity(
  { identities, log }: Deps,
  shown: Shown,
  cookies: string | undefined,
  now: Date,
  refusal: ErrorCode,
): Promise<ShownIdentity> {
  const name = providerNames['tokenId' in shown ? 'google' : 'facebook'];
  try {
    const read =
      'tokenId' in shown
        ? identities.google?.read(shown.tokenId, identities.nonces.read(cookies, now), now)
        : identities.facebook?.read(shown.accessToken, shown.userID, now);
    if (read === undefined) throw notFound();
    return await read;
  } catch (error) {
    if (error instanceof RefusedToken)
      throw new AppError(refusal, `${name} does not confirm that it is you. Please try again.`);
    if (!(error instanceof ProviderUnavailable)) throw error;
    log.warn(
      { err: error.cause ?? error, provider: name, asked: error.message, reason: reasonOf(error) },
      'a provider of identities did not answer',
    );
    const words = `${name} cannot be reached right now. Please try again in a moment, or sign in another way.`;
    throw new AppError('UNAVAILABLE', words, { retryAfterSeconds });
  }
}

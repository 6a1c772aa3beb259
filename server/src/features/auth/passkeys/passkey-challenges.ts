import { decodeClientDataJSON } from '@simplewebauthn/server/helpers';
import { passkeyChallengeMinutes } from '#contract/constants.ts';
import { secondsAfter } from '../../../platform/process/clock.ts';
import type { Config } from '../../../platform/config/config.ts';
import type { Db } from '../../../platform/db/db.ts';
import { hashToken, newToken } from '../../../platform/config/seal.ts';

/** How long a browser waits for its holder to show that they are there. */
export const passkeyTimeoutMs = passkeyChallengeMinutes * 60_000;

/** Where passkeys are made for and work: the public address alone, whatever a request says. */
export function relyingParty({ publicUrl }: Pick<Config, 'publicUrl'>): { rpId: string; origin: string } {
  const { hostname, origin } = new URL(publicUrl);
  return { rpId: hostname, origin };
}

/** A challenge for a new passkey of an account, or for a sign-in (null). */
export async function newPasskeyChallenge(db: Db, accountId: string | null, now: Date): Promise<string> {
  const challenge = newToken();
  await db
    .insertInto('passkey_challenge')
    .values({
      challenge_hash: hashToken(challenge),
      account_id: accountId,
      expires_at: secondsAfter(now, passkeyChallengeMinutes * 60),
    })
    .execute();
  return challenge;
}

/** Whether a challenge is ours, open and made for this; it is used up, whatever comes of it. */
export async function takePasskeyChallenge(
  db: Db,
  challenge: string,
  accountId: string | null,
  now: Date,
): Promise<boolean> {
  const taken = await db
    .deleteFrom('passkey_challenge')
    .where('challenge_hash', '=', hashToken(challenge))
    .returning(['account_id', 'expires_at'])
    .executeTakeFirst();
  return taken !== undefined && taken.account_id === accountId && taken.expires_at > now;
}

/** The challenge that an authenticator's answer is for; null for what no page of ours made. */
export function challengeIn({ clientDataJSON }: { clientDataJSON: string }): string | null {
  try {
    const { challenge, crossOrigin } = decodeClientDataJSON(clientDataJSON) as {
      challenge?: unknown;
      crossOrigin?: unknown;
    };
    return typeof challenge === 'string' && crossOrigin !== true ? challenge : null;
  } catch {
    return null;
  }
}

import { identityClaimMinutes } from '#contract/constants.ts';
import { AppError } from '../../../platform/http/app-error.ts';
import { secondsAfter } from '../../../platform/process/clock.ts';
import type { Db } from '../../../platform/db/db.ts';
import type { ShownIdentity } from './providers/provider.ts';
import { hashToken, newToken } from '../../../platform/config/seal.ts';

/** An identity that was shown, and waits for one thing more. */
export type Claim = Omit<ShownIdentity, 'once'>;
type Purpose = 'link' | 'join';

/** Keeps a shown identity for a quarter of an hour, in place of what it waited for before; answers its handle. */
export async function openClaim(tx: Db, purpose: Purpose, claim: Claim, now: Date): Promise<string> {
  const { provider, subject, email, isEmailProven, firstName, lastName } = claim;
  const token = newToken();
  await tx
    .deleteFrom('identity_claim')
    .where('provider', '=', provider)
    .where('subject', '=', subject)
    .where('purpose', '=', purpose)
    .execute();
  await tx
    .insertInto('identity_claim')
    .values({
      token_hash: hashToken(token),
      purpose,
      provider,
      subject,
      email,
      email_proven: isEmailProven,
      first_name: firstName,
      last_name: lastName,
      expires_at: secondsAfter(now, identityClaimMinutes * 60),
    })
    .execute();
  return token;
}

/** The identity behind a handle; 400 for an unknown, used or late one. */
export async function readClaim(db: Db, purpose: Purpose, token: string, now: Date): Promise<Claim> {
  const row = await db
    .selectFrom('identity_claim')
    .selectAll()
    .where('token_hash', '=', hashToken(token))
    .where('purpose', '=', purpose)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  if (row === undefined) throw claimIsOver();
  return {
    provider: row.provider,
    subject: row.subject,
    email: row.email,
    isEmailProven: row.email_proven,
    firstName: row.first_name,
    lastName: row.last_name,
  };
}

/** Uses a handle up, so that it works once; 400 if somebody else did meanwhile. */
export async function takeClaim(tx: Db, token: string): Promise<void> {
  const taken = await tx
    .deleteFrom('identity_claim')
    .where('token_hash', '=', hashToken(token))
    .returning('token_hash')
    .executeTakeFirst();
  if (taken === undefined) throw claimIsOver();
}

const claimIsOver = () => new AppError('INVALID_CODE', 'This took too long. Please begin again.');

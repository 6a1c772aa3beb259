import { termsVersion } from '#contract/constants.ts';
import type { Db } from '../../../platform/db/db.ts';
import { AppError } from '../../../platform/http/app-error.ts';
import type { CommandContext } from '../../../platform/http/mount.ts';

/** Records once that an account accepted the current terms; earlier versions stay recorded. */
export async function recordConsent(db: Db, accountId: string, now: Date): Promise<void> {
  await db
    .insertInto('consent')
    .values({ account_id: accountId, kind: 'terms', version: termsVersion, accepted_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Records that the caller accepted the terms they were shown; 409 if a newer release has other terms. */
export async function agreeToTerms(
  { tx, caller, now }: CommandContext,
  { version }: { version: string },
): Promise<void> {
  if (version !== termsVersion)
    throw new AppError('CONFLICT', 'These terms have changed again. Please reload the page to read them.');
  await recordConsent(tx, caller.accountId, now);
}

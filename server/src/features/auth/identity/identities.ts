import { msg } from '@lingui/core/runtime-macro';
import { sql } from 'kysely';
import type { SignInMethod } from '#contract/auth/auth.ts';
import type { IdentityProvider } from '#contract/auth/identities.ts';
import { type Db, Raced, refusedConstraint } from '#platform/db/db.ts';
import type { ShownIdentity, UsedUp } from './providers/provider.ts';
import { identityClaimMinutes } from '#contract/constants.ts';
import { AppError } from '#platform/http/app-error.ts';
import type { CommandContext } from '#platform/http/mount.ts';
import { secondsAfter } from '#platform/process/clock.ts';
import { hashToken, newToken } from '#platform/config/secrets.ts';
import { hasPasskey, totpFactor, lowerSessionsWithoutFactor } from '../factors/factors.ts';
import { textOf } from '#platform/texts.ts';
import { type AccountRow, noteTrace } from '../accounts.ts';

/** The names of the providers. */
export const providerNames: Record<IdentityProvider, string> = { google: 'Google', facebook: 'Facebook' };

type Named = Pick<ShownIdentity, 'provider' | 'subject'>;

/** The account that an identity is linked to, or undefined. */
export async function ownerOf(db: Db, { provider, subject }: Named): Promise<string | undefined> {
  const row = await db
    .selectFrom('identity')
    .select('account_id')
    .where('provider', '=', provider)
    .where('subject', '=', subject)
    .executeTakeFirst();
  return row?.account_id;
}

/** The identities of an account, in the order they were linked. */
export async function identitiesOf(db: Db, accountId: string) {
  return await db
    .selectFrom('identity')
    .select(['provider', 'linked_at as linkedAt'])
    .where('account_id', '=', accountId)
    .orderBy('linked_at')
    .execute();
}

/**
 * Links an identity to an account, replacing the one of the same provider. Throws `Raced` if another request has just
 * linked it.
 */
export async function saveIdentity(tx: Db, accountId: string, identity: Named, now: Date): Promise<void> {
  const { provider, subject } = identity;
  await tx
    .insertInto('identity')
    .values({ provider, subject, account_id: accountId, linked_at: now })
    .onConflict((conflict) => conflict.constraint('identity_account_key').doUpdateSet({ subject, linked_at: now }))
    .execute()
    .catch((error: unknown) => {
      throw refusedConstraint(error) === 'identity_pkey'
        ? new Raced('the identity is linked', { cause: error })
        : error;
    });
  await noteTrace(tx, accountId, now);
}

/** Unlinks an identity from an account; returns whether there was one. */
export async function deleteIdentity(tx: Db, accountId: string, provider: IdentityProvider): Promise<boolean> {
  const gone = await tx
    .deleteFrom('identity')
    .where('account_id', '=', accountId)
    .where('provider', '=', provider)
    .returning('subject')
    .executeTakeFirst();
  return gone !== undefined;
}

/** Marks one-time tokens as used; false if one of them was already used. */
export async function useUp(tx: Db, once: readonly UsedUp[]): Promise<boolean> {
  if (once.length === 0) return true;
  const noted = await tx
    .insertInto('used_token')
    .values(once.map(({ hash, until }) => ({ token_hash: hash, expires_at: until })))
    .onConflict((conflict) => conflict.doNothing())
    .returning('token_hash')
    .execute();
  return noted.length === once.length;
}

/** A presented identity that waits for one more step. */
export type Claim = Omit<ShownIdentity, 'once'>;
type Purpose = 'link' | 'join';

/** Stores a presented identity for 15 minutes, replacing an earlier one; returns its handle. */
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

/** Locks a handle until the transaction ends; 400 if another request used it up. */
export async function lockClaim(tx: Db, token: string): Promise<void> {
  const locked = await tx
    .selectFrom('identity_claim')
    .select('token_hash')
    .where('token_hash', '=', hashToken(token))
    .forUpdate()
    .executeTakeFirst();
  if (locked === undefined) throw claimIsOver();
}

/** The identity stored under a handle; 400 for an unknown, used or expired one. */
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

/** Uses up a handle, so that it works once; 400 if another request used it first. */
export async function takeClaim(tx: Db, token: string): Promise<void> {
  const taken = await tx
    .deleteFrom('identity_claim')
    .where('token_hash', '=', hashToken(token))
    .returning('token_hash')
    .executeTakeFirst();
  if (taken === undefined) throw claimIsOver();
}

const claimIsOver = () => new AppError('INVALID_CODE', msg`This took too long. Please start over.`);

/**
 * Throws 409 unless the account still has a way to sign in, such as the house's account where the service uses it; called in
 * the same transaction after removing a sign-in method.
 */
export async function demandWayIn(
  { tx, deps }: Pick<CommandContext, 'tx' | 'deps'>,
  account: { id: string; password_hash: string | null },
): Promise<void> {
  if (account.password_hash !== null || (await hasPasskey(tx, account.id))) return;
  if ((await identitiesOf(tx, account.id)).length > 0) return;
  const { rows: house } = await sql`
    select from house_person h join account a on a.id = h.account_id
    where a.id = ${account.id} and a.staff_role is not null and h.issuer = ${deps.config.house?.issuer ?? null}::text`.execute(
    tx,
  );
  if (house.length > 0) return;
  throw new AppError('LAST_WAY_IN', msg`This is your only sign-in method. Choose a password first.`);
}

/** The sign-in methods of an account besides its password, the oldest first. */
export async function signInMethodsOf(db: Db, accountId: string) {
  const { rows } = await sql<Omit<SignInMethod, 'addedAt'> & { addedAt: Date }>`
    select provider as _id, provider as kind, null as name, linked_at as "addedAt" from identity where account_id = ${accountId}
    union all select id::text, 'passkey', name, created_at from passkey where account_id = ${accountId}
    order by "addedAt"`.execute(db);
  return rows;
}

/** Removes the sign-in methods of an account whose ids are not in `keep`. */
export async function removeSignInMethods(tx: Db, accountId: string, keep: readonly string[]): Promise<void> {
  await sql`delete from identity where account_id = ${accountId} and provider <> all (${keep}::text[])`.execute(tx);
  await sql`delete from passkey where account_id = ${accountId} and id::text <> all (${keep}::text[])`.execute(tx);
  await lowerSessionsWithoutFactor(tx, accountId);
}

/** The sign-in methods of an account besides its password, as text for an email to it; empty if there are none. */
export async function otherWays(tx: Db, { id, language }: Pick<AccountRow, 'id' | 'language'>): Promise<string> {
  const ways = (await identitiesOf(tx, id)).map(({ provider }) => providerNames[provider]);
  if (await hasPasskey(tx, id)) ways.push(textOf(msg`a passkey`, {}, language));
  if ((await totpFactor(tx, id)) !== undefined) ways.push(textOf(msg`two-step verification`, {}, language));
  return ways.join(', ');
}

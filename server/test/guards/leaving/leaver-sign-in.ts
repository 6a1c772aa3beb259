import { askForRemoval, enableTotp, setUpTotp } from '#contract/auth/factors.ts';
import { passkeyRegister, passkeyRegisterOptions } from '#contract/auth/passkeys.ts';
import { Authenticator } from '../../doubles/authenticator.ts';
import type { TestMember } from '../../factories.ts';
import { challengeOf, codeAt, takeTokens } from '../../factors.ts';
import type { TestApp } from '../../harness.ts';
import { secondsAfter } from '../../../src/platform/process/clock.ts';
import { password } from '../people.ts';
import { addIdentity } from '#contract/auth/identities.ts';
import { idTokenOf, linkTokenFor } from '../cases/identities.ts';

/**
 * Fills every table that stores two-step verification and passkeys: one of each, an unfinished one, a pending sign-in,
 * a requested removal and a pending restore of an address. The member gets the new tokens; returns a code that still
 * works.
 */
export async function protectAccount(
  test: TestApp,
  member: Pick<TestMember, 'id' | 'token'>,
  email: string,
  passkeyName: string,
): Promise<string> {
  const { id, token } = member;
  const now = test.clock.now();
  const { secret } = (await test.call(setUpTotp, { token, body: { password } })).body.data;
  const { sealed_secret } = await test.db.selectFrom('totp_setup').selectAll().executeTakeFirstOrThrow();
  const enabled = await test.call(enableTotp, { token, body: { code: codeAt(secret, now) } });
  await test.db.insertInto('totp_setup').values({ account_id: id, sealed_secret, expires_at: now }).execute();
  takeTokens(member, enabled.body.data);
  const [recoveryCode = '', code = ''] = enabled.body.data.recoveryCodes;
  const begin = async (code: string) =>
    (await test.call(passkeyRegisterOptions, { token: member.token, body: { password, code } })).body.data.options;
  const credential = new Authenticator().make(await begin(codeAt(secret, now, 1)));
  await test.call(passkeyRegister, { token: member.token, body: { credential, name: passkeyName } });
  await begin(recoveryCode);
  await test.db
    .insertInto('former_password')
    .values({ account_id: id, password_hash: 'a digest', replaced_at: now })
    .execute();
  await test.db
    .updateTable('former_address')
    .set({ changed_at: secondsAfter(now, -8 * 86_400) })
    .where('account_id', '=', id)
    .execute();
  const { restore_hash } = await test.db.selectFrom('former_address').select('restore_hash').executeTakeFirstOrThrow();
  await test.db
    .insertInto('address_restore')
    .values({ account_id: id, restore_hash, stop_hash: restore_hash, password_hash: 'x', password_suits_staff: false })
    .execute();
  await test.call(askForRemoval, { body: { challenge: await challengeOf(test, email, password) } });
  return code;
}

/** Links the leaver to Google, and leaves a Facebook sign-in that waits for the password. */
export async function signInWithOthers(test: TestApp, { token }: { token: string }, email: string): Promise<void> {
  await test.call(addIdentity, { token, body: { tokenId: await idTokenOf(test, email), password } });
  await linkTokenFor(test, email);
}

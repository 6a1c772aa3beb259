import { addIdentity } from '#contract/auth/identities.ts';
import { personOf } from '../../../../demo/identity/routes.ts';
import type { TestApp } from '../../harness.ts';
import { idTokenOf, linkTokenFor } from '../cases/identities-requests.ts';
import { password } from '../people.ts';

/** The leaver's names at Google and Facebook. */
export const subjectOf = (email: string): string => personOf(email, '').subject;

/** Links the leaver to Google, and leaves a Facebook sign-in that waits for the password. */
export async function signInWithOthers(test: TestApp, { token }: { token: string }, email: string): Promise<void> {
  await test.call(addIdentity, { token, body: { tokenId: await idTokenOf(test, email), password } });
  await linkTokenFor(test, email);
}

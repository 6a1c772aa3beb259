import { changeEmail, verifyEmail } from '#contract/auth/auth.ts';
import { restoreDelayHours } from '#contract/constants.ts';
import type { Proof } from '#contract/auth/factors.ts';
import type { TestMember } from './factories.ts';
import { newAddress, password } from './guards/people.ts';
import type { TestApp } from './harness.ts';
import { tokenIn } from './mail/link-token.ts';

/** The link token named `name` in the newest email to `email` that has one. */
export async function mailedToken(
  test: TestApp,
  email: string,
  name: 'token' | 'cancel' | 'corrected' | 'undo' | 'stop' | 'restore' | 'remove' | 'keep',
): Promise<string> {
  const links = (await test.outbox(email)).flatMap((mail) => mail.links);
  const tokens = links.map((link) => tokenIn(link, name));
  return tokens.find((token) => token !== null) ?? '';
}

/** The content of the emails about a requested change of address. */
export interface AskedChange {
  /** The requested address. */
  email: string;
  handle: string;
  /** The code and the link mailed to the requested address. */
  code: string;
  link: string;
  /** The link mailed to the old address. */
  cancel: string;
}

/** Requests another address for a member, a second after their previous action. */
export async function askForChange(
  test: TestApp,
  { token, email: old }: Pick<TestMember, 'token' | 'email'>,
  email = newAddress(),
  proof: Proof = { password },
): Promise<AskedChange> {
  test.clock.advance(1);
  const asked = await test.call(changeEmail, { token, body: { email, ...proof } });
  const handle = asked.body.data.verificationToken;
  const [mail] = await test.outbox(email);
  const cancel = await mailedToken(test, old, 'cancel');
  return { email, handle, code: mail?.code ?? '', link: await mailedToken(test, email, 'token'), cancel };
}

/** Advances the clock past the 72 hours in which a restore can be stopped, and runs the job that carries it out. */
export async function carryOut(test: TestApp): Promise<void> {
  test.clock.advance(restoreDelayHours * 3600);
  await test.app.background.tasks['auth.restoreAddresses']?.({}, {} as never);
}

/** Changes a member's address; returns the new one, and the token mailed to the old one that undoes the change. */
export async function changeAddress(
  test: TestApp,
  member: Pick<TestMember, 'token' | 'email'>,
  email = newAddress(),
  proof: Proof = { password },
): Promise<{ email: string; undo: string }> {
  const { code } = await askForChange(test, member, email, proof);
  const verified = await test.call(verifyEmail, { token: member.token, body: { code } });
  if (verified.status !== 200) throw new Error(`the change was refused: ${verified.raw}`);
  return { email, undo: await mailedToken(test, member.email, 'undo') };
}

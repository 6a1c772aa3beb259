import { forgotPassword, register, resetPassword, verifyEmail } from '#contract/auth/auth.ts';
import { listOutbox } from '#contract/system.ts';
import { setTimeout as pause } from 'node:timers/promises';
import { mustCall } from './http.ts';

export const password = 'a phrase nobody would guess';

/** The header in which a trusted proxy passes on the client's address, in one of 65,536 networks. */
export function fromNetwork(number: number): Record<string, string> {
  return { 'x-forwarded-for': `10.${(number >> 8) & 255}.${number & 255}.1` };
}

/** Registers a new member from network `number`. */
export async function joinAs(origin: string, email: string, number: number) {
  const body = { email, password, firstName: 'Ida', lastName: 'Holm', acceptTerms: true };
  return await mustCall(origin, register, { body, headers: fromNetwork(number) });
}

/** Verifies an address with the mailed link. */
export async function verifyByMail(origin: string, email: string, headers: Record<string, string>): Promise<void> {
  const token = await mailedToken(origin, email, 'verify-email');
  if (token === null) throw new Error('no mail to prove the address');
  await mustCall(origin, verifyEmail, { body: { token, password }, headers });
}

/** The outbox isn't shown to proxies, so this is asked from this machine itself. */
async function mailedToken(origin: string, email: string, page: string): Promise<string | null> {
  const { mails } = (await mustCall(origin, listOutbox, { query: { to: email } })).data;
  const link = mails.flatMap(({ links }) => links).find((url) => url.includes(page));
  return link === undefined ? null : new URL(link).searchParams.get('token');
}

/** Resets a password by mail; throws when no mail arrives within `withinMs`. */
export async function resetByMail(
  origin: string,
  { email, newPassword, headers }: { email: string; newPassword: string; headers: Record<string, string> },
  withinMs: number,
): Promise<void> {
  await mustCall(origin, forgotPassword, { body: { email }, headers });
  for (const deadline = performance.now() + withinMs; ; await pause(200)) {
    const token = await mailedToken(origin, email, 'reset-password');
    if (token !== null) {
      await mustCall(origin, resetPassword, { body: { token, password: newPassword }, headers });
      return;
    }
    if (performance.now() > deadline) throw new Error(`no mail with a reset link within ${withinMs / 1000} s`);
  }
}

import { forgotPassword, register, resetPassword, verifyEmail } from '#contract/auth/auth.ts';
import { listOutbox } from '#contract/system.ts';
import { setTimeout as pause } from 'node:timers/promises';
import { mustCall } from './http.ts';

export const password = 'a phrase nobody would guess';

/** The header by which a proxy that is trusted says from which of 65,536 networks a request comes. */
export function fromNetwork(number: number): Record<string, string> {
  return { 'x-forwarded-for': `10.${(number >> 8) & 255}.${number & 255}.1` };
}

/** Joins as a new member, from network `number`. */
export async function joinAs(origin: string, email: string, number: number) {
  const body = { email, password, firstName: 'Ida', lastName: 'Holm', acceptTerms: true };
  return await mustCall(origin, register, { body, headers: fromNetwork(number) });
}

/** Proves an address with the link that was mailed to it. */
export async function verifyByMail(origin: string, email: string, headers: Record<string, string>): Promise<void> {
  const token = await mailedToken(origin, email, 'verify-email', headers);
  if (token === null) throw new Error('no mail to prove the address');
  await mustCall(origin, verifyEmail, { body: { token }, headers });
}

async function mailedToken(
  origin: string,
  email: string,
  page: string,
  headers: Record<string, string>,
): Promise<string | null> {
  const { mails } = (await mustCall(origin, listOutbox, { query: { to: email }, headers })).data;
  const link = mails.flatMap(({ links }) => links).find((url) => url.includes(page));
  return link === undefined ? null : new URL(link).searchParams.get('token');
}

/** Chooses a new password by mail, as someone who forgot theirs; throws when no mail comes within `withinMs`. */
export async function resetByMail(
  origin: string,
  email: string,
  newPassword: string,
  headers: Record<string, string>,
  withinMs: number,
): Promise<void> {
  await mustCall(origin, forgotPassword, { body: { email }, headers });
  for (const deadline = performance.now() + withinMs; ; await pause(50)) {
    const token = await mailedToken(origin, email, 'reset-password', headers);
    if (token !== null) {
      await mustCall(origin, resetPassword, { body: { token, password: newPassword }, headers });
      return;
    }
    if (performance.now() > deadline) throw new Error(`no mail with a reset link within ${withinMs / 1000} s`);
  }
}

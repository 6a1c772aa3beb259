import { register } from '#contract/auth/auth.ts';
import { mustCall } from './http.ts';

export const password = 'a phrase nobody would guess';

/** Registers a new member. */
export async function joinAs(origin: string, email: string) {
  const body = { email, password, firstName: 'Ida', lastName: 'Holm', acceptTerms: true };
  return await mustCall(origin, register, { body });
}

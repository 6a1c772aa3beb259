import * as z from 'zod/mini';
import { register } from '#contract/auth/auth.ts';

/** The body of a registration, and the parts of it that each step asks for. */
export const joinParts = {
  whole: register.body,
  email: z.pick(register.body, { email: true }),
  name: z.pick(register.body, { firstName: true }),
  password: z.pick(register.body, { password: true }),
};

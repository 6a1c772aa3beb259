import { register } from '#contract/auth/auth.ts';

/** The body of a registration. */
export const joinBody = register.body;

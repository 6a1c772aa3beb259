import { register } from '#contract/auth/auth.ts';

/** What joining sends. */
export const joinBody = register.body;

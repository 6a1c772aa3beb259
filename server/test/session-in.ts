import type * as z from 'zod/mini';
import type { signedInSchema, signInAnswerSchema } from '#contract/auth/session.ts';

/** The session in the answer to a sign-in that needs no second factor. */
export function sessionIn(body: { data: z.output<typeof signInAnswerSchema> }): z.output<typeof signedInSchema> {
  if (!('token' in body.data)) throw new Error('a second factor is required');
  return body.data;
}

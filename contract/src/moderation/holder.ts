import * as z from 'zod/mini';
import { timeSchema } from '../text.ts';

/** Who has a case in hand, and until when where that is a claim. */
export const holderSchema = z.object({
  _id: z.nullable(z.string()),
  name: z.string(),
  until: z.nullable(timeSchema),
});

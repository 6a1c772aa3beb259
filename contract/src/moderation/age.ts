import * as z from 'zod/mini';
import { ageStates } from '../age-check.ts';
import { answer, endpoint } from '../endpoint.ts';
import { daySchema, idSchema } from '../text.ts';
import { caseIsStale } from './decisions.ts';

/** What is known about the age of a case's person. */
export const caseAgeSchema = z.object({
  state: z.enum(ageStates),
  since: z.nullable(daySchema),
  askedOn: z.nullable(daySchema),
  /** Whether the person can be asked: a check failed or an open report says that they may be a minor, and a provider is set up. */
  canAsk: z.boolean(),
});
export type CaseAge = z.output<typeof caseAgeSchema>;

export const askForAge = endpoint({
  method: 'POST',
  path: '/admin/cases/{id}/ask-age',
  summary:
    'Ask the person of a case for age assurance. Until then, they can’t write to people first; if they fail, the case becomes critical. 409 unless a check failed or an open report says that they may be a minor. Audited.',
  access: 'cases.handle',
  writes: true,
  params: z.object({ id: idSchema }),
  response: answer({}),
  errors: ['NOT_FOUND', 'CASE_CLAIMED', 'CONFLICT'],
  stale: caseIsStale,
});

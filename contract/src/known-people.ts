import { msg } from '@lingui/core/runtime-macro';
import * as z from 'zod/mini';
import { answer, endpoint } from './endpoint.ts';
import { emailSchema } from './text.ts';
import { said } from './said.ts';

export const knownPeopleMax = 500;
export const knownPeoplePerDay = 20;

/** The answers reveal nothing about who is a member. */
const response = answer({
  data: z.object({
    /** How many addresses are stored. */
    count: z.int(),
    /** How many more I may add today (UTC). */
    left: z.int(),
  }),
});

export const getKnownPeople = endpoint({
  method: 'GET',
  path: '/known-people',
  summary: "Count the addresses of people who shouldn't see me here. The addresses themselves are not stored.",
  access: 'signedIn',
  response,
  errors: ['FORBIDDEN'],
});

export const putKnownPeople = endpoint({
  method: 'PUT',
  path: '/known-people',
  summary:
    'Add addresses of people I know: members with such an address, now or later, no longer see me. Nothing changes in what I see; likes and notes I send them are answered as sent and never delivered, unless I like back. Matches stay.',
  access: 'signedIn',
  writes: true,
  limit: 'block',
  body: z.object({
    addresses: z
      .array(emailSchema)
      .check(
        z.minLength(1, said(msg`Add at least one address`)),
        z.maxLength(knownPeoplePerDay, said(msg`Add at most ${{ maximum: knownPeoplePerDay }} addresses a day`)),
      ),
  }),
  response,
  errors: ['FORBIDDEN', 'TOO_MANY_REQUESTS'],
});

export const removeKnownPerson = endpoint({
  method: 'POST',
  path: '/known-people/remove',
  summary:
    'Remove one address, so that its owner can see me again. What I sent them in the meantime stays undelivered. An address that is not stored changes nothing.',
  access: 'signedIn',
  writes: true,
  body: z.object({ address: emailSchema }),
  response,
  errors: ['FORBIDDEN'],
});

export const clearKnownPeople = endpoint({
  method: 'DELETE',
  path: '/known-people',
  summary: 'Remove all addresses of people I know, as if one by one.',
  access: 'signedIn',
  writes: true,
  response,
  errors: ['FORBIDDEN'],
});

import { msg } from '@lingui/core/runtime-macro';
import * as z from 'zod/mini';
import { answer, endpoint } from './endpoint.ts';
import { emailSchema } from './text.ts';
import { said } from './said.ts';

export const knownPeopleMax = 500;
export const knownPeoplePerDay = 20;
/** How long after an address was added its owner is hidden: a random time between, which doesn't reveal whose address it is. */
export const knownPeopleHours = { from: 6, to: 48 };
/** How long an address that was removed still hides its owner. */
export const knownPeopleKeptDays = 30;

/** The answers say nothing about who is a member. */
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
  summary: "Count the addresses of people I don't want to meet here. The addresses themselves are not stored.",
  access: 'signedIn',
  response,
  errors: ['FORBIDDEN'],
});

export const putKnownPeople = endpoint({
  method: 'PUT',
  path: '/known-people',
  summary:
    'Add addresses of people I know: members with such an address and I are hidden from each other, within two days and whenever one joins. Matches stay.',
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
    'Remove one address, so that its owner and I can see each other again after 30 days. An address that is not stored changes nothing.',
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

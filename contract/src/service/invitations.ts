import { msg } from '@lingui/core/runtime-macro';
import * as z from 'zod/mini';
import { answer, endpoint } from '../endpoint.ts';
import { said } from '../said.ts';
import { idSchema, timeSchema, trimmedText } from '../text.ts';

/** The most people that one link admits, and the most days that it is valid. */
export const invitationLimits = { people: 1000, days: 365 };

const whole = (most: number) =>
  z
    .int(said(msg`Use a whole number`))
    .check(
      z.minimum(1, said(msg`Use ${{ minimum: 1 }} or more`)),
      z.maximum(most, said(msg`Use ${{ maximum: most }} or less`)),
    );

const invitationSchema = z.object({
  _id: z.string(),
  /** The URL to share. */
  link: z.string(),
  note: z.string(),
  most: z.int(),
  uses: z.int(),
  endsAt: timeSchema,
  madeAt: timeSchema,
  by: z.string(),
  isRevoked: z.boolean(),
  /** Who joined with it and still has an account, newest first. */
  people: z.array(z.object({ _id: z.string(), name: z.string(), usedAt: timeSchema })),
});
export type Invitation = z.output<typeof invitationSchema>;

export const listInvitations = endpoint({
  method: 'GET',
  path: '/admin/invitations',
  summary: 'List the newest 100 links to join, with who used them.',
  access: 'service.edit',
  response: answer({ data: z.object({ invitations: z.array(invitationSchema) }) }),
});

export const makeInvitation = endpoint({
  method: 'POST',
  path: '/admin/invitations',
  summary: 'Make a link that lets a number of people join until it ends. Audited.',
  access: 'service.edit',
  status: 201,
  writes: true,
  creates: true,
  body: z.object({
    /** Visible only to the team: who the link is for. */
    note: trimmedText(0, 80),
    most: whole(invitationLimits.people),
    days: whole(invitationLimits.days),
  }),
  response: answer({ data: z.object({ link: z.string() }) }),
  errors: ['INVALID_INPUT'],
  stale: ['/admin/invitations'],
});

export const revokeInvitation = endpoint({
  method: 'DELETE',
  path: '/admin/invitations/{id}',
  summary: 'End a link to join at once; who used it stays. Audited.',
  access: 'service.edit',
  writes: true,
  params: z.object({ id: idSchema }),
  response: answer({}),
  errors: ['NOT_FOUND'],
  stale: ['/admin/invitations'],
});

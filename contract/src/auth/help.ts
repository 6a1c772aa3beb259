import * as z from 'zod/mini';
import { reasonMaxLength } from '../constants.ts';
import { answer, endpoint } from '../endpoint.ts';
import { emailSchema, idSchema, trimmedText } from '../text.ts';

const reason = trimmedText(1, reasonMaxLength);

/**
 * What staff do for a person who can't sign in: each act has a reason, writes an audit event and mails the person. Links and archives go to
 * the person's mailbox only and are never part of an answer.
 */
const act = {
  method: 'POST',
  access: 'users.help',
  writes: true,
  limit: 'sensitive',
  params: z.object({ id: idSchema }),
  body: z.object({ reason }),
  response: answer({ data: z.object({}) }),
  errors: ['NOT_FOUND', 'FORBIDDEN', 'CONFLICT', 'TOO_MANY_REQUESTS'],
} as const;

export const helpConfirmation = endpoint({
  ...act,
  path: '/admin/users/{id}/help/confirmation',
  summary: 'Mail the confirmation of their address to a person again, as often as they could ask for it themselves.',
});

export const helpResetLink = endpoint({
  ...act,
  path: '/admin/users/{id}/help/reset-link',
  summary: 'Mail a person a link to choose a new password, as often as they could ask for it themselves.',
});

export const helpAddress = endpoint({
  ...act,
  path: '/admin/users/{id}/help/address',
  summary:
    'Correct an address that was never confirmed. Ends all sessions, and for 24 hours no password can be reset. Never for staff.',
  body: z.object({ email: emailSchema, reason }),
  errors: [...act.errors, 'EMAIL_TAKEN'],
});

export const helpUnlock = endpoint({
  ...act,
  path: '/admin/users/{id}/help/unlock',
  summary: 'End the pauses after wrong passwords and codes. Half of the free tries stay used up.',
  response: answer({
    data: z.object({
      /** Whether there was a pause. */
      wasPaused: z.boolean(),
    }),
  }),
});

export const helpExport = endpoint({
  ...act,
  path: '/admin/users/{id}/help/export',
  summary: 'Prepare a person’s data export. Only they are mailed how to download it, three times a day at most.',
});

export const helpRestore = endpoint({
  ...act,
  path: '/admin/users/{id}/help/restore',
  summary: 'Mail a person whose account is being deleted a link that keeps it.',
});

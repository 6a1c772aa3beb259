import * as z from 'zod/mini';
import { reportTextMaxLength } from '../constants.ts';
import { answer, endpoint } from '../endpoint.ts';
import { idSchema } from '../text.ts';
import { filledText } from './templates.ts';

export const writeToMember = endpoint({
  method: 'POST',
  path: '/admin/users/{id}/messages',
  summary:
    'Write to a member first. They read it among their reports and may answer; only then it is a report, assigned to the sender. 409 for staff and for people who cannot sign in. Audited.',
  access: 'reports.handle',
  writes: true,
  status: 201,
  creates: true,
  limit: 'staffMessage',
  params: z.object({ id: idSchema }),
  body: z.object({ text: filledText(reportTextMaxLength) }),
  response: answer({ data: z.object({ reportId: z.string() }) }),
  errors: ['NOT_FOUND', 'CONFLICT', 'FORBIDDEN'],
});

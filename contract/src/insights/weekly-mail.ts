import * as z from 'zod/mini';
import { answer, endpoint } from '../endpoint.ts';

const weeklySchema = answer({ data: z.object({ isWanted: z.boolean() }) });

export const getWeeklyMail = endpoint({
  method: 'GET',
  path: '/admin/insights/mail',
  summary: 'Whether I get an email about the last week each Monday.',
  access: 'dashboard.view',
  response: weeklySchema,
});

export const putWeeklyMail = endpoint({
  method: 'PUT',
  path: '/admin/insights/mail',
  summary: 'Ask for the Monday email, or stop it.',
  access: 'dashboard.view',
  writes: true,
  body: z.object({ isWanted: z.boolean() }),
  response: weeklySchema,
});

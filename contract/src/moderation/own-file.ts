import * as z from 'zod/mini';
import { answer, endpoint } from '../endpoint.ts';
import { daySchema } from '../text.ts';

/**
 * Why staff opened an account. `support`: the member asked for it. `safety`: a report, case, appeal, hold or automatic rule. `routine`:
 * other work.
 */
export const staffReadKinds = ['support', 'safety', 'routine'] as const;
export type StaffReadKind = (typeof staffReadKinds)[number];

/** After how many days without an open case members see that staff opened their account, unless they asked for it. */
export const staffReadDelayDays = 7;
/** The number of days over which entries caused by a case are spread; each delay looks random. */
export const staffReadSpreadDays = 6;
/** How many days members see an entry. */
export const staffReadKeptDays = 730;

/** A day on which entries were added to the file, and why staff opened the account. */
const fileDaySchema = z.object({ day: daySchema, kinds: z.array(z.enum(staffReadKinds)) });
export type FileDay = z.output<typeof fileDaySchema>;

/** The most days in one answer; the data export contains all. */
export const fileDaysMax = 100;

export const getOwnFile = endpoint({
  method: 'GET',
  path: '/auth/file',
  summary:
    'List that staff opened my account, and for which kind of reason, by the day on which it was added, newest first. Never who. What I asked for is added at once; everything else at the earliest seven days later, and only once no case about me is open.',
  access: 'signedIn',
  response: answer({ data: z.object({ days: z.array(fileDaySchema) }) }),
  errors: ['FORBIDDEN'],
});

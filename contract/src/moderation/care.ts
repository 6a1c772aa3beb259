import * as z from 'zod/mini';
import { answer, endpoint } from '../endpoint.ts';
import type { EmergencyKind } from './emergencies.ts';
import type { OutsiderType } from './outsider-types.ts';
import type { ReportType } from './reports.ts';

/** What may be hard to look at, by the type of a report, an outsider report or an emergency. Reports about minors always are. */
export const sensitive = {
  reports: ['Inappropriate Content'] satisfies ReportType[],
  notices: ['child_abuse', 'minor', 'intimate_pictures'] satisfies OutsiderType[],
  emergencies: ['minor', 'sexual_violence'] satisfies EmergencyKind[],
};

/** After this many such cases in a day (UTC), a colleague is offered no more of them. They may still open one themselves. */
export const sensitivePerDay = 20;
/** After such a case, another one is offered next if there is one among this many. */
export const rotationWithin = 5;

const careSchema = z.object({
  /** How many cases that may be hard to look at the caller has opened today. */
  opened: z.int(),
  most: z.int(),
  isOver: z.boolean(),
});
export type Care = z.output<typeof careSchema>;

export const getCare = endpoint({
  method: 'GET',
  path: '/admin/care',
  summary:
    'Count the cases I have opened today that may be hard to look at, and whether I am given more of them. Only the caller sees it.',
  access: 'cases.handle',
  response: answer({ data: careSchema }),
});

/**
 * The case to offer next: the first one that follows, except cases that may be hard to look at after the daily limit. After such a case,
 * another kind with the same priority comes first if there is one soon.
 */
export function nextOffered<T extends { isSensitive: boolean; priority: string }>(
  following: readonly T[],
  isAfterSensitive: boolean,
  isOver: boolean,
): T | undefined {
  const given = isOver ? following.filter(({ isSensitive }) => !isSensitive) : following;
  const other = isAfterSensitive
    ? given
        .slice(0, rotationWithin)
        .find(({ isSensitive, priority }) => !isSensitive && priority === given[0]?.priority)
    : undefined;
  return other ?? given[0];
}

import * as z from 'zod/mini';
import { answer, endpoint } from '../endpoint.ts';
import type { ReportType } from './reports.ts';

/** Types of reports whose evidence may be hard to look at. Those about minors are, whatever their type. */
export const sensitiveTypes: readonly ReportType[] = ['Inappropriate Content'];

/** After this many such cases in a day (UTC), a colleague is given no more of them. They may still open one themselves. */
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

/** Whether the evidence of a case with reports of these types may be hard to look at. */
export const isSensitive = (types: readonly string[]): boolean =>
  types.some((type) => (sensitiveTypes as readonly string[]).includes(type));

/**
 * The case to offer after one of `before`: the first of the following ones, but none that may be hard to look at after the daily limit, and
 * another kind of the same priority after such a case if one follows soon.
 */
export function nextOffered<T extends { types: readonly string[]; priority: string }>(
  following: readonly T[],
  before: readonly string[],
  isOver: boolean,
): T | undefined {
  const given = isOver ? following.filter(({ types }) => !isSensitive(types)) : following;
  const other = isSensitive(before)
    ? given
        .slice(0, rotationWithin)
        .find(({ types, priority }) => !isSensitive(types) && priority === given[0]?.priority)
    : undefined;
  return other ?? given[0];
}

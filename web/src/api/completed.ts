import type { ReportReply } from '#contract/moderation/report.ts';

/**
 * An answer with `defaults` for fields that are missing, or null where a value is always expected: one incomplete row
 * must not break a whole screen.
 */
export function completed<T extends object>(
  given: { [K in keyof T]?: T[K] | null | undefined } | null,
  defaults: T,
): T {
  const missing = Object.keys(defaults).filter((key) => (given?.[key as keyof T] ?? null) === null);
  return { ...(given as T), ...Object.fromEntries(missing.map((key) => [key, defaults[key as keyof T]])) };
}

const noReply: ReportReply = { _id: '', message: '', isInternal: false, repliedBy: { name: '—' }, repliedAt: '' };

/** The replies of a report with everything the screens read, however little the answer contains; they have keys of their own. */
export function completedReplies(given: readonly Partial<ReportReply>[] | null | undefined): ReportReply[] {
  return (given ?? []).map((reply, index) => ({
    ...completed(reply, { ...noReply, _id: `reply-${index}` }),
    repliedBy: completed(reply.repliedBy ?? null, noReply.repliedBy),
  }));
}

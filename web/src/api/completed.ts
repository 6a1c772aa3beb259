import type { ReportReply } from '#contract/moderation/reports.ts';
import type { Pagination } from '#contract/paging.ts';

/**
 * Fills missing fields of an answer with `defaults`, including those that are null where a value is required, so that one incomplete row
 * does not break a whole screen.
 */
export function completed<T extends object>(
  given: { [K in keyof T]?: T[K] | null | undefined } | null,
  defaults: T,
): T {
  const missing = Object.keys(defaults).filter((key) => (given?.[key as keyof T] ?? null) === null);
  return { ...(given as T), ...Object.fromEntries(missing.map((key) => [key, defaults[key as keyof T]])) };
}

/**
 * The pagination of a list of which `count` rows were loaded. If the answer has no total, the loaded rows count as all
 * of them.
 */
export function completedPagination(given: Partial<Pagination> | null | undefined, count: number): Pagination {
  const limit = given?.limit ?? Math.max(1, count);
  const total = given?.total ?? count;
  return completed<Pagination>(given ?? null, { page: 1, limit, total, pages: Math.ceil(total / limit) });
}

const noReply: ReportReply = { _id: '', message: '', isInternal: false, repliedBy: { name: '—' }, repliedAt: '' };

/** The replies of a report, with defaults for all missing fields. Replies without an id get one. */
export function completedReplies(given: readonly Partial<ReportReply>[] | null | undefined): ReportReply[] {
  return (given ?? []).map((reply, index) => ({
    ...completed(reply, { ...noReply, _id: `reply-${index}` }),
    repliedBy: completed(reply.repliedBy ?? null, noReply.repliedBy),
  }));
}

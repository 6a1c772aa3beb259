import { t } from '@lingui/core/macro';
import type { ComponentProps, ReactNode } from 'react';
import { Link } from 'react-router';
import { ApiError } from '../api/api-error.ts';
import { useMay } from '../api/session/permission.ts';
import { EmptyState, QueryStates } from '../ui/feedback/PageStates.tsx';
import { Panel } from '../ui/layout/Page.tsx';

interface DetailQuery<T> {
  data: T | undefined;
  error: Error | null;
}

/** Whether what a page is about does not exist, or the viewer may not see it. */
export const isMissing = ({ data, error }: DetailQuery<unknown>) =>
  data === undefined && error instanceof ApiError && error.status === 404;

export interface DetailBodyProps<T> extends ComponentProps<typeof QueryStates<T>> {
  /** What is said if it is missing. */
  missing: ComponentProps<typeof EmptyState>;
  /** What was done last, shown here only if what comes next can't be loaded. */
  notice?: ReactNode;
}

/** One thing for staff: while it is loaded, once it is there, or that it is missing. */
export function DetailBody<T>({ missing, notice, ...states }: DetailBodyProps<T>) {
  const { query } = states;
  return (
    <>
      {query.error !== null && query.data === undefined && notice}
      {isMissing(query) ? <EmptyState isFramed {...missing} /> : <QueryStates {...states} />}
    </>
  );
}

/** For those who may see the audit trail: the way to what staff did with one thing. */
export function HistoryPanel({ id, lead }: { id: string; lead: string }) {
  if (!useMay('audit.view')) return null;
  return (
    <Panel title={t`History`} lead={lead}>
      <Link to={`/audit?targetId=${encodeURIComponent(id)}`}>{t`Open in the audit trail`}</Link>
    </Panel>
  );
}

import { t } from '@lingui/core/macro';
import type { ComponentProps, ReactNode } from 'react';
import { Link, type LinkProps } from 'react-router';
import { ApiError } from '../api/api-error.ts';
import { useMay } from '../api/session/permission.ts';
import { LastUpdated, type Refreshable } from '../ui/feedback/LastUpdated.tsx';
import { EmptyState, QueryStates } from '../ui/feedback/PageStates.tsx';
import { Breadcrumb, Page, Panel } from '../ui/layout/Page.tsx';

type DetailQuery<T> = Refreshable & { data: T | undefined };

/** Whether what a page is about does not exist, or the viewer may not see it. */
export const isMissing = ({ data, error }: DetailQuery<unknown>) =>
  data === undefined && error instanceof ApiError && error.status === 404;

interface DetailBodyProps<T> extends ComponentProps<typeof QueryStates<T>> {
  query: DetailQuery<T>;
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

interface DetailScreenProps<T> extends DetailBodyProps<T> {
  /** The link to the list that it belongs to. */
  back: LinkProps;
  title: string;
  missingTitle: string;
  /** Buttons in the head, after the age of the data. */
  actions?: ReactNode;
}

/** The page of one thing for staff: the way back, its head, and its facts, panels and acts. */
export function DetailScreen<T>({ back, title, missingTitle, actions, ...body }: DetailScreenProps<T>) {
  const isGone = isMissing(body.query);
  return (
    <>
      <Breadcrumb {...back} />
      <Page
        title={isGone ? missingTitle : title}
        actions={
          !isGone && (
            <>
              <LastUpdated query={body.query} />
              {actions}
            </>
          )
        }
      >
        <DetailBody {...body} />
      </Page>
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

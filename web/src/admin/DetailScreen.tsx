import { t } from '@lingui/core/macro';
import { Box } from '@mantine/core';
import type { ComponentProps, ReactNode } from 'react';
import { Link, type LinkProps } from 'react-router';
import { ApiError } from '../api/api-error.ts';
import { useMay } from '../api/session/permission.ts';
import { LastUpdated, type Refreshable } from '../ui/feedback/LastUpdated.tsx';
import { EmptyState, QueryStates } from '../ui/feedback/PageStates.tsx';
import { BackLink, Page, Panel } from '../ui/layout/Page.tsx';

interface DetailScreenProps<T> extends ComponentProps<typeof QueryStates<T>> {
  query: Refreshable & { data: T | undefined };
  /** The link to the list that it belongs to. */
  back: LinkProps;
  title: string;
  /** The title and the text if it does not exist, or the viewer may not see it. */
  missingTitle: string;
  missing: ComponentProps<typeof EmptyState>;
  /** Buttons in the head, after the age of the data. */
  actions?: ReactNode;
  /** What was done last, shown here only if what comes next can't be loaded. */
  notice?: ReactNode;
}

/** The page of one thing for staff: the way back, its head, and its facts, panels and acts, or that it is missing. */
export function DetailScreen<T>(props: DetailScreenProps<T>) {
  const { back, title, missingTitle, missing, actions, notice, ...states } = props;
  const { data, error } = states.query;
  const isMissing = data === undefined && error instanceof ApiError && error.status === 404;
  return (
    <>
      <Box
        component="nav"
        w="100%"
        maw="80rem"
        m="0 auto -1rem"
        pt="1.25rem"
        px="max(var(--hw-gutter), min(1.25rem, 3vw))"
        aria-label={t`Breadcrumb`}
      >
        <BackLink {...back} />
      </Box>
      <Page
        title={isMissing ? missingTitle : title}
        actions={
          !isMissing && (
            <>
              <LastUpdated query={states.query} />
              {actions}
            </>
          )
        }
      >
        {error !== null && data === undefined && notice}
        {isMissing ? <EmptyState isFramed {...missing} /> : <QueryStates {...states} />}
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

import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { useSession } from '../../features/auth/session/session.ts';
import { EmptyState } from '../../ui/feedback/PageStates.tsx';
import { Page, PageHeading } from '../../ui/layout/Page.tsx';
import { t } from '../../ui/text/text.ts';
import classes from './NarrowPage.module.css';

interface NarrowPageProps {
  title: string;
  /** The page above this one. */
  back?: { to: string; text: string };
  lead?: ReactNode;
  /** Buttons next to the heading. */
  actions?: ReactNode;
  children: ReactNode;
}

/** The frame of a member's page in one column. */
export function NarrowPage({ title, back, lead, actions, children }: NarrowPageProps) {
  return (
    <div className={classes.page}>
      {back && (
        <Link to={back.to} className={classes.back} data-screen-only>
          {back.text}
        </Link>
      )}
      <div className={classes.top}>
        <PageHeading className={classes.title}>{title}</PageHeading>
        {actions}
      </div>
      {lead && <div className={classes.lead}>{lead}</div>}
      {children}
    </div>
  );
}

/** A page for members only; staff see a notice and a link to their dashboard. */
export function MembersOnly({ title, children }: { title: string; children: ReactNode }) {
  const isStaff = useSession((session) => session.user?.isAdmin === true);
  if (!isStaff) return children;
  return (
    <Page title={title}>
      <EmptyState isFramed text={t("This is for members. Staff accounts can't use matching.")} />
      <p>
        <Button component={Link} to="/dashboard" variant="default">
          {t('To the dashboard')}
        </Button>
      </p>
    </Page>
  );
}

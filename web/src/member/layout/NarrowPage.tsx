import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { PageHeading } from '../../ui/layout/PageHeading.tsx';
import classes from './NarrowPage.module.css';

interface NarrowPageProps {
  title: string;
  /** The page above this one. */
  back?: { to: string; text: string };
  lead?: ReactNode;
  /** Buttons beside the heading. */
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

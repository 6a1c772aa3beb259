import type { ReactNode } from 'react';
import classes from './layout.module.css';
import { PageHeading } from './PageHeading.tsx';

interface PageProps {
  title: string;
  /** Buttons beside the heading. */
  actions?: ReactNode;
  children: ReactNode;
}

/** The frame of a page with a heading: width, margins, and room for actions beside the title. */
export function Page({ title, actions, children }: PageProps) {
  return (
    <div className={classes.page}>
      <div className={classes.top}>
        <PageHeading className={classes.title}>{title}</PageHeading>
        {actions && <div className={classes.actions}>{actions}</div>}
      </div>
      {children}
    </div>
  );
}

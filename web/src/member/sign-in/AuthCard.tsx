import type { ReactNode } from 'react';
import classes from '../../features/auth/sign-in.module.css';
import { LogoMark } from '../../ui/shell/Logo.tsx';
import { PageHeading } from '../../ui/layout/Page.tsx';

interface AuthCardProps {
  title: string;
  lead?: ReactNode;
  children: ReactNode;
  /** Links to other pages, below the card. */
  foot?: ReactNode;
}

/** The card that the members' sign-in pages (sign in, join, verify, reset) are drawn on. */
export function AuthCard({ title, lead, children, foot }: AuthCardProps) {
  return (
    <div className={classes.page}>
      <div className={classes.card}>
        <LogoMark size={40} />
        <PageHeading className={classes.title}>{title}</PageHeading>
        {lead && <p className={classes.lead}>{lead}</p>}
        {children}
      </div>
      {foot && <div className={classes.foot}>{foot}</div>}
    </div>
  );
}

/** A column of fields, notices and buttons on the card. */
export function AuthFields({ children }: { children: ReactNode }) {
  return <div className={classes.fields}>{children}</div>;
}

import type { ReactNode } from 'react';
import { LogoMark } from '../../ui/layout/Logo.tsx';
import { PageHeading } from '../../ui/layout/PageHeading.tsx';
import classes from '../../features/auth/sign-in.module.css';

interface DoorCardProps {
  title: string;
  lead?: ReactNode;
  children: ReactNode;
  /** Ways to other pages, below the card. */
  foot?: ReactNode;
}

/** The card that the members' doors (sign in, join, verify, reset) stand on. */
export function DoorCard({ title, lead, children, foot }: DoorCardProps) {
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

/** A column of fields. */
export function DoorFields({ children }: { children: ReactNode }) {
  return <div className={classes.fields}>{children}</div>;
}

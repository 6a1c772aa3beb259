import { Group, type GroupProps, Stack, type StackProps } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link, type LinkProps } from 'react-router';
import { passingFocus } from './Page.tsx';
import classes from './layout.module.css';

/** A list whose rows are separated by thin lines. */
export function Rows(props: StackProps) {
  return <Stack component="ul" gap={0} className={classes.rows} {...props} />;
}

interface RowProps {
  icon: ReactNode;
  children: ReactNode;
  /** Buttons, which are below the text on phones. */
  actions?: ReactNode;
}

/** A row with an icon, content and actions. */
export function Row({ icon, children, actions }: RowProps) {
  return (
    <li ref={passingFocus} className={classes.row}>
      {icon}
      <div>{children}</div>
      <Buttons>{actions}</Buttons>
    </li>
  );
}

/** A row that is a link; the current one is marked. */
export function RowLink(link: LinkProps) {
  return <Link className={classes.rowLink} {...link} />;
}

/** Buttons next to each other; on phones, those of a form fill the line. */
export function Buttons({ ofForm = false, ...group }: GroupProps & { ofForm?: boolean }) {
  return <Group gap="0.6rem" {...(ofForm && { className: classes.buttons ?? '' })} {...group} />;
}

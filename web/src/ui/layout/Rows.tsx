import { Group, type GroupProps, Stack, type StackProps } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link, type LinkProps } from 'react-router';
import classes from './layout.module.css';

/** A list whose rows are separated by hairlines. */
export function Rows(props: StackProps) {
  return <Stack component="ul" gap={0} className={classes.rows} {...props} />;
}

interface RowProps {
  icon: ReactNode;
  children: ReactNode;
  /** Buttons; on phones they are below the text. */
  actions?: ReactNode;
}

/** A row of an icon, what it is, and what can be done with it. */
export function Row({ icon, children, actions }: RowProps) {
  return (
    <li className={classes.row}>
      {icon}
      <div>{children}</div>
      <Buttons>{actions}</Buttons>
    </li>
  );
}

/** A row that leads somewhere, with the current one marked. */
export function RowLink(link: LinkProps) {
  return <Link className={classes.rowLink} {...link} />;
}

/** Buttons beside each other; those of a form fill the line on phones. */
export function Buttons({ ofForm = false, ...group }: GroupProps & { ofForm?: boolean }) {
  return <Group gap="0.6rem" {...(ofForm && { className: classes.buttons ?? '' })} {...group} />;
}

import { Group, Title } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import { Hint } from './Hint.ts';
import classes from './layout.module.css';

interface PartProps {
  title: string;
  /** A line under the title. */
  lead?: string;
  /** A state next to the title. */
  tag?: ReactNode;
  children: ReactNode;
}

/** A part of a panel with its own heading, separated from the previous part by a thin line. */
export function Part({ title, lead, tag, children }: PartProps) {
  const id = useId();
  return (
    <section className={classes.part} aria-labelledby={id}>
      <Group gap="0.3rem 0.7rem" mb="0.2rem">
        <Title id={id} order={3}>
          {title}
        </Title>
        {tag}
      </Group>
      {lead !== undefined && <Hint mb="0.9rem">{lead}</Hint>}
      {children}
    </section>
  );
}

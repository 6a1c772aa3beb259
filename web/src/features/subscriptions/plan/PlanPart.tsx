import { type ReactNode, useId } from 'react';
import classes from './PlanPart.module.css';

interface PlanPartProps {
  title: string;

  children: ReactNode;
}

/** One part of the plan, with a heading that names it. */
export function PlanPart({ title, children }: PlanPartProps) {
  const id = useId();
  return (
    <section className={classes.part} aria-labelledby={id}>
      <h3 id={id} className={classes.title}>
        {title}
      </h3>
      {children}
    </section>
  );
}

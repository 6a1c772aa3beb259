import { type ReactNode, useEffect, useId, useRef } from 'react';
import classes from './Step.module.css';

interface StepProps {
  title: string;
  /** It has come in the place of another: its heading takes the focus. */
  isNew: boolean;
  children: ReactNode;
}

/** One step of a purchase, under a heading of its own. */
export function Step({ title, isNew, children }: StepProps) {
  const id = useId();
  const heading = useRef<HTMLHeadingElement>(null);

  useEffect(() => {
    if (isNew) heading.current?.focus();
  }, [isNew]);

  return (
    <section className={classes.step} aria-labelledby={id}>
      <h2 id={id} ref={heading} tabIndex={-1} className={classes.title}>
        {title}
      </h2>
      {children}
    </section>
  );
}

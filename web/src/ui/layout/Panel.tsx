import { type ReactNode, useId } from 'react';
import classes from './layout.module.css';

interface PanelProps {
  title: string;
  /** A line under the title. */
  lead?: string;
  /** Buttons beside the title. */
  actions?: ReactNode;
  children: ReactNode;
  className?: string | undefined;
}

/** A part of a page with its own background and a heading that names it. */
export function Panel({ title, lead, actions, children, className }: PanelProps) {
  const id = useId();
  return (
    <section className={className ? `${classes.panel} ${className}` : classes.panel} aria-labelledby={id}>
      <div className={classes.panelTop}>
        <div>
          <h2 id={id} className={classes.panelTitle}>
            {title}
          </h2>
          {lead !== undefined && <p className={classes.panelLead}>{lead}</p>}
        </div>
        {actions}
      </div>
      {children}
    </section>
  );
}

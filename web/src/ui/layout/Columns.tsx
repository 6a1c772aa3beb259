import type { ReactNode } from 'react';
import classes from './Columns.module.css';

interface ColumnsProps {
  /** The columns have the same width; otherwise the first one is wider. */
  isEven?: boolean;
  /** The columns have the same height. */
  isStretched?: boolean;
  children: ReactNode;
}

/** Two columns, or one below the other if there is not enough room. */
export function Columns({ isEven, isStretched, children }: ColumnsProps) {
  return (
    <div className={classes.columns} data-even={isEven} data-stretched={isStretched}>
      {children}
    </div>
  );
}

/** Content that spans both columns. */
export function BothColumns({ children }: { children: ReactNode }) {
  return <div className={classes.wide}>{children}</div>;
}

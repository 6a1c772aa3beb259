import type { ReactNode } from 'react';
import classes from './Columns.module.css';

interface ColumnsProps {
  /** Equally wide; otherwise the first one is wider. */
  isEven?: boolean;
  /** As high as each other. */
  isStretched?: boolean;
  children: ReactNode;
}

/** Two columns, below each other where there is no room. */
export function Columns({ isEven, isStretched, children }: ColumnsProps) {
  return (
    <div className={classes.columns} data-even={isEven} data-stretched={isStretched}>
      {children}
    </div>
  );
}

/** What takes both columns. */
export function BothColumns({ children }: { children: ReactNode }) {
  return <div className={classes.wide}>{children}</div>;
}

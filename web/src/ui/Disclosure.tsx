import { IconChevronDown } from '@tabler/icons-react';
import { type ReactNode, useId, useState } from 'react';
import classes from './Disclosure.module.css';

/** A heading that opens and closes what is below it. */
export function Disclosure({ title, children }: { title: string; children: ReactNode }) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  return (
    <div className={classes.item} data-open={isOpen || undefined}>
      <h2 className={classes.heading}>
        <button
          type="button"
          className={classes.button}
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => setOpen(!isOpen)}
        >
          <span>{title}</span>
          <IconChevronDown className={classes.chevron} size={20} stroke={1.75} aria-hidden="true" />
        </button>
      </h2>
      <div id={id} className={classes.panel} hidden={!isOpen}>
        {children}
      </div>
    </div>
  );
}

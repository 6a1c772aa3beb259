import { IconChevronDown } from '@tabler/icons-react';
import { type ReactNode, useId, useState } from 'react';
import classes from './Disclosure.module.css';

interface DisclosureProps {
  title: string;
  heading?: 'h2' | 'h3';
  /** The content is only rendered once it is opened. */
  isLazy?: boolean;
  children: ReactNode;
}

/** A heading that opens and closes the content below it. */
export function Disclosure({ title, heading: Heading = 'h2', isLazy = false, children }: DisclosureProps) {
  const [isOpen, setOpen] = useState(false);
  const [wasOpen, setWasOpen] = useState(false);
  const id = useId();
  return (
    <div className={classes.item} data-open={isOpen || undefined}>
      <Heading className={classes.heading}>
        <button
          type="button"
          className={classes.button}
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => {
            setOpen(!isOpen);
            setWasOpen(true);
          }}
        >
          <span>{title}</span>
          <IconChevronDown className={classes.chevron} size={20} stroke={1.75} aria-hidden="true" />
        </button>
      </Heading>
      <div id={id} className={classes.panel} hidden={!isOpen}>
        {(wasOpen || !isLazy) && children}
      </div>
    </div>
  );
}

import { IconChevronDown } from '@tabler/icons-react';
import { type ReactNode, useId, useState } from 'react';
import classes from './Disclosure.module.css';

interface DisclosureProps {
  title: string;
  /** The content in a few words after the title. */
  note?: string;
  heading?: 'h2' | 'h3';
  /** The content is not rendered until it is opened. */
  isLazy?: boolean;
  startsOpen?: boolean;
  /** Leaves out its own frame, for use inside a panel. */
  isPlain?: boolean;
  children: ReactNode;
}

/** A heading that opens and closes the content below it. */
export function Disclosure({
  title,
  note = '',
  heading: Heading = 'h2',
  isLazy = false,
  startsOpen = false,
  isPlain = false,
  children,
}: DisclosureProps) {
  const [isOpen, setOpen] = useState(startsOpen);
  const [wasOpen, setWasOpen] = useState(startsOpen);
  const id = useId();
  return (
    <div className={classes.item} data-open={isOpen || undefined} data-plain={isPlain || undefined}>
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
          <span>
            {title}
            {note !== '' && <span className={classes.note}>{note}</span>}
          </span>
          <IconChevronDown className={classes.chevron} size={20} stroke={1.75} aria-hidden="true" />
        </button>
      </Heading>
      <div id={id} className={classes.panel} hidden={!isOpen}>
        {(wasOpen || !isLazy) && children}
      </div>
    </div>
  );
}

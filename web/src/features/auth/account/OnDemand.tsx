import { Button } from '@mantine/core';
import { type ReactNode, useId, useState } from 'react';
import classes from '../account.module.css';

/** A form of the settings behind a button that opens and closes it, so that at first only the state above it is shown. */
export function OnDemand({ text, children }: { text: string; children: ReactNode }) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  return (
    <>
      <div className={classes.buttons}>
        <Button variant="default" aria-expanded={isOpen} aria-controls={id} onClick={() => setOpen(!isOpen)}>
          {text}
        </Button>
      </div>
      <div id={id} hidden={!isOpen}>
        {isOpen && children}
      </div>
    </>
  );
}

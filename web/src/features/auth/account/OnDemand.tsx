import { Button } from '@mantine/core';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { dropDraft, keepDraft, readDraft } from '../../../ui/form/drafts.ts';
import { passingFocus } from '../../../ui/layout/Page.tsx';
import { Buttons } from '../../../ui/layout/Rows.tsx';

interface OnDemandProps {
  /** Identifies the form in the note that it is open. */
  name: 'email' | 'password';
  text: string;
  children: ReactNode;
}

/**
 * A form of the settings behind a button that opens and closes it, so that only the current state is shown at first.
 * The form opens again when people return from another site, such as Google, where they confirmed their identity.
 */
export function OnDemand({ name, text, children }: OnDemandProps) {
  const draft = `open-form:${name}`;
  const [wasOpen] = useState(() => readDraft(draft) !== null);
  const [isOpen, setOpen] = useState(wasOpen);
  const opener = useRef<HTMLButtonElement>(null);
  const id = useId();

  useEffect(() => {
    if (wasOpen) opener.current?.focus();
  }, [wasOpen]);

  useEffect(() => {
    if (isOpen) keepDraft(draft, {});
    return () => dropDraft(draft);
  }, [draft, isOpen]);

  return (
    <>
      <Buttons>
        <Button
          ref={opener}
          variant="default"
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => setOpen(!isOpen)}
        >
          {text}
        </Button>
      </Buttons>
      <div ref={passingFocus} id={id} hidden={!isOpen}>
        {isOpen && children}
      </div>
    </>
  );
}

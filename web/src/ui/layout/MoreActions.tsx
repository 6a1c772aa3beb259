import { ActionIcon, Box } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { isBehindDialog } from '../keyboard/shortcuts.tsx';
import classes from './layout.module.css';

interface MoreActionsProps {
  label: string;
  children: ReactNode;
}

/** A small button that opens a menu of rarely used actions; Esc closes it. */
export function MoreActions({ label, children }: MoreActionsProps) {
  const id = useId();
  const opener = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);

  useEffect(() => {
    if (!isOpen) return;
    const closeByKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || isBehindDialog()) return;
      event.preventDefault();
      setOpen(false);
      opener.current?.focus();
    };
    // In the capture phase, so that Esc does not also close a panel next to the page.
    document.addEventListener('keydown', closeByKey, true);
    return () => document.removeEventListener('keydown', closeByKey, true);
  }, [isOpen]);

  return (
    <Box pos="relative" flex="none">
      <ActionIcon
        ref={opener}
        variant="subtle"
        color="gray"
        size={44}
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        aria-label={label}
        onClick={() => setOpen(!isOpen)}
      >
        <IconDots size={22} stroke={1.75} />
      </ActionIcon>
      {isOpen && (
        <div id={id} className={classes.moreActions}>
          {children}
        </div>
      )}
    </Box>
  );
}

import { ActionIcon, Button } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { isBehindDialog } from '../keyboard/shortcuts.tsx';
import classes from './layout.module.css';

interface MoreActionsProps {
  label: string;
  /** Shown beside the label; without one, the button is three dots. */
  icon?: ReactNode;
  children: ReactNode;
}

/**
 * A button that opens a menu of rarely used actions or settings. Esc, a click or the focus elsewhere and each action
 * close it; checkboxes don't.
 */
export function MoreActions({ label, icon, children }: MoreActionsProps) {
  const id = useId();
  const box = useRef<HTMLDivElement>(null);
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
    const actionAt = ({ target }: Event) =>
      target instanceof Element && box.current?.contains(target) === true ? target.closest('button, a') : null;
    // Before the action itself, so that its dialog returns the focus to the button that stays.
    const keepFocus = (event: Event) => {
      if (actionAt(event) !== null) opener.current?.focus();
    };
    const closeByClick = (event: Event) => {
      const action = actionAt(event);
      if (action !== null && action !== opener.current) setOpen(false);
    };
    const closeOutside = ({ target }: Event) => {
      if (!(target instanceof Node && box.current?.contains(target) === true)) setOpen(false);
    };
    const ending = new AbortController();
    const { signal } = ending;
    // In the capture phase, so that Esc does not also close a panel next to the page.
    document.addEventListener('keydown', closeByKey, { capture: true, signal });
    document.addEventListener('click', keepFocus, { capture: true, signal });
    document.addEventListener('click', closeByClick, { signal });
    document.addEventListener('click', closeOutside, { signal });
    document.addEventListener('focusin', closeOutside, { signal });
    return () => ending.abort();
  }, [isOpen]);

  const button = {
    ref: opener,
    'aria-expanded': isOpen,
    'aria-controls': isOpen ? id : undefined,
    onClick: () => setOpen(!isOpen),
  };
  return (
    <div ref={box} className={classes.menu}>
      {icon === undefined ? (
        <ActionIcon {...button} variant="subtle" color="gray" size={44} aria-label={label}>
          <IconDots size={22} stroke={1.75} />
        </ActionIcon>
      ) : (
        <Button {...button} variant="default" leftSection={icon}>
          {label}
        </Button>
      )}
      {isOpen && (
        <div id={id} className={classes.moreActions}>
          {children}
        </div>
      )}
    </div>
  );
}

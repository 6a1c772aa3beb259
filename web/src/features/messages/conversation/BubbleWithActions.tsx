import { ActionIcon, Button } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react';
import { useText } from '../../../ui/text/text.ts';
import { Bubble, type BubbleProps } from './Bubble.tsx';
import classes from './Bubble.module.css';

export interface BubbleAction {
  text: string;
  icon: ReactNode;
  onChoose: () => void;
}

interface BubbleWithActionsProps extends Omit<BubbleProps, 'aside' | 'children'> {
  /** What can be done about it, judged when that is asked for. */
  actionsAt: (now: number) => BubbleAction[];
  stop: TabStop;
}

/** Among the messages, the one that Tab leads to: the arrow keys lead on to the others, so that Tab leads past them all. */
export interface TabStop {
  isHere: boolean;
  /** The focus has come here. */
  onReach: () => void;
}

/** Leads from what can be done about one message to the same of the one above or below. */
function goToNeighbour(event: KeyboardEvent<HTMLElement>): void {
  const way = { ArrowUp: -1, ArrowDown: 1 }[event.key];
  if (way === undefined) return;
  const openers = [...(event.currentTarget.closest('ol')?.querySelectorAll<HTMLElement>('[data-opener]') ?? [])];
  const neighbour = openers[openers.indexOf(event.currentTarget) + way];
  if (neighbour === undefined) return;
  event.preventDefault();
  neighbour.focus();
}

/** A message with what one can do about it behind a small button; Esc puts that away again. */
export function BubbleWithActions({ actionsAt, stop, ...bubble }: BubbleWithActionsProps) {
  const t = useText();
  const menuId = useId();
  const opener = useRef<HTMLButtonElement>(null);
  const [openedAt, setOpenedAt] = useState<number | null>(null);
  const isOpen = openedAt !== null;

  function close() {
    setOpenedAt(null);
    opener.current?.focus();
  }

  function closeByKey(event: KeyboardEvent) {
    if (event.key === 'Escape') close();
  }

  return (
    <Bubble
      {...bubble}
      aside={
        <ActionIcon
          ref={opener}
          data-opener
          tabIndex={stop.isHere ? 0 : -1}
          onFocus={stop.onReach}
          className={classes.opener ?? ''}
          variant="subtle"
          color="gray"
          size="lg"
          aria-expanded={isOpen}
          aria-controls={isOpen ? menuId : undefined}
          aria-label={t('More about this message')}
          onClick={() => setOpenedAt(isOpen ? null : Date.now())}
          onKeyDown={(event) => {
            closeByKey(event);
            goToNeighbour(event);
          }}
        >
          <IconDots size={18} stroke={1.75} />
        </ActionIcon>
      }
    >
      {isOpen && (
        <div id={menuId} className={classes.actions}>
          {actionsAt(openedAt).map(({ text, icon, onChoose }) => (
            <Button
              key={text}
              size="sm"
              variant="default"
              leftSection={icon}
              onClick={() => {
                close();
                onChoose();
              }}
              onKeyDown={closeByKey}
            >
              {text}
            </Button>
          ))}
        </div>
      )}
    </Bubble>
  );
}

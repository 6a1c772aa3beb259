import { ActionIcon, Button } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react';
import { useText } from '../../ui/text.ts';
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
}

/** A message with what one can do about it behind a small button; Esc puts that away again. */
export function BubbleWithActions({ actionsAt, ...bubble }: BubbleWithActionsProps) {
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
          className={classes.opener ?? ''}
          variant="subtle"
          color="gray"
          size="lg"
          aria-expanded={isOpen}
          aria-controls={isOpen ? menuId : undefined}
          aria-label={t('More about this message')}
          onClick={() => setOpenedAt(isOpen ? null : Date.now())}
          onKeyDown={closeByKey}
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

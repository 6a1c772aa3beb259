import { ActionIcon, Button } from '@mantine/core';
import { IconDots, IconPencil, IconTrash } from '@tabler/icons-react';
import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react';
import { messageEditMinutes } from '#contract/constants.ts';
import type { MessageView } from '#contract/messages.ts';
import { useText } from '../../ui/text.ts';
import { Bubble } from './Bubble.tsx';
import classes from './Bubble.module.css';

const minuteMs = 60_000;

interface OwnMessageProps {
  message: MessageView;
  meta: ReactNode;
  onEdit: (message: MessageView) => void;
  onDelete: (message: MessageView) => void;
}

/** A message of one's own, with what one can do about it behind a small button; Esc puts that away again. */
export function OwnMessage({ message, meta, onEdit, onDelete }: OwnMessageProps) {
  const t = useText();
  const menuId = useId();
  const opener = useRef<HTMLButtonElement>(null);
  /** Since when it is open: whether it is early enough to edit shows then, and the server has the last word. */
  const [openedAt, setOpenedAt] = useState<number | null>(null);
  const isOpen = openedAt !== null;
  const mayEdit = isOpen && openedAt - Date.parse(message.sentAt) < messageEditMinutes * minuteMs;

  function close() {
    setOpenedAt(null);
    opener.current?.focus();
  }

  function closeByKey(event: KeyboardEvent) {
    if (event.key === 'Escape') close();
  }

  return (
    <Bubble
      isOwn
      by={t('You')}
      text={message.text}
      meta={meta}
      aside={
        <ActionIcon
          ref={opener}
          className={classes.opener}
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
          {mayEdit && (
            <Button
              size="sm"
              variant="default"
              leftSection={<IconPencil size={16} stroke={1.75} aria-hidden="true" />}
              onClick={() => {
                setOpenedAt(null);
                onEdit(message);
              }}
              onKeyDown={closeByKey}
            >
              {t('Edit')}
            </Button>
          )}
          <Button
            size="sm"
            variant="default"
            leftSection={<IconTrash size={16} stroke={1.75} aria-hidden="true" />}
            onClick={() => {
              close();
              onDelete(message);
            }}
            onKeyDown={closeByKey}
          >
            {t('Delete')}
          </Button>
        </div>
      )}
    </Bubble>
  );
}

import { IconPencil, IconTrash } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { messageEditMinutes } from '#contract/constants.ts';
import type { MessageView } from '#contract/messages.ts';
import { useText } from '../../../ui/text/text.ts';
import { BubbleWithActions, type TabStop } from './BubbleWithActions.tsx';

const minuteMs = 60_000;

interface OwnMessageProps {
  message: MessageView;
  meta: ReactNode;
  stop: TabStop;
  onEdit: (message: MessageView) => void;
  onDelete: (message: MessageView) => void;
}

/** A message of one's own: whether it is early enough to edit shows when that is asked for, and the server has the last word. */
export function OwnMessage({ message, meta, stop, onEdit, onDelete }: OwnMessageProps) {
  const t = useText();
  const edit = {
    text: t('Edit'),
    icon: <IconPencil size={16} stroke={1.75} aria-hidden="true" />,
    onChoose: () => onEdit(message),
  };
  const remove = {
    text: t('Delete'),
    icon: <IconTrash size={16} stroke={1.75} aria-hidden="true" />,
    onChoose: () => onDelete(message),
  };
  const mayEditAt = (now: number) => now - Date.parse(message.sentAt) < messageEditMinutes * minuteMs;
  return (
    <BubbleWithActions
      isOwn
      by={t('You')}
      text={message.text}
      meta={meta}
      stop={stop}
      actionsAt={(now) => (mayEditAt(now) ? [edit, remove] : [remove])}
    />
  );
}

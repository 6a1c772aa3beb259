import { IconFlag } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { MessageView } from '#contract/messages.ts';
import { useText } from '../../../ui/text/text.ts';
import { BubbleWithActions, type TabStop } from './BubbleWithActions.tsx';

interface ReceivedMessageProps {
  message: MessageView;
  /** The other one's name. */
  name: string;
  meta: ReactNode;
  stop: TabStop;
  onReport: (message: MessageView) => void;
}

/** A message of the other one, with the way to report it: even what was deleted, or when the match is over. */
export function ReceivedMessage({ message, name, meta, stop, onReport }: ReceivedMessageProps) {
  const t = useText();
  const report = {
    text: t('Report this message'),
    icon: <IconFlag size={16} stroke={1.75} aria-hidden="true" />,
    onChoose: () => onReport(message),
  };
  return (
    <BubbleWithActions
      isOwn={false}
      by={name}
      text={message.text}
      meta={meta}
      stop={stop}
      caution={message.caution}
      actionsAt={() => [report]}
    />
  );
}

import { memo, type Ref } from 'react';
import type { MessageView } from '#contract/messages.ts';
import { formatExactTime } from '../../../ui/text/format.ts';
import { useLocale, useText } from '../../../ui/text/text.ts';
import { Bubble } from './Bubble.tsx';
import classes from './MessageLog.module.css';
import { clockTime, dayText } from './message-times.ts';
import { OwnMessage } from './OwnMessage.tsx';
import { ReceivedMessage } from './ReceivedMessage.tsx';

interface MessageRowProps {
  /** Measures the row, once there is something in it. */
  rowRef: Ref<HTMLLIElement>;
  /** How tall it is taken to be until then. */
  emptyPx: number;
  index: number;
  /** How many there are in all. */
  count: number;
  /** Undefined as long as it is not fetched. */
  message: MessageView | undefined;
  ownId: string;
  /** The other one's name. */
  name: string;
  /** The first of its day. */
  isFirstOfDay: boolean;
  /** Right after another one of the same person. */
  isFollowing: boolean;
  /** The newest of one's own that the other one has read. */
  isLastRead: boolean;
  /** Tab leads to what can be done about this one. */
  isTabStop: boolean;
  onReach: (index: number) => void;
  /** One's own are neither to be edited nor deleted any more. */
  isFixed: boolean;
  now: number;
  onEdit: (message: MessageView) => void;
  onDelete: (message: MessageView) => void;
  onReport: (message: MessageView) => void;
}

/** Whether there is anything that can be done about a message. */
export function hasActions(message: MessageView, ownId: string, isFixed: boolean): boolean {
  return message.from !== ownId || (message.text !== null && !isFixed);
}

/** A message in its row, below its day where that begins. */
export const MessageRow = memo(function MessageRow(row: MessageRowProps) {
  const { message, ownId, name, now, isFixed, onEdit, onDelete, onReport } = row;
  const t = useText();
  const locale = useLocale();
  const stop = { isHere: row.isTabStop, onReach: () => row.onReach(row.index) };
  const meta = message && (
    <>
      {message.editedAt !== null && <span>{t('Edited')}</span>}
      <time dateTime={message.sentAt} title={formatExactTime(message.sentAt, locale)}>
        {clockTime(message.sentAt, locale)}
      </time>
      {row.isLastRead && <span>{t('Read')}</span>}
    </>
  );
  return (
    <li
      ref={message && row.rowRef}
      style={message ? undefined : { height: row.emptyPx }}
      data-index={row.index}
      className={classes.row}
      data-following={row.isFollowing || undefined}
      aria-setsize={row.count}
      aria-posinset={row.index + 1}
    >
      {message !== undefined && row.isFirstOfDay && (
        <p className={classes.day}>
          <span>{dayText(message.sentAt, now, t, locale)}</span>
        </p>
      )}
      {message === undefined ? (
        <span className={classes.gap} aria-hidden="true" />
      ) : !hasActions(message, ownId, isFixed) ? (
        <Bubble isOwn by={t('You')} text={message.text} meta={meta} />
      ) : message.from === ownId ? (
        <OwnMessage message={message} meta={meta} stop={stop} onEdit={onEdit} onDelete={onDelete} />
      ) : (
        <ReceivedMessage message={message} name={name} meta={meta} stop={stop} onReport={onReport} />
      )}
    </li>
  );
});

import { ActionIcon, Box, Button, Group, Stack, Text } from '@mantine/core';
import { IconDots, IconFlag, IconPencil, IconTrash } from '@tabler/icons-react';
import { type KeyboardEvent, memo, type ReactNode, type Ref, useId, useRef, useState } from 'react';
import { Link } from 'react-router';
import { messageEditMinutes } from '#contract/constants.ts';
import type { MessageView } from '#contract/messages.ts';
import { Tag } from '../../../ui/data/Tag.tsx';
import { Hint } from '../../../ui/layout/text-blocks.tsx';
import { clockTime, formatExactTime, formatTime } from '../../../ui/text/format.ts';
import { t } from '../../../ui/text/text.ts';
import classes from '../messages.module.css';
import { discard, type Outgoing, tryAgain, useOutgoing } from '../outbox.ts';
import { Bubble, type BubbleProps } from './Bubble.tsx';
import { dayText } from './message-times.ts';

const minuteMs = 60_000;

interface BubbleAction {
  text: string;
  icon: ReactNode;
  onChoose: () => void;
}

/** Renders the line below a message, with the exact time if required. */
type MetaOf = (isExact: boolean) => ReactNode;

interface BubbleWithActionsProps extends Omit<BubbleProps, 'aside' | 'children' | 'meta' | 'onPress' | 'textId'> {
  meta: MetaOf;
  /** Returns the actions that are possible at the time when they are opened. */
  actionsAt: (now: number) => BubbleAction[];
  stop: TabStop;
}

/**
 * Only one message is a tab stop, so that Tab skips past the list; the arrow keys move to the other messages. Only the
 * tab stop can show its actions.
 */
interface TabStop {
  isHere: boolean;
  /** Called when the message gets the focus or its actions are opened. */
  onReach: () => void;
}

/** Moves the focus to the actions of the message above or below. */
function goToNeighbour(event: KeyboardEvent<HTMLElement>): void {
  const way = { ArrowUp: -1, ArrowDown: 1 }[event.key];
  if (way === undefined) return;
  const openers = [...(event.currentTarget.closest('ol')?.querySelectorAll<HTMLElement>('[data-opener]') ?? [])];
  const neighbour = openers[openers.indexOf(event.currentTarget) + way];
  if (neighbour === undefined) return;
  event.preventDefault();
  neighbour.focus();
}

/**
 * A message with its actions behind a small button, which appears when the message is hovered or focused; Esc closes
 * the actions. Pressing the message or the button also shows when exactly it was sent. On a touch screen, which has no
 * hover, pressing the message opens the actions.
 */
function BubbleWithActions({ actionsAt, stop, meta, ...shown }: BubbleWithActionsProps) {
  const menuId = useId();
  const opener = useRef<HTMLButtonElement>(null);
  const [openedAt, setOpenedAt] = useState<number | null>(null);
  const [isTimeAsked, setTimeAsked] = useState(false);
  const isOpen = openedAt !== null && stop.isHere;
  // The focus has moved to another message.
  if (openedAt !== null && !stop.isHere) setOpenedAt(null);

  function toggle() {
    stop.onReach();
    setOpenedAt(isOpen ? null : Date.now());
  }

  function press() {
    // A click that ends a text selection is not a press.
    if (document.getSelection()?.isCollapsed === false) return;
    if (matchMedia('(hover: none)').matches) toggle();
    else setTimeAsked(!isTimeAsked);
  }

  function close() {
    setOpenedAt(null);
    opener.current?.focus();
  }

  function closeByKey(event: KeyboardEvent) {
    if (event.key === 'Escape') close();
  }

  return (
    <Bubble
      {...shown}
      textId={`${menuId}-text`}
      meta={meta(isTimeAsked || isOpen)}
      onPress={press}
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
          aria-describedby={`${menuId}-text`}
          onClick={toggle}
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
        <Group id={menuId} gap="0.35rem" justify="flex-end" mt="0.25rem">
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
        </Group>
      )}
    </Bubble>
  );
}

interface OwnMessageProps {
  message: MessageView;
  meta: MetaOf;
  stop: TabStop;
  onEdit: (message: MessageView) => void;
  onDelete: (message: MessageView) => void;
}

/**
 * One of the viewer's own messages. Whether it can still be edited is checked when its actions open; the server makes
 * the final decision.
 */
function OwnMessage({ message, meta, stop, onEdit, onDelete }: OwnMessageProps) {
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
      title={formatExactTime(message.sentAt)}
      meta={meta}
      stop={stop}
      actionsAt={(now) => (mayEditAt(now) && message.isRemoved !== true ? [edit, remove] : [remove])}
    />
  );
}

interface ReceivedMessageProps {
  message: MessageView;
  /** The other person's name. */
  name: string;
  isCovered: boolean;
  meta: MetaOf;
  stop: TabStop;
  onReport: (message: MessageView) => void;
}

/** A received message. It can be reported even if it was deleted or the match has ended. */
function ReceivedMessage({ message, name, isCovered, meta, stop, onReport }: ReceivedMessageProps) {
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
      isCovered={isCovered}
      title={formatExactTime(message.sentAt)}
      meta={meta}
      stop={stop}
      caution={message.caution}
      actionsAt={() => [report]}
    />
  );
}

interface MessageRowProps {
  /** Measures the row once it has been rendered. */
  rowRef: Ref<HTMLLIElement>;
  /** The assumed height of the row until it is measured. */
  emptyPx: number;
  index: number;
  /** Shown above the row. */
  opening: ReactNode;
  /** The total number of messages. */
  count: number;
  /** Undefined until the message is loaded. */
  message: MessageView | undefined;
  ownId: string;
  /** The other person's name. */
  name: string;
  /** The message is someone else's and contains one of the member's hidden words. */
  isCovered: boolean;
  /** The message is the first of its day. */
  isFirstOfDay: boolean;
  /** The message continues the group of the previous message. */
  isFollowing: boolean;
  /** The message is the last of its group and shows the time for all of them. */
  isGroupEnd: boolean;
  /** The message is the newest of the viewer's messages that the other person has read. */
  isLastRead: boolean;
  /** Whether Tab moves to this message's actions. */
  isTabStop: boolean;
  onReach: (index: number) => void;
  /** The viewer's own messages can no longer be edited or deleted. */
  isFixed: boolean;
  now: number;
  onEdit: (message: MessageView) => void;
  onDelete: (message: MessageView) => void;
  onReport: (message: MessageView) => void;
}

/** Whether a message has actions. */
export function hasActions(message: MessageView, ownId: string, isFixed: boolean): boolean {
  return message.from !== ownId || (message.text !== null && !isFixed);
}

/** One row of the conversation, below a date where a day starts. */
export const MessageRow = memo(function MessageRow(row: MessageRowProps) {
  const { message, ownId, name, now, isFixed, onEdit, onDelete, onReport } = row;
  const stop = { isHere: row.isTabStop, onReach: () => row.onReach(row.index) };
  const meta = (isExact: boolean) =>
    message && (
      <>
        {message.isRemoved === true && <span>{t('Removed by us. Only you see it; Support has the reasons.')}</span>}
        {message.editedAt !== null && <span>{t('Edited')}</span>}
        <time dateTime={message.sentAt} className={isExact || row.isGroupEnd ? undefined : 'visually-hidden'}>
          {isExact ? formatTime(message.sentAt) : clockTime(message.sentAt)}
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
      {message !== undefined && row.opening}
      {message !== undefined && row.isFirstOfDay && (
        <Group component="p" justify="center" mt="0.5rem" mb="0.9rem">
          <Tag tone="quiet">{dayText(message.sentAt, now)}</Tag>
        </Group>
      )}
      {message === undefined ? (
        <span className={classes.gap} aria-hidden="true" />
      ) : !hasActions(message, ownId, isFixed) ? (
        <Bubble isOwn by={t('You')} text={message.text} meta={meta(false)} title={formatExactTime(message.sentAt)} />
      ) : message.from === ownId ? (
        <OwnMessage message={message} meta={meta} stop={stop} onEdit={onEdit} onDelete={onDelete} />
      ) : (
        <ReceivedMessage
          message={message}
          name={name}
          isCovered={row.isCovered}
          meta={meta}
          stop={stop}
          onReport={onReport}
        />
      )}
    </li>
  );
});

const stateTexts: Record<Outgoing['state'], string> = {
  waiting: 'Sending…',
  sending: 'Sending…',
  delayed: "No connection. We'll send it as soon as you're back online.",
  failed: 'Not sent',
};

/** Why a message was refused, by error code; otherwise the server's text. */
const problemTexts: Record<string, string> = {
  NOT_FOUND: 'This match is over, so this was not sent.',
};

interface OutgoingMessageProps {
  matchId: string;
  outgoing: Outgoing;
  /** An earlier message has to be sent first. */
  isHeldUp: boolean;
}

/** A message that has not been sent yet or was refused, with buttons to try again or discard it. */
export function OutgoingMessage({ matchId, outgoing, isHeldUp }: OutgoingMessageProps) {
  const { clientId, text, state, problem } = outgoing;
  return (
    <Bubble
      isOwn
      by={t('You')}
      text={text}
      meta={t(isHeldUp && state === 'waiting' ? 'Waiting for the message before it.' : stateTexts[state])}
    >
      {problem !== null && (
        <>
          <Text role="alert" maw="min(36rem, 88%)" mt="0.3rem" c="var(--mantine-color-error)" fz="note">
            {t(problemTexts[problem.code ?? ''] ?? problem.text)}
          </Text>
          <Group gap="0.35rem" justify="flex-end" mt="0.25rem">
            {problem.code === 'AGE_ASSURANCE_REQUIRED' && (
              <Button size="sm" component={Link} to="/app/verify-age">
                {t('Confirm my age')}
              </Button>
            )}
            {problem.code !== 'NOT_FOUND' && (
              <Button size="sm" variant="default" onClick={() => tryAgain(matchId, clientId)}>
                {t('Try again')}
              </Button>
            )}
            <Button size="sm" variant="default" onClick={() => discard(matchId, clientId)}>
              {t('Discard')}
            </Button>
          </Group>
        </>
      )}
    </Bubble>
  );
}

/** The unsent messages of a match, shown when its conversation could not be loaded. */
export function UnsentMessages({ matchId }: { matchId: string }) {
  const outgoing = useOutgoing(matchId);
  if (outgoing.length === 0) return null;
  return (
    <Box component="section" py="1rem" px="clamp(0.75rem, 2vw, 1.5rem)" aria-label={t('Unsent messages')}>
      <Hint mb="0.75rem" ta="center">
        {t('Unsent messages are saved on this device.')}
      </Hint>
      <Stack component="ol" gap="0.75rem">
        {outgoing.map((one) => (
          <li key={one.clientId}>
            <OutgoingMessage matchId={matchId} outgoing={one} isHeldUp={one !== outgoing[0]} />
          </li>
        ))}
      </Stack>
    </Box>
  );
}

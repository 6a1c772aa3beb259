import { t } from '@lingui/core/macro';
import { ActionIcon, Button, Group } from '@mantine/core';
import { IconCornerUpLeft, IconDots, IconFlag, IconPencil, IconTrash } from '@tabler/icons-react';
import { type KeyboardEvent, memo, type ReactNode, type Ref, useId, useRef, useState } from 'react';
import { messageEditMinutes } from '#contract/constants.ts';
import type { MessageView, ReactionEmoji } from '#contract/messages/messages.ts';
import { Tag } from '../../../ui/data/Tag.tsx';
import { clockTime, formatExactTime, formatTime } from '../../../ui/text/format.ts';
import { useLanguage } from '../../../ui/text/use-language.ts';
import classes from '../messages.module.css';
import { PhotoGrid } from '../photos/PhotoGrid.tsx';
import { BotherQuestion, type HarshCheck } from '../kindness/kindness.tsx';
import { lineOf } from '../line-of.ts';
import { ReactionPicker, Reactions } from '../reactions/Reactions.tsx';
import { QuoteButton } from '../replies/Reply.tsx';
import { Bubble, type BubbleProps, partIds } from './Bubble.tsx';
import { dayText } from './message-times.ts';
import { VoiceNote } from '../voice/VoiceNote.tsx';

const minuteMs = 60_000;

interface BubbleAction {
  text: string;
  icon: ReactNode;
  onChoose: () => void;
}

/** Renders the line below a message, with the exact time if required. */
type MetaOf = (isExact: boolean) => ReactNode;

interface BubbleWithActionsProps extends Omit<BubbleProps, 'aside' | 'children' | 'meta' | 'onPress' | 'partsId'> {
  meta: MetaOf;
  /** Returns the actions that are possible at the time when they are opened. */
  actionsAt: (now: number) => BubbleAction[];
  /** Shown above the actions; `close` closes them. */
  picker?: ((close: () => void) => ReactNode) | undefined;
  stop: TabStop;
  /** Shown below the actions. */
  children?: ReactNode;
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
function BubbleWithActions({ actionsAt, picker, stop, meta, children, ...shown }: BubbleWithActionsProps) {
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
      partsId={menuId}
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
          aria-label={t`More about this message`}
          aria-describedby={partIds(menuId).join(' ')}
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
      {isOpen && picker?.(close)}
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
      {children}
    </Bubble>
  );
}

/** The photos or the voice message of a message; `by` is null for the viewer's own. */
function mediaOf(matchId: string, message: MessageView, by: string | null): ReactNode {
  const { pictures, voice } = message;
  if (voice === undefined)
    return pictures && <PhotoGrid matchId={matchId} message={{ ...message, pictures }} by={by} />;
  return <VoiceNote matchId={matchId} message={{ ...message, voice }} by={by} />;
}

/** What a message shows about other messages and reactions. */
type Surroundings = Pick<BubbleProps, 'quote' | 'footer'>;

const replyTo = (message: MessageView, onReply: (message: MessageView) => void): BubbleAction => ({
  text: t`Reply`,
  icon: <IconCornerUpLeft className="mirrored" size={16} stroke={1.75} aria-hidden="true" />,
  onChoose: () => onReply(message),
});

interface OwnMessageProps extends Surroundings {
  matchId: string;
  message: MessageView;
  meta: MetaOf;
  stop: TabStop;
  onReply: (message: MessageView) => void;
  onEdit: (message: MessageView) => void;
  onDelete: (message: MessageView) => void;
}

/**
 * One of the viewer's own messages. Whether it can still be edited is checked when its actions open; the server makes
 * the final decision.
 */
function OwnMessage({ matchId, message, meta, stop, onReply, onEdit, onDelete, ...shown }: OwnMessageProps) {
  const edit = {
    text: t`Edit`,
    icon: <IconPencil size={16} stroke={1.75} aria-hidden="true" />,
    onChoose: () => onEdit(message),
  };
  const remove = {
    text: t`Delete`,
    icon: <IconTrash size={16} stroke={1.75} aria-hidden="true" />,
    onChoose: () => onDelete(message),
  };
  const mayEditAt = (now: number) => now - Date.parse(message.sentAt) < messageEditMinutes * minuteMs;
  return (
    <BubbleWithActions
      {...shown}
      isOwn
      by={t`You`}
      text={message.text}
      summary={lineOf(message)}
      media={mediaOf(matchId, message, null)}
      title={formatExactTime(message.sentAt)}
      meta={meta}
      stop={stop}
      actionsAt={(now) => [
        ...(mayEditAt(now) && message.isRemoved !== true && message.text !== '' ? [edit] : []),
        replyTo(message, onReply),
        remove,
      ]}
    />
  );
}

interface ReceivedMessageProps extends Surroundings {
  matchId: string;
  message: MessageView;
  /** The other person's name. */
  name: string;
  isCovered: boolean;
  meta: MetaOf;
  stop: TabStop;
  ownId: string;
  /** The match has ended. */
  isFixed: boolean;
  onReply: (message: MessageView) => void;
  onReact: (reaction: { seq: number; emoji: ReactionEmoji | null }) => void;
  onReport: (message: MessageView) => void;
  /** Shown below the message. */
  children: ReactNode;
}

/** A received message. It can be reported even if it was deleted or the match has ended. */
function ReceivedMessage(props: ReceivedMessageProps) {
  const { matchId, message, name, isCovered, meta, stop, ownId, isFixed } = props;
  const { onReply, onReact, onReport, children, quote, footer } = props;
  const canAnswer = message.text !== null && !isFixed;
  const report = {
    text: t`Report this message`,
    icon: <IconFlag size={16} stroke={1.75} aria-hidden="true" />,
    onChoose: () => onReport(message),
  };
  return (
    <BubbleWithActions
      {...{ quote, footer }}
      isOwn={false}
      by={name}
      text={message.text}
      summary={lineOf(message)}
      media={mediaOf(matchId, message, name)}
      isCovered={isCovered}
      title={formatExactTime(message.sentAt)}
      meta={meta}
      stop={stop}
      caution={message.caution}
      actionsAt={() => (canAnswer ? [replyTo(message, onReply), report] : [report])}
      picker={
        canAnswer
          ? (close) => (
              <ReactionPicker
                chosen={message.reactions?.find(({ from }) => from === ownId)?.emoji ?? null}
                onChoose={(emoji) => {
                  close();
                  onReact({ seq: message.seq, emoji });
                }}
                onEscape={close}
              />
            )
          : undefined
      }
    >
      {children}
    </BubbleWithActions>
  );
}

interface MessageRowProps {
  matchId: string;
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
  /** The message that this one answers, if it is loaded. */
  quoted: MessageView | undefined;
  /** Null until it is loaded. */
  isHarsh: HarshCheck | null;
  onJump: (seq: number) => void;
  onReply: (message: MessageView) => void;
  onReact: (reaction: { seq: number; emoji: ReactionEmoji | null }) => void;
  onEdit: (message: MessageView) => void;
  onDelete: (message: MessageView) => void;
  onReport: (message: MessageView) => void;
  onUnmatch: () => void;
}

/** Whether a message has actions. */
export function hasActions(message: MessageView, ownId: string, isFixed: boolean): boolean {
  return message.from !== ownId || (message.text !== null && !isFixed);
}

/** One row of the conversation, below a date where a day starts. */
export const MessageRow = memo(function MessageRow(row: MessageRowProps) {
  useLanguage();
  const { matchId, message, ownId, name, now, isFixed, quoted, isHarsh } = row;
  const { onReply, onReact, onEdit, onDelete, onReport } = row;
  const stop = { isHere: row.isTabStop, onReach: () => row.onReach(row.index) };
  const around: Surroundings = {
    quote: message?.replyTo && (
      <QuoteButton
        quote={{ ...message.replyTo, ...(quoted && { text: quoted.text }) }}
        {...{ ownId, name }}
        onJump={row.onJump}
      />
    ),
    footer: message?.reactions && <Reactions reactions={message.reactions} {...{ ownId, name }} />,
  };
  const meta = (isExact: boolean) =>
    message && (
      <>
        {message.isRemoved === true && <span>{t`Removed by us. Only you see it; Support has the reasons.`}</span>}
        {message.editedAt !== null && <span>{t`Edited`}</span>}
        <time dateTime={message.sentAt} className={isExact || row.isGroupEnd ? undefined : 'visually-hidden'}>
          {isExact ? formatTime(message.sentAt) : clockTime(message.sentAt)}
        </time>
        {row.isLastRead && <span>{t`Read`}</span>}
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
        <Bubble
          {...around}
          isOwn
          by={t`You`}
          text={message.text}
          media={mediaOf(matchId, message, null)}
          meta={meta(false)}
          title={formatExactTime(message.sentAt)}
        />
      ) : message.from === ownId ? (
        <OwnMessage {...around} {...{ matchId, message, meta, stop, onReply, onEdit, onDelete }} />
      ) : (
        <ReceivedMessage
          {...around}
          {...{ matchId, message, name, meta, stop, ownId, isFixed, onReply, onReact, onReport }}
          isCovered={row.isCovered}
        >
          <BotherQuestion {...{ message, name, now, isHarsh, isFixed, onReport }} onUnmatch={row.onUnmatch} />
        </ReceivedMessage>
      )}
    </li>
  );
});

import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { IconArrowDown } from '@tabler/icons-react';
import { useVirtualizer, type Virtualizer } from '@tanstack/react-virtual';
import {
  type ReactNode,
  type RefObject,
  type UIEvent,
  useCallback,
  useEffect,
  useEffectEvent,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import type { MessageView, ReactionEmoji } from '#contract/messages/messages.ts';
import { type History, newest } from '../../../api/realtime/message-history.ts';
import type { HarshCheck } from '../kindness/kindness.tsx';
import { nextOf, type Outgoing } from '../outbox.ts';
import { QuoteButton } from '../replies/Reply.tsx';
import { useHiddenWordFinder } from '../../../api/hidden-words.ts';
import { isSameDay } from '../../../ui/text/format.ts';
import { continuesGroup } from './message-times.ts';
import classes from '../messages.module.css';
import { hasActions, MessageRow } from './MessageRow.tsx';
import { OutgoingMessage } from './OutgoingMessage.tsx';

const usualRowPx = 68;
const marginPx = 12;
/** Rows rendered beyond the visible ones. */
const overscanRows = 8;
/** Within this distance of the end, the newest message counts as visible. */
const endPx = 80;
const jumpMs = 150;

interface MessageLogProps {
  matchId: string;
  /** Shown above the first message. Must be a stable element, because rows are memoised. */
  opening: ReactNode;
  history: History;
  outgoing: readonly Outgoing[];
  ownId: string;
  name: string;
  isFixed: boolean;
  now: number;
  /** Some visible messages could not be loaded; loading is tried again once this is false. */
  isStuck: boolean;
  /** Reports the visible sequence numbers. */
  onShow: (from: number, to: number) => void;
  /** Reports whether the newest message is visible. */
  onAtEnd: (isAtEnd: boolean) => void;
  onEdit: (message: MessageView) => void;
  onDelete: (message: MessageView) => void;
  onReport: (message: MessageView) => void;
  isHarsh: HarshCheck | null;
  onReply: (message: MessageView) => void;
  onReact: (reaction: { seq: number; emoji: ReactionEmoji | null }) => void;
  onUnmatch: () => void;
  /** The message that the member has just deleted. */
  deletedSeq: number | null;
}

/** How far a region is from its end. The virtualizer learns of a scroll only after the region's own handler. */
const toEndOf = ({ scrollHeight, scrollTop, clientHeight }: HTMLElement) => scrollHeight - scrollTop - clientHeight;
/** Whether a region is scrolled to its end, apart from rounding errors. */
const isEndOf = (region: HTMLElement) => toEndOf(region) < 2;

/** The layout of the messages, followed by those that have not been sent yet. */
function useRows(region: RefObject<HTMLDivElement | null>, lastSeq: number, outgoing: readonly Outgoing[]) {
  const count = lastSeq + outgoing.length;
  return useVirtualizer({
    count,
    getScrollElement: () => region.current,
    estimateSize: () => usualRowPx,
    initialOffset: () => count * usualRowPx,
    overscan: overscanRows,
    anchorTo: 'end',
    followOnAppend: true,
    scrollEndThreshold: endPx,
    paddingStart: marginPx,
    paddingEnd: marginPx,
    getItemKey: (index) => outgoing[index - lastSeq]?.clientId ?? index,
  });
}

/**
 * Keeps the scroll position: when the region or a row changes its size, the newest message stays visible unless the
 * reader has scrolled up. Returns the region's scroll handler.
 */
function useKeptPlace(
  region: RefObject<HTMLDivElement | null>,
  virtualizer: Virtualizer<HTMLDivElement, Element>,
  totalPx: number,
  latestOwn: string | undefined,
) {
  const isPlaced = useRef(false);
  const staysAtEnd = useRef(true);
  /** The region's last height and position, and whether it was scrolled to the end. */
  const place = useRef({ height: 0, top: 0, isEnd: true });

  // Scroll to the newest message at first and after each own message.
  useLayoutEffect(() => {
    if (isPlaced.current && latestOwn === undefined) return;
    isPlaced.current = true;
    virtualizer.scrollToEnd();
  }, [virtualizer, latestOwn]);
  // Keep the newest message visible when the field below grows or a keyboard opens.
  useEffect(() => {
    const element = region.current;
    if (element === null) return;
    const observer = new ResizeObserver(() => {
      place.current.height = element.clientHeight;
      if (staysAtEnd.current) element.scrollTop = element.scrollHeight;
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [region]);
  // If a row grows at the same moment as the region shrinks, the region is only scrolled by the row's growth.
  useLayoutEffect(() => {
    const element = region.current;
    if (element === null) return;
    if (place.current.isEnd) element.scrollTop = element.scrollHeight;
    else place.current.isEnd = isEndOf(element);
  }, [region, totalPx]);

  return ({ currentTarget }: UIEvent<HTMLDivElement>) => {
    const { clientHeight, scrollTop } = currentTarget;
    const { height, top } = place.current;
    place.current.top = scrollTop;
    // Only readers who scroll up leave the end. Measuring rows scrolls too, sometimes just after the region has shrunk.
    const isLeft = clientHeight === height && scrollTop < top;
    if (toEndOf(currentTarget) <= endPx) staysAtEnd.current = true;
    else if (isLeft) staysAtEnd.current = false;
    if (isEndOf(currentTarget)) place.current.isEnd = true;
    else if (isLeft) place.current.isEnd = false;
  };
}

/** The only row that Tab focuses: the one focused last, or else the newest visible one that has actions. */
function useTabStop(stops: readonly number[], lastInView: number) {
  const [reached, setReached] = useState<number | null>(null);
  const stop = stops.find((index) => index === reached) ?? stops.findLast((index) => index <= lastInView) ?? stops[0];
  return [stop, setReached] as const;
}

/** A message and its position in its day and its group. */
function placeOf(messages: History['messages'], seq: number) {
  const before = messages.get(seq - 1);
  const message = messages.get(seq);
  return {
    message,
    quoted: message?.replyTo && messages.get(message.replyTo.seq),
    isFirstOfDay:
      seq === 1 || (before !== undefined && message !== undefined && !isSameDay(before.sentAt, message.sentAt)),
    isFollowing: continuesGroup(before, message),
    isGroupEnd: !continuesGroup(message, messages.get(seq + 1)),
  };
}

function ToNewest({ onPress }: { onPress: () => void }) {
  return (
    <Button
      className={classes.newest ?? ''}
      size="compact-md"
      variant="default"
      leftSection={<IconArrowDown size={16} stroke={1.75} aria-hidden="true" />}
      onClick={onPress}
    >
      {t`To the newest`}
    </Button>
  );
}

/** Scrolls to a message and moves the focus there. Returns a stable function. */
function useJump(region: RefObject<HTMLDivElement | null>, virtualizer: Virtualizer<HTMLDivElement, Element>) {
  return useCallback(
    (seq: number) => {
      region.current?.focus({ preventScroll: true });
      virtualizer.scrollToIndex(seq - 1, { align: 'center' });
      // The row is only in the document once it is visible.
      setTimeout(() => {
        const row = region.current?.querySelector<HTMLElement>(`[data-index="${seq - 1}"]`);
        row?.querySelector<HTMLElement>('[data-opener]')?.focus({ preventScroll: true });
      }, jumpMs);
    },
    [region, virtualizer],
  );
}

/** Focuses the message nearest to a deleted one, which may have no actions any more, or else the region. */
function focusNear(region: HTMLElement | null, seq: number): void {
  const distance = (opener: HTMLElement) =>
    Math.abs(Number(opener.closest<HTMLElement>('[data-index]')?.dataset.index) + 1 - seq);
  const [nearest] = [...(region?.querySelectorAll<HTMLElement>('[data-index] [data-opener]') ?? [])]
    .filter((opener) => distance(opener) > 0)
    .sort((one, two) => distance(one) - distance(two));
  (nearest ?? region)?.focus({ preventScroll: true });
}

/** The message that an unsent one answers. */
const quoteOf = (message: MessageView | undefined, shown: Omit<Parameters<typeof QuoteButton>[0], 'quote'>) =>
  message && <QuoteButton quote={message} {...shown} />;

/** The messages of a conversation in a scrolling region. Only the visible ones are in the document. */
export function MessageLog(props: MessageLogProps) {
  const { matchId, opening, history, outgoing, isStuck, onShow, onAtEnd, deletedSeq, ...ofRows } = props;
  const { ownId, name, isFixed } = ofRows;
  const { messages, lastSeq } = history;
  const isHidden = useHiddenWordFinder();
  const isCovered = (message: MessageView | undefined) =>
    message !== undefined && message.from !== ownId && message.text !== null && isHidden(message.text);
  const region = useRef<HTMLDivElement>(null);
  const virtualizer = useRows(region, lastSeq, outgoing);
  const rows = virtualizer.getVirtualItems();
  const isAtEnd = virtualizer.isAtEnd(endPx);
  const from = (rows[0]?.index ?? 0) + 1;
  const to = Math.min(lastSeq, (rows.at(-1)?.index ?? 0) + 1);
  const lastRead = newest(history, (message) => message.from === ownId && message.readAt !== null)?.seq;
  const jump = useJump(region, virtualizer);
  const hintId = useId();
  const [tabStop, setReached] = useTabStop(
    rows.flatMap(({ index }) => {
      const message = messages.get(index + 1);
      return message !== undefined && hasActions(message, ownId, isFixed) ? [index] : [];
    }),
    virtualizer.range?.endIndex ?? lastSeq + outgoing.length,
  );
  const show = useEffectEvent(onShow);
  const tellAtEnd = useEffectEvent(onAtEnd);

  const totalPx = virtualizer.getTotalSize();
  const onScroll = useKeptPlace(region, virtualizer, totalPx, outgoing.at(-1)?.clientId);

  useEffect(() => {
    if (!isStuck) show(from, to);
  }, [from, to, history, isStuck]);
  useEffect(() => tellAtEnd(isAtEnd), [isAtEnd]);
  useEffect(() => {
    if (deletedSeq !== null) focusNear(region.current, deletedSeq);
  }, [deletedSeq]);

  return (
    <div className={classes.place}>
      <p id={hintId} hidden>
        {t`Tab moves to the newest visible message. From there, the arrow keys move to the others.`}
      </p>
      <div
        ref={region}
        role="region"
        className={classes.region}
        aria-label={t`Messages with ${name}`}
        aria-describedby={hintId}
        tabIndex={0}
        onScroll={onScroll}
      >
        <div className={classes.whole} style={{ height: totalPx }}>
          <ol className={classes.rows} style={{ transform: `translateY(${rows[0]?.start ?? 0}px)` }}>
            {rows.map(({ index, key }) => {
              const waiting = outgoing[index - lastSeq];
              return waiting !== undefined ? (
                <li key={key} ref={virtualizer.measureElement} data-index={index} className={classes.row}>
                  {index === 0 && opening}
                  <OutgoingMessage
                    matchId={matchId}
                    outgoing={waiting}
                    isHeldUp={waiting !== nextOf(outgoing)}
                    quote={quoteOf(messages.get(waiting.parts?.replyTo ?? 0), { ownId, name, onJump: jump })}
                  />
                </li>
              ) : (
                <MessageRow
                  key={key}
                  matchId={matchId}
                  rowRef={virtualizer.measureElement}
                  emptyPx={usualRowPx}
                  index={index}
                  opening={index === 0 && opening}
                  count={lastSeq}
                  {...placeOf(messages, index + 1)}
                  isCovered={isCovered(messages.get(index + 1))}
                  isLastRead={index + 1 === lastRead}
                  isTabStop={index === tabStop}
                  onReach={setReached}
                  onJump={jump}
                  {...ofRows}
                />
              );
            })}
          </ol>
        </div>
      </div>
      {!isAtEnd && (
        <ToNewest
          onPress={() => {
            // The button disappears, so the focus moves to the messages.
            region.current?.focus({ preventScroll: true });
            virtualizer.scrollToEnd();
          }}
        />
      )}
    </div>
  );
}

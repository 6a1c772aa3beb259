import { plural, t } from '@lingui/core/macro';
import type { CardView } from '#contract/discovery.ts';
import { IconArrowBackUp } from '@tabler/icons-react';
import { type ReactNode, useDeferredValue, useLayoutEffect, useRef, useState } from 'react';
import { useSingleTaps } from '../../../ui/form/double-click.ts';
import { useSingleKeys } from '../../../ui/keyboard/shortcuts.tsx';
import { DecisionBar, DecisionButton } from '../../../ui/layout/DecisionBar.tsx';
import { passingFocus } from '../../../ui/layout/Page.tsx';
import { memberName } from '../../../ui/text/person.ts';
import classes from './deck.module.css';
import { cardTitle } from './CardText.tsx';
import { DeckCard, type Leaving, type Opened } from './DeckCard.tsx';
import { type SwipeWay, useSwipe } from './swipe.ts';

/** Number of cards rendered below the top one. */
const beneath = 3;
/** How far an arrow key scrolls. */
const scrollPx = 160;

interface DeckProps {
  /** The people to decide on, the first on top; at least one. */
  cards: readonly CardView[];
  remainingLikes: number | null | undefined;
  onDecide: (card: CardView, way: SwipeWay) => void;
  onUndo: () => void;
  /** A state setter, see `DeckCard`. */
  onOpen: (opened: Opened) => void;
  onPictureFailed: () => void;
  detailsOf: (card: CardView) => ReactNode;
}

/** Ignores a key that is held down, so that it decides only once. */
const once = (act: () => void) => (event: KeyboardEvent) => {
  if (!event.repeat) act();
};

/** Whether a control has the focus, which then handles Space and Enter. */
const isOnControl = () => document.activeElement?.matches('a, button, summary') === true;

/** Scrolls to the top when the next person is shown, even after a like with a note, so that their picture comes first. */
function useStartAtTop(id: string | undefined): void {
  const shownId = useRef(id);
  useLayoutEffect(() => {
    if (shownId.current === id) return undefined;
    shownId.current = id;
    // Waits for the next frame, which calculates the layout anyway.
    const frame = requestAnimationFrame(() => window.scrollTo(0, 0));
    return () => cancelAnimationFrame(frame);
  }, [id]);
}

/** Shows one person at a time. The member decides by throwing the card, with a button or with a key. */
export function Deck(props: DeckProps) {
  const { cards, remainingLikes, onDecide, onUndo, onOpen, onPictureFailed, detailsOf } = props;
  const stack = useRef<HTMLDivElement>(null);
  const [leaving, setLeaving] = useState<Leaving | null>(null);
  const [statusMessage, setStatusMessage] = useState('');
  const top = cards[0];
  const topId = top?.user._id;
  const flying = cards.some(({ user }) => user._id === leaving?.card.user._id) ? null : leaving;
  // While a card flies off, only pictures are rendered, so that many quick swipes stay smooth.
  const restingId = flying === null ? topId : undefined;
  // The story is rendered after its picture, and so is the text below the picture, except on the first card.
  const readId = useDeferredValue<string | null | undefined>(restingId, null);
  const wordsId = useDeferredValue(restingId);
  // The first card is rendered before the cards below it.
  const isFirstDrawn = useDeferredValue(true, false);
  useStartAtTop(topId);

  function decide(way: SwipeWay) {
    if (top === undefined) return;
    const name = memberName(top.user);
    const done = way === 'like' ? t`You like ${name}.` : t`You passed on ${name}.`;
    const next = cards[1];
    // Comes first, so that the changes it makes are rendered together with the rest.
    onDecide(top, way);
    setStatusMessage(next === undefined ? done : `${done} ${t`Next: ${{ title: cardTitle(next) }}`}`);
    // Replaces a card that is still flying, so that quick swipes render at most one of them.
    setLeaving({ card: top, way });
    // The focused control disappears with its card.
    if (stack.current?.contains(document.activeElement)) stack.current.focus({ preventScroll: true });
  }

  /** Scrolls the text next to the picture; returns false if it scrolls with the page. */
  function scrollWords(px: number): boolean {
    const words = stack.current?.querySelector('[data-place="0"] [data-words]');
    if (words == null || words.scrollHeight <= words.clientHeight) return false;
    words.scrollBy({ top: px });
    return true;
  }

  /** Scrolls to the next picture or answer, and from the last one back to the first picture. */
  function showNext(): boolean {
    if (isOnControl()) return false;
    const card = stack.current?.querySelector('[data-place="0"]');
    const parts = [...(card?.querySelectorAll('[data-part]') ?? [])];
    const next = parts.find((part) => part.getBoundingClientRect().top > innerHeight / 2) ?? card;
    next?.scrollIntoView({ block: next === card ? 'start' : 'center' });
    return true;
  }

  useSwipe(stack, topId, decide);
  useSingleKeys({
    ArrowLeft: once(() => decide('pass')),
    ArrowRight: once(() => decide('like')),
    ArrowUp: () => scrollWords(-scrollPx),
    ArrowDown: () => scrollWords(scrollPx),
    ' ': showNext,
    Backspace: once(onUndo),
    '?': () => onOpen({ what: 'keys' }),
  });

  if (top === undefined) return null;
  const drawn = [
    ...(flying === null ? [] : [{ ...flying, at: null }]),
    ...cards.slice(0, isFirstDrawn ? beneath + 1 : 1).map((card, at) => ({ card, way: null, at })),
  ];
  return (
    <div ref={passingFocus} className={classes.deck} data-few={isFew(remainingLikes) || undefined}>
      <div ref={stack} tabIndex={-1} className={classes.stack} onErrorCapture={onPictureFailed}>
        {drawn.map(({ card, way, at }) => (
          <DeckCard
            key={card.user._id}
            card={card}
            place={at}
            way={way}
            onOpen={onOpen}
            setLeaving={setLeaving}
            hasWords={at === 0 && card.user._id === wordsId}
            details={at === 0 && card.user._id === readId ? detailsOf(card) : null}
          />
        ))}
      </div>
      <DeckActions card={top} remainingLikes={remainingLikes} onDecide={decide} onUndo={onUndo} />
      <p role="status" className="visually-hidden">
        {statusMessage}
      </p>
    </div>
  );
}

/** The number of remaining likes is shown when it is at most this. */
const tellFrom = 10;
const isFew = (likes: number | null | undefined): likes is number => typeof likes === 'number' && likes <= tellFrom;

interface DeckActionsProps {
  card: CardView;
  remainingLikes: number | null | undefined;
  onDecide: (way: SwipeWay) => void;
  onUndo: () => void;
}

/** The actions for the top person. */
function DeckActions({ card, remainingLikes, onDecide, onUndo }: DeckActionsProps) {
  const singleTaps = useSingleTaps(card.user._id);
  const name = memberName(card.user);
  return (
    <div className={classes.foot}>
      <DecisionBar
        label={t`Your decision`}
        passText={t`Pass on ${name}`}
        likeText={t`Like ${name}`}
        onPass={singleTaps('pass', () => onDecide('pass'))}
        onLike={singleTaps('like', () => onDecide('like'))}
        before={<DecisionButton way="more" Icon={IconArrowBackUp} aria-label={t`Undo`} onClick={onUndo} />}
      />
      <p role="status" className={classes.left}>
        {isFew(remainingLikes) &&
          t`${plural({ count: remainingLikes }, { one: '# like', other: '# likes' })} left today`}
      </p>
    </div>
  );
}

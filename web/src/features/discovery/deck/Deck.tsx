import type { CardView } from '#contract/discovery/discovery.ts';
import { IconArrowBackUp, IconHeart, IconMessageHeart, IconX } from '@tabler/icons-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { thumbnailWidth } from '#contract/constants.ts';
import type { Picture } from '#contract/media/picture.ts';
import { galleryWidth } from '../../../ui/data/PictureGallery.tsx';
import { useSingleKeys } from '../../../ui/keyboard/single-keys.ts';
import { useStable } from '../../../ui/loading/use-stable.ts';
import { memberName } from '../../../ui/text/person.ts';
import { t } from '../../../ui/text/text.ts';
import classes from '../discovery.module.css';
import { cardTitle } from './CardText.tsx';
import { DeckCard, type SwipeWay } from './DeckCard.tsx';

/** So many are drawn beneath the one on top, with their pictures. */
const beneath = 3;

interface DeckProps {
  /** Who is to be decided on, the first on top; one at least. */
  cards: readonly CardView[];
  remainingLikes: number | null | undefined;
  onDecide: (card: CardView, way: SwipeWay) => void;
  /** Asks for a note to go with a like; `picture` is the one that is looked at. */
  onNote: (card: CardView, picture: Picture | undefined) => void;
  onUndo: () => void;
  onWhy: (card: CardView) => void;
  onKeys: () => void;
  onPictureFailed: () => void;
  detailsOf: (card: CardView) => ReactNode;
}

interface Leaving {
  card: CardView;
  way: SwipeWay;
}

/** A key that is held down decides only once. */
const once = (act: () => void) => (event: KeyboardEvent) => {
  if (!event.repeat) act();
};

/** Space and Enter belong to the focused control. */
const isOnControl = () => document.activeElement?.matches('a, button, summary') === true;

/** One person at a time, decided on by throwing the card, by button or by key. */
export function Deck(props: DeckProps) {
  const { cards, remainingLikes, onDecide, onNote, onUndo, onWhy, onKeys, onPictureFailed, detailsOf } = props;
  const stack = useRef<HTMLDivElement>(null);
  const [leaving, setLeaving] = useState<readonly Leaving[]>([]);
  const [looked, setLooked] = useState({ id: '', index: 0 });
  const [openId, setOpenId] = useState<string | null>(null);
  const [statusMessage, setStatusMessage] = useState('');
  const top = cards[0];
  const topId = top?.user._id ?? '';
  const isOpen = openId === topId;
  const index = looked.id === topId ? looked.index : 0;
  const pictures = top?.user.pictures ?? [];
  const shownIds = new Set(cards.map(({ user }) => user._id));
  const flying = leaving.filter(({ card }) => !shownIds.has(card.user._id));
  usePictureAhead(pictures[index + 1]);

  function decide(way: SwipeWay) {
    if (top === undefined) return;
    const name = memberName(top.user);
    const done = way === 'like' ? t('You like {name}.', { name }) : t('You passed on {name}.', { name });
    const next = cards[1];
    setStatusMessage(next === undefined ? done : `${done} ${t('Next: {title}', { title: cardTitle(next) })}`);
    setLeaving([...flying, { card: top, way }]);
    // The focused control leaves with its card.
    if (stack.current?.contains(document.activeElement)) stack.current.focus({ preventScroll: true });
    onDecide(top, way);
  }

  function open(isToBeOpen: boolean): boolean {
    if (isOpen === isToBeOpen) return false;
    setOpenId(isToBeOpen ? topId : null);
    return true;
  }

  function showNext(): boolean {
    if (isOnControl()) return false;
    if (pictures.length > 1) setLooked({ id: topId, index: (index + 1) % pictures.length });
    return true;
  }

  const shared = {
    onPictureFailed: useStable(onPictureFailed),
    onThrow: useStable(decide),
    onWhy: useStable(onWhy),
    onToggle: useStable(() => void open(!isOpen)),
    onPicture: useStable((card: CardView, next: number) => setLooked({ id: card.user._id, index: next })),
    onGone: useStable((card: CardView) => setLeaving((before) => before.filter((other) => other.card !== card))),
  };

  useSingleKeys({
    ArrowLeft: once(() => decide('pass')),
    ArrowRight: once(() => decide('like')),
    ArrowUp: () => open(true),
    ArrowDown: () => open(false),
    Escape: () => open(false),
    ' ': showNext,
    Backspace: once(onUndo),
    '?': onKeys,
  });

  if (top === undefined) return null;
  const drawn = [
    ...flying.map(({ card, way }) => ({ card, way, at: null })),
    ...cards.slice(0, beneath + 1).map((card, at) => ({ card, way: null, at })),
  ];
  return (
    <div className={classes.deck}>
      <div ref={stack} tabIndex={-1} className={classes.stack}>
        {drawn.map(({ card, way, at }) => (
          <DeckCard
            key={card.user._id}
            {...shared}
            card={card}
            place={at}
            way={way}
            pictureIndex={looked.id === card.user._id ? looked.index : 0}
            isOpen={isOpen && at === 0}
            details={at === 0 && isOpen ? detailsOf(card) : null}
          />
        ))}
      </div>
      <DeckActions
        card={top}
        remainingLikes={remainingLikes}
        onDecide={decide}
        onNote={() => onNote(top, pictures[index])}
        onUndo={onUndo}
      />
      <p role="status" className="visually-hidden">
        {statusMessage}
      </p>
    </div>
  );
}

/** From this number on, the remaining likes are shown. */
const tellFrom = 10;

interface DeckActionsProps {
  card: CardView;
  remainingLikes: number | null | undefined;
  onDecide: (way: SwipeWay) => void;
  onNote: () => void;
  onUndo: () => void;
}

/** What can be done about the person on top; pass is left and like is right, as the card is thrown. */
function DeckActions({ card, remainingLikes, onDecide, onNote, onUndo }: DeckActionsProps) {
  const name = memberName(card.user);
  const isAlert = typeof remainingLikes === 'number' && remainingLikes <= tellFrom;
  return (
    <div className={classes.foot}>
      <div role="group" className={classes.actions} aria-label={t('Your decision')}>
        <button type="button" className={classes.action} onClick={onUndo}>
          <IconArrowBackUp size={22} stroke={2} aria-hidden="true" />
          {t('Undo')}
        </button>
        <button
          type="button"
          className={classes.action}
          data-way="pass"
          aria-label={t('Pass on {name}', { name })}
          onClick={() => onDecide('pass')}
        >
          <IconX size={28} stroke={2.25} aria-hidden="true" />
          {t('Pass')}
        </button>
        <button
          type="button"
          className={classes.action}
          data-way="like"
          aria-label={t('Like {name}', { name })}
          onClick={() => onDecide('like')}
        >
          <IconHeart size={28} stroke={2} aria-hidden="true" />
          {t('Like')}
        </button>
        <button
          type="button"
          className={classes.action}
          aria-label={t('Note with a like for {name}', { name })}
          onClick={onNote}
        >
          <IconMessageHeart size={22} stroke={1.75} aria-hidden="true" />
          {t('Note')}
        </button>
      </div>
      <p role="status" className={classes.left}>
        {isAlert && t('{count, plural, one {# like} other {# likes}} left today', { count: remainingLikes })}
      </p>
    </div>
  );
}

/** Loads the next picture ahead, in the size in which it will be drawn. */
function usePictureAhead(picture: Picture | undefined): void {
  useEffect(() => {
    if (picture === undefined) return;
    const image = new Image();
    image.sizes = galleryWidth;
    image.srcset = `${picture.thumbnailUrl} ${thumbnailWidth}w, ${picture.url} ${picture.width}w`;
  }, [picture]);
}

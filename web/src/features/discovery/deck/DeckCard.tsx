import type { CardView } from '#contract/discovery.ts';
import { Button, Group, Text, Title } from '@mantine/core';
import { IconMessageHeart, IconSparkles } from '@tabler/icons-react';
import { memo, type ReactNode, type RefObject, Suspense, useEffect, useId, useLayoutEffect, useRef } from 'react';
import { Link } from 'react-router';
import { Avatar, movingPicture } from '../../../ui/data/Avatar.tsx';
import { PartLikeButton, PersonHero } from '../../../ui/data/PersonHero.tsx';
import { Tag } from '../../../ui/data/Tag.tsx';
import { useStable } from '../../../ui/loading/use-stable.ts';
import { memberName } from '../../../ui/text/person.ts';
import { t } from '../../../ui/text/text.ts';
import classes from './deck.module.css';
import { cardPlace, cardTitle, Compatibility, Reasons, reasonText } from './CardText.tsx';

interface DeckCardProps {
  card: CardView;
  /** From the top, 0; null for one that leaves. */
  place: number | null;
  /** The direction in which it leaves. */
  way: SwipeWay | null;
  onPictureFailed: () => void;
  /** Asks for a note to go with a like of their first picture, or of them without one. */
  onNote: (card: CardView) => void;
  onWhy: (card: CardView) => void;
  onThrow: (way: SwipeWay) => void;
  /** It is out of sight. */
  onGone: (card: CardView) => void;
  /** Whether its words are drawn. */
  hasWords: boolean;
  /** Everything in their profile. */
  details: ReactNode;
}

/** What follows below or next to the picture of the top card. */
function CardWords({ card, onWhy, details }: Pick<DeckCardProps, 'card' | 'onWhy' | 'details'>) {
  const name = memberName(card.user);
  return (
    <div className={classes.words} data-words>
      <Compatibility band={card.compatibilityBand} />
      <Reasons reasons={card.reasons} name={name} />
      {/* Together, so that nothing moves when the details arrive. */}
      <Suspense>
        {details}
        <Group gap="0.25rem" justify="center">
          <Button variant="subtle" color="gray" size="sm" onClick={() => onWhy(card)}>
            {t('Why am I seeing this?')}
          </Button>
          <Button component={Link} to={`/app/members/${card.user._id}`} variant="subtle" color="gray" size="sm">
            {t('Report or block {name}', { name })}
          </Button>
        </Group>
      </Suspense>
    </div>
  );
}

interface CardFaceProps extends Pick<DeckCardProps, 'card' | 'onPictureFailed' | 'onNote'> {
  titleId: string;
}

/** The picture with name and place over it: the same at every place in the deck, so it is drawn once. */
const CardFace = memo(function CardFace({ card, titleId, onPictureFailed, onNote }: CardFaceProps) {
  const name = memberName(card.user);
  const where = cardPlace(card);
  const [first] = card.reasons;
  return (
    <PersonHero
      name={name}
      pictures={card.user.pictures}
      fallback={<Avatar id={card.user._id} name={name} picture={null} size={160} />}
      onFailed={onPictureFailed}
    >
      <div className={classes.face}>
        <Title id={titleId} order={2} fz="min(clamp(1.9rem, 1.6rem + 1.6vw, 2.5rem), 13vw)">
          {cardTitle(card)}
        </Title>
        {where !== '' && (
          <Text mt="0.15rem" mb="0.4rem">
            {where}
          </Text>
        )}
        {first !== undefined && (
          <p className={classes.firstReason} aria-hidden="true">
            <IconSparkles size={16} stroke={1.75} />
            {reasonText(first, name)}
          </p>
        )}
        {card.user.isOnline === true && (
          <Tag tone="positive" hasDot>
            {t('Online')}
          </Tag>
        )}
      </div>
      <div className={classes.heroLike}>
        {card.user.pictures.length > 0 ? (
          <PartLikeButton
            text={t('Like picture {number} of {name}', { number: 1, name })}
            onPress={() => onNote(card)}
          />
        ) : (
          <PartLikeButton
            text={t('Note with a like for {name}', { name })}
            Icon={IconMessageHeart}
            onPress={() => onNote(card)}
          />
        )}
      </div>
      <span className={classes.label} data-label="pass" aria-hidden="true">
        {t('PASS')}
      </span>
      <span className={classes.label} data-label="like" aria-hidden="true">
        {t('LIKE')}
      </span>
    </PersonHero>
  );
});

/** One person of the deck: the top card with all details, cards beneath as a picture only. */
export const DeckCard = memo(function DeckCard(props: DeckCardProps) {
  const { card, place, way, onPictureFailed, onNote, onThrow } = props;
  const titleId = useId();
  const element = useRef<HTMLElement>(null);
  const gone = useStable(() => props.onGone(card));
  const isOnTop = place === 0;
  useSwipe(element, isOnTop, onThrow);

  useEffect(() => {
    const leaving = element.current;
    if (way === null || leaving === null) return;
    const flight = flyOff(leaving, way);
    // Canceled where they are back before they were out of sight.
    flight.finished.then(gone, () => undefined);
    return () => {
      flight.cancel();
      release(leaving);
    };
  }, [way, gone]);

  return (
    <article
      ref={element}
      className={classes.card}
      data-place={place ?? 'leaving'}
      aria-labelledby={titleId}
      aria-hidden={!isOnTop || undefined}
      inert={!isOnTop}
    >
      <div className={classes.photo} style={isOnTop ? movingPicture(card.user._id) : undefined}>
        <CardFace card={card} titleId={titleId} onPictureFailed={onPictureFailed} onNote={onNote} />
      </div>
      {props.hasWords && <CardWords {...props} />}
    </article>
  );
});

export type SwipeWay = 'like' | 'pass';

/** A shorter movement is a tap. */
const slopPx = 6;
/** From this distance or speed on the card is thrown. */
const throwPx = 110;
const throwPxPerMs = 0.6;
/** The speed is measured over the last movement of this length. */
const stretchMs = 60;
const backMs = 180;
const flightMs = 200;
const degreesPerPx = 0.06;

/** How long an animation takes; 0 for users who prefer reduced motion. */
function motionMs(ms: number): number {
  return matchMedia('(prefers-reduced-motion: reduce)').matches ? 0 : ms;
}

/** Shows how close the card is to a decision; only the two labels are repainted. */
function label(card: HTMLElement, pull: number): void {
  for (const way of ['pass', 'like'] as const) {
    const strength = way === 'like' ? pull : -pull;
    const element = card.querySelector<HTMLElement>(`[data-label="${way}"]`);
    if (element !== null) element.style.opacity = String(Math.max(0, Math.min(1, strength)));
  }
}

/** Moves a card `px` to the side; right is like and left is pass in every reading direction. */
function hold(card: HTMLElement, px: number): void {
  card.style.transform = `translate3d(${px}px, 0, 0) rotate(${px * degreesPerPx}deg)`;
  label(card, px / throwPx);
}

/** Puts a card back in its place. */
function release(card: HTMLElement): void {
  card.style.removeProperty('transform');
  label(card, 0);
}

/** Animates a card off the screen from where it is held. */
function flyOff(card: HTMLElement, way: SwipeWay): Animation {
  const side = way === 'like' ? 1 : -1;
  label(card, side);
  const away = `translate3d(${side * 120}vw, 0, 0) rotate(${side * 14}deg)`;
  return card.animate([{ transform: card.style.transform || 'none' }, { transform: away }], {
    duration: motionMs(flightMs),
    // Fast at first, like something thrown.
    easing: 'ease-out',
    fill: 'forwards',
  });
}

interface Drag {
  pointerId: number;
  startX: number;
  x: number;
  isMoving: boolean;
  /** Positions and times of the last movement. */
  trail: { x: number; at: number }[];
  frame: number;
}

function speedOf({ trail, x }: Drag, at: number): number {
  const from = trail.find((point) => at - point.at <= stretchMs);
  return from === undefined || at <= from.at ? 0 : (x - from.x) / (at - from.at);
}

function thrownWay(drag: Drag, at: number): SwipeWay | null {
  const px = drag.x - drag.startX;
  const speed = speedOf(drag, at);
  const isThrown = Math.abs(px) >= throwPx || (Math.abs(speed) >= throwPxPerMs && speed * px > 0);
  if (!isThrown) return null;
  return px > 0 ? 'like' : 'pass';
}

/** Follows one pointer on a card. Draws at most once per frame and causes no layout. */
function listen(card: HTMLElement, onThrow: (way: SwipeWay) => void, signal: AbortSignal): void {
  let drag: Drag | null = null;

  function begin({ pointerId, clientX, timeStamp, button, isPrimary, pointerType, target }: PointerEvent) {
    const isSelecting = pointerType === 'mouse' && target instanceof Element && target.closest('[data-words]') !== null;
    if (button !== 0 || !isPrimary || drag !== null || isSelecting) return;
    const trail = [{ x: clientX, at: timeStamp }];
    drag = { pointerId, startX: clientX, x: clientX, isMoving: false, trail, frame: 0 };
  }

  function draw() {
    if (drag === null) return;
    drag.frame = 0;
    hold(card, drag.x - drag.startX);
  }

  function follow({ pointerId, clientX, timeStamp }: PointerEvent) {
    if (drag?.pointerId !== pointerId) return;
    drag.x = clientX;
    drag.trail = [...drag.trail.filter(({ at }) => timeStamp - at <= stretchMs), { x: clientX, at: timeStamp }];
    if (!drag.isMoving && Math.abs(clientX - drag.startX) < slopPx) return;
    if (!drag.isMoving) {
      drag.isMoving = true;
      // Capturing earlier would take clicks away from the buttons on the card.
      card.setPointerCapture(pointerId);
    }
    drag.frame ||= requestAnimationFrame(draw);
  }

  function end(): Drag | null {
    const ended = drag;
    drag = null;
    if (ended !== null) cancelAnimationFrame(ended.frame);
    return ended?.isMoving === true ? ended : null;
  }

  function goBack() {
    const from = card.style.transform || 'none';
    release(card);
    card.animate([{ transform: from }, { transform: 'none' }], { duration: motionMs(backMs), easing: 'ease-out' });
  }

  function lift({ pointerId, timeStamp }: PointerEvent) {
    if (drag?.pointerId !== pointerId) return;
    const ended = end();
    if (ended === null) return;
    card.addEventListener('click', swallow, { capture: true, once: true });
    setTimeout(() => card.removeEventListener('click', swallow, { capture: true }));
    const way = thrownWay(ended, timeStamp);
    if (way === null) return goBack();
    hold(card, ended.x - ended.startX);
    onThrow(way);
  }

  /** Ignores the click that the browser sends at the end of a drag. */
  function swallow(event: Event) {
    event.preventDefault();
    event.stopPropagation();
  }

  function cancel({ pointerId }: PointerEvent) {
    if (drag?.pointerId === pointerId && end() !== null) goBack();
  }

  card.addEventListener('pointerdown', begin, { signal });
  card.addEventListener('pointermove', follow, { signal });
  card.addEventListener('pointerup', lift, { signal });
  card.addEventListener('pointercancel', cancel, { signal });
  // The browser's own image dragging would cancel the pointer.
  card.addEventListener('dragstart', (event) => event.preventDefault(), { signal });
  signal.addEventListener('abort', () => {
    if (end() !== null) goBack();
  });
}

/** Lets the top card be thrown to the side by finger or mouse; vertical movements scroll the page. */
function useSwipe(card: RefObject<HTMLElement | null>, isOnTop: boolean, onThrow: (way: SwipeWay) => void) {
  const thrown = useStable(onThrow);
  useLayoutEffect(() => {
    if (!isOnTop || card.current === null) return;
    const ending = new AbortController();
    listen(card.current, thrown, ending.signal);
    return () => ending.abort();
  }, [card, isOnTop, thrown]);
}

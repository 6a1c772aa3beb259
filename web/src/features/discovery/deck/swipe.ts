import { type RefObject, useEffectEvent, useLayoutEffect } from 'react';

/** Right is like and left is pass. */
export type SwipeWay = 'like' | 'pass';

/** A shorter movement counts as a tap. */
const slopPx = 6;
/** The card is thrown when it is pulled this far or this fast. */
const throwPx = 110;
const throwPxPerMs = 0.6;
/** The speed is measured over this last part of the movement. */
const stretchMs = 60;
const backMs = 180;
const flightMs = 200;
const degreesPerPx = 0.06;

/** The duration of an animation; 0 for users who prefer reduced motion. */
function motionMs(ms: number): number {
  return matchMedia('(prefers-reduced-motion: reduce)').matches ? 0 : ms;
}

/** Fades in the label of the decision as the card is pulled; only the two labels are repainted. */
function label(card: HTMLElement, pull: number): void {
  for (const way of ['pass', 'like'] as const) {
    const strength = way === 'like' ? pull : -pull;
    const element = card.querySelector<HTMLElement>(`[data-label="${way}"]`);
    if (element !== null) element.style.opacity = String(Math.max(0, Math.min(1, strength)));
  }
}

/** Moves a card `px` to the side. Right is like and left is pass, even in languages written from right to left. */
function hold(card: HTMLElement, px: number): void {
  card.style.transform = `translate3d(${px}px, 0, 0) rotate(${px * degreesPerPx}deg)`;
  label(card, px / throwPx);
}

/** Puts a card back in its place. */
export function release(card: HTMLElement): void {
  card.style.removeProperty('transform');
  label(card, 0);
}

/** Animates a card off the screen, starting at its current position. */
export function flyOff(card: HTMLElement, way: SwipeWay): Animation {
  const side = way === 'like' ? 1 : -1;
  label(card, side);
  const away = `translate3d(${side * 120}vw, 0, 0) rotate(${side * 14}deg)`;
  return card.animate([{ transform: card.style.transform || 'none' }, { transform: away }], {
    duration: motionMs(flightMs),
    // Fast at first, like a card that is thrown.
    easing: 'ease-out',
    fill: 'forwards',
  });
}

interface Drag {
  pointerId: number;
  startX: number;
  x: number;
  isMoving: boolean;
  /** Positions and times of the most recent movement. */
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

/** Follows one pointer on a card. Updates the card at most once per frame, without calculating the layout. */
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
      // Capturing the pointer earlier would keep clicks from reaching the buttons on the card.
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

  /** Ignores the click that the browser dispatches at the end of a drag. */
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

/** Lets people throw the top card to the side by finger or mouse; vertical movements scroll the page. */
export function useSwipe(
  stack: RefObject<HTMLElement | null>,
  topId: string | undefined,
  onThrow: (way: SwipeWay) => void,
) {
  const thrown = useEffectEvent(onThrow);
  useLayoutEffect(() => {
    const card = topId === undefined ? null : stack.current?.querySelector<HTMLElement>('[data-place="0"]');
    if (card == null) return;
    const ending = new AbortController();
    listen(card, (way) => thrown(way), ending.signal);
    return () => ending.abort();
  }, [stack, topId]);
}

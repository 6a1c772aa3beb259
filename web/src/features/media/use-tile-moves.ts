import { type PointerEvent, type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react';

interface Drag {
  id: string;
  /** The distance from where the tile was picked up, in px. */
  x: number;
  y: number;
  /** The position under the pointer; null if there is none. */
  over: number | null;
}

/** A shorter movement counts as a click. */
const leastPx = 6;

/** The position of the tile under a point, not counting the dragged one. */
function placeAt(list: HTMLElement | null, heldId: string, x: number, y: number): number | null {
  const tiles = [...(list?.querySelectorAll<HTMLElement>('[data-place]') ?? [])];
  const hit = tiles.find((tile) => {
    if (tile.dataset['tile'] === heldId) return false;
    const { left, right, top, bottom } = tile.getBoundingClientRect();
    return x >= left && x <= right && y >= top && y <= bottom;
  });
  return hit ? Number(hit.dataset['place']) : null;
}

/**
 * Drags a tile to another position. On touch screens it is dragged by its handle, so that the rest of the tile still
 * scrolls the page.
 */
function useTileDrag(onDrop: (id: string, to: number) => void) {
  const list = useRef<HTMLOListElement>(null);
  const held = useRef<{ id: string; x: number; y: number } | null>(null);
  const [drag, setDrag] = useState<Drag | null>(null);

  function cancel() {
    held.current = null;
    setDrag(null);
  }

  const cancelByKey = useEffectEvent(({ key }: KeyboardEvent) => {
    if (key === 'Escape') cancel();
  });
  useEffect(() => {
    const leaving = new AbortController();
    document.addEventListener('keydown', (event) => cancelByKey(event), { signal: leaving.signal });
    return () => leaving.abort();
  }, []);

  function take(event: PointerEvent<HTMLElement>, id: string) {
    const isByGrip = (event.target as Element).closest('[data-grip]') !== null;
    if (event.button !== 0 || (event.pointerType === 'touch' && !isByGrip)) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    held.current = { id, x: event.clientX, y: event.clientY };
  }

  function move({ clientX, clientY }: PointerEvent<HTMLElement>) {
    if (held.current === null) return;
    const { id } = held.current;
    const [x, y] = [clientX - held.current.x, clientY - held.current.y];
    if (drag === null && Math.hypot(x, y) < leastPx) return;
    setDrag({ id, x, y, over: placeAt(list.current, id, clientX, clientY) });
  }

  function drop() {
    if (drag !== null && drag.over !== null) onDrop(drag.id, drag.over);
    cancel();
  }

  /** The event handlers for a tile's picture. */
  const handlersOf = (id: string) => ({
    onPointerDown: (event: PointerEvent<HTMLElement>) => take(event, id),
    onPointerMove: move,
    onPointerUp: drop,
    onPointerCancel: cancel,
  });

  return { list, drag, handlersOf };
}

/** Moves a tile by dragging it or with one of its buttons, which keeps the focus. */
export function useTileMoves(place: RefObject<HTMLElement | null>, move: (id: string, to: number) => void) {
  const focusNext = useRef<string | null>(null);
  const { list, drag, handlersOf } = useTileDrag(move);

  // Moving a tile within the list removes the focus from its button.
  useEffect(() => {
    if (focusNext.current === null) return;
    place.current?.querySelector<HTMLElement>(focusNext.current)?.focus();
    focusNext.current = null;
  });

  function moveByButton(id: string, to: number, by: string) {
    focusNext.current = `[data-tile="${id}"] [data-action="${by}"]`;
    move(id, to);
  }

  return { list, drag, handlersOf, moveByButton };
}

import { type PointerEvent, useEffect, useRef, useState } from 'react';
import { useStable } from '../../ui/loading/use-stable.ts';

interface Drag {
  id: string;
  /** How far it is from where it was taken. */
  x: number;
  y: number;
  /** The place it is held over, or null. */
  over: number | null;
}

/** Less is a click, or a hand that trembles. */
const leastPx = 6;

/** The place of the tile under a point, other than the one that is held there. */
function placeAt(list: HTMLElement | null, held: string, x: number, y: number): number | null {
  const tiles = [...(list?.querySelectorAll<HTMLElement>('[data-place]') ?? [])];
  const hit = tiles.find((tile) => {
    if (tile.dataset['tile'] === held) return false;
    const { left, right, top, bottom } = tile.getBoundingClientRect();
    return x >= left && x <= right && y >= top && y <= bottom;
  });
  return hit ? Number(hit.dataset['place']) : null;
}

/** Taking a tile by the pointer to another's place. By touch it is taken by its grip, so that the rest of it scrolls the page. */
export function useTileDrag(onDrop: (id: string, to: number) => void) {
  const list = useRef<HTMLOListElement>(null);
  const taken = useRef<{ id: string; x: number; y: number } | null>(null);
  const [drag, setDrag] = useState<Drag | null>(null);

  const cancel = useStable(() => {
    taken.current = null;
    setDrag(null);
  });

  useEffect(() => {
    const cancelByKey = (event: KeyboardEvent) => {
      if (event.key === 'Escape') cancel();
    };
    document.addEventListener('keydown', cancelByKey);
    return () => document.removeEventListener('keydown', cancelByKey);
  }, [cancel]);

  function take(event: PointerEvent<HTMLElement>, id: string) {
    const isByGrip = (event.target as Element).closest('[data-grip]') !== null;
    if (event.button !== 0 || (event.pointerType === 'touch' && !isByGrip)) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    taken.current = { id, x: event.clientX, y: event.clientY };
  }

  function move({ clientX, clientY }: PointerEvent<HTMLElement>) {
    if (taken.current === null) return;
    const { id } = taken.current;
    const [x, y] = [clientX - taken.current.x, clientY - taken.current.y];
    if (drag === null && Math.hypot(x, y) < leastPx) return;
    setDrag({ id, x, y, over: placeAt(list.current, id, clientX, clientY) });
  }

  function drop() {
    if (drag !== null && drag.over !== null) onDrop(drag.id, drag.over);
    cancel();
  }

  /** What the tile's picture listens to. */
  const handlersOf = (id: string) => ({
    onPointerDown: (event: PointerEvent<HTMLElement>) => take(event, id),
    onPointerMove: move,
    onPointerUp: drop,
    onPointerCancel: cancel,
  });

  return { list, drag, handlersOf };
}

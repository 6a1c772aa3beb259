import { useEffect, useRef } from 'react';
import { useStable } from '../../../ui/loading/use-stable.ts';
import { framed, type Framing, partOf } from './crop.ts';
import type { OpenPicture } from './drawing.ts';

interface Point {
  x: number;
  y: number;
}

/** How much closer one notch of a wheel, and one press of + or -, brings it. */
const wheelStep = 0.0015;
const keyStep = 1.15;

const middleOf = (points: readonly Point[]): Point => ({
  x: points.reduce((sum, { x }) => sum + x, 0) / points.length,
  y: points.reduce((sum, { y }) => sum + y, 0) / points.length,
});

/** How far apart two fingers are; one finger is as far from itself before as after. */
function spread([one, other]: readonly Point[]): number {
  return one && other ? Math.max(1, Math.hypot(one.x - other.x, one.y - other.y)) : 1;
}

/** What a hand does to the picture behind a frame: fingers or mouse move it, two fingers, the wheel and + and - bring it closer. */
export function useCropGestures(picture: OpenPicture, onFraming: (change: (before: Framing) => Framing) => void) {
  const frame = useRef<HTMLDivElement>(null);
  const fingers = useRef(new Map<number, Point>());

  const zoomBy = useStable((factor: number) =>
    onFraming((before) => framed(picture, { ...before, zoom: before.zoom * factor })),
  );

  const follow = useStable((before: readonly Point[], after: readonly Point[]) => {
    const [from, to] = [middleOf(before), middleOf(after)];
    const factor = spread(after) / spread(before);
    const shown = frame.current?.getBoundingClientRect().width ?? 0;
    if (shown === 0) return;
    onFraming((framing) => {
      const pixels = partOf(picture, framing).width / shown;
      const x = framing.x - (to.x - from.x) * pixels;
      const y = framing.y - (to.y - from.y) * pixels;
      return framed(picture, { x, y, zoom: framing.zoom * factor });
    });
  });

  useEffect(() => {
    const element = frame.current;
    if (element === null) return;
    const ending = new AbortController();
    const { signal } = ending;
    const held = fingers.current;
    const points = () => [...held.values()];

    function down(event: PointerEvent) {
      if (event.button !== 0 || held.size === 2) return;
      element?.setPointerCapture(event.pointerId);
      held.set(event.pointerId, { x: event.clientX, y: event.clientY });
    }
    function move(event: PointerEvent) {
      if (!held.has(event.pointerId)) return;
      const before = points();
      held.set(event.pointerId, { x: event.clientX, y: event.clientY });
      follow(before, points());
    }
    const up = (event: PointerEvent) => held.delete(event.pointerId);
    function wheel(event: WheelEvent) {
      event.preventDefault();
      zoomBy(Math.exp(-event.deltaY * wheelStep));
    }
    function press({ key }: KeyboardEvent) {
      if (key === '+' || key === '=') zoomBy(keyStep);
      if (key === '-') zoomBy(1 / keyStep);
    }
    element.addEventListener('pointerdown', down, { signal });
    element.addEventListener('pointermove', move, { signal });
    element.addEventListener('pointerup', up, { signal });
    element.addEventListener('pointercancel', up, { signal });
    element.addEventListener('wheel', wheel, { signal, passive: false });
    document.addEventListener('keydown', press, { signal });
    return () => ending.abort();
  }, [follow, zoomBy]);

  return frame;
}

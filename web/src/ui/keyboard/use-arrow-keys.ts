import { type KeyboardEvent, useRef, useState } from 'react';

const steps: Record<string, number> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

/**
 * One Tab stop for many controls; the arrow keys, Home and End move between them. `names` are the controls' values in
 * order. The control that last had the focus, or the first, is the stop.
 */
export function useArrowKeys(names: readonly string[]) {
  const within = useRef<HTMLDivElement>(null);
  const [last, setLast] = useState<string | null>(null);
  const stop = last !== null && names.includes(last) ? last : names[0];

  function onKeyDown(event: KeyboardEvent<HTMLInputElement>) {
    const controls = [...(within.current?.querySelectorAll('input') ?? [])];
    const at = controls.indexOf(event.currentTarget);
    const step = steps[event.key];
    const isMirrored = getComputedStyle(event.currentTarget).direction === 'rtl' && /Left|Right/.test(event.key);
    const to =
      event.key === 'Home'
        ? 0
        : event.key === 'End'
          ? controls.length - 1
          : step === undefined
            ? null
            : at + (isMirrored ? -step : step);
    if (at === -1 || to === null) return;
    event.preventDefault();
    controls[Math.max(0, Math.min(controls.length - 1, to))]?.focus();
  }

  return {
    /** For the element around the controls. */
    within,
    stopOf: (name: string) => ({ tabIndex: name === stop ? 0 : -1, onFocus: () => setLast(name), onKeyDown }),
  };
}

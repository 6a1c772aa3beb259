import { type MouseEvent, useRef } from 'react';

/**
 * Ignores the second click of a double click, for buttons that move when one of them is pressed. Used as
 * `onClickCapture` of their container.
 */
export function ignoreRepeat(event: MouseEvent): void {
  if (event.detail < 2) return;
  event.preventDefault();
  event.stopPropagation();
}

/** The time within which phones recognise a double tap. */
const doubleTapMs = 300;

/**
 * For buttons that replace `subject` with another one: ignores a second tap on the same button that comes too soon for
 * the new subject to have been seen. Slower taps and all key presses count. The double-click time of desktop systems
 * (half a second) would ignore too much.
 */
export function useSingleTaps(subject: string): (button: string, press: () => void) => (event: MouseEvent) => void {
  const last = useRef({ button: '', subject, at: 0 });
  return (button, press) =>
    ({ detail, timeStamp: at }) => {
      const { current: before } = last;
      const isUnseen =
        detail > 0 && button === before.button && subject !== before.subject && at - before.at < doubleTapMs;
      last.current = { button, subject: isUnseen ? before.subject : subject, at };
      if (!isUnseen) press();
    };
}

import { type MouseEvent, useRef } from 'react';

/** Where a press moves other buttons under the finger: ignores the rest of a double click. For `onClickCapture` around them. */
export function ignoreRepeat(event: MouseEvent): void {
  if (event.detail < 2) return;
  event.preventDefault();
  event.stopPropagation();
}

/** The time within which phones take two taps for a double tap. */
const doubleTapMs = 300;

/**
 * For buttons that go on from `subject` to another one: ignores a second tap on the same button so soon that the new one can't have been
 * seen. Slower presses all count, as they wouldn't by the half second that desktops allow for a double click, and so do keys.
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

import { useEffect, useState } from 'react';

/** Whole seconds left of a pause, and how to begin one. */
export function useCountdown(): { secondsLeft: number; begin: (seconds: number) => void } {
  const [endsAt, setEndsAt] = useState(0);
  const [now, setNow] = useState(0);
  const secondsLeft = Math.max(0, Math.ceil((endsAt - now) / 1000));

  useEffect(() => {
    if (secondsLeft === 0) return;
    const timer = setTimeout(() => setNow(Date.now()), 1000 - ((Date.now() - endsAt) % 1000));
    return () => clearTimeout(timer);
  }, [endsAt, secondsLeft]);

  function begin(seconds: number) {
    setNow(Date.now());
    setEndsAt(Date.now() + seconds * 1000);
  }

  return { secondsLeft, begin };
}

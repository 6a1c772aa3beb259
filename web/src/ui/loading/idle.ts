/** Does work that no one waits for once the browser has nothing else to do, within three seconds. */
export function whenIdle(work: () => void): void {
  if ('requestIdleCallback' in window) window.requestIdleCallback(work, { timeout: 3000 });
  else setTimeout(work, 1000);
}

const settledAfterMs = 8000;

/** Does work that only a lost network or the next visit needs, once the first screen has had the phone and its connection to itself. */
export function whenSettled(work: () => void): void {
  setTimeout(() => whenIdle(work), settledAfterMs);
}

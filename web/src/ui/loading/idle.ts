/** Runs work that is not urgent when the browser is idle, but within three seconds. */
export function whenIdle(work: () => void): void {
  if ('requestIdleCallback' in window) window.requestIdleCallback(work, { timeout: 3000 });
  else setTimeout(work, 1000);
}

const settledAfterMs = 8000;

/** Runs work that is only needed offline or for the next visit, after the first screen has loaded. */
export function whenSettled(work: () => void): void {
  setTimeout(() => whenIdle(work), settledAfterMs);
}

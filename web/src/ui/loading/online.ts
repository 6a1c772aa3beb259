import { useSyncExternalStore } from 'react';

let isThere = true;

function subscribe(listener: (event: Event) => void): () => void {
  window.addEventListener('online', listener);
  window.addEventListener('offline', listener);
  return () => {
    window.removeEventListener('online', listener);
    window.removeEventListener('offline', listener);
  };
}

// Relies on the events only, which are also dispatched when the browser is wrong: if a network has no internet access,
// or if the service runs on the same machine without a network.
subscribe(({ type }) => {
  isThere = type === 'online';
});

/** Whether the service can be reached, as far as is known. */
export const isOnline = () => isThere;

/** The same as a hook that follows changes. */
export function useOnline(): boolean {
  return useSyncExternalStore(subscribe, isOnline);
}

function onChange(listener: () => void): () => void {
  document.addEventListener('visibilitychange', listener);
  return () => document.removeEventListener('visibilitychange', listener);
}

const isVisible = () => document.visibilityState === 'visible';

/** Whether this tab is visible. */
export function useVisible(): boolean {
  return useSyncExternalStore(onChange, isVisible);
}

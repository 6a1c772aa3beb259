import { useSyncExternalStore } from 'react';

function onChange(listener: () => void): () => void {
  document.addEventListener('visibilitychange', listener);
  return () => document.removeEventListener('visibilitychange', listener);
}

const isVisible = () => document.visibilityState === 'visible';

/** Whether this tab is visible. */
export function useVisible(): boolean {
  return useSyncExternalStore(onChange, isVisible);
}

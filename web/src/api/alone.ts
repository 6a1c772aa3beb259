const lastByName = new Map<string, Promise<unknown>>();

/**
 * Runs one task of a name at a time across all tabs. Without `navigator.locks` (plain http) it only covers this tab.
 * After `waitMs` it runs anyway, because a tab that was put to sleep never finishes.
 */
export function alone<T>(name: string, task: () => Promise<T>, waitMs?: number): Promise<T> {
  const locks = navigator.locks as LockManager | null | undefined;
  if (!locks) return aloneHere(name, task);
  if (waitMs === undefined) return locks.request(name, task);
  return new Promise((resolve, reject) => {
    const waiting = new AbortController();
    const timer = setTimeout(() => waiting.abort(), waitMs);
    const begin = async () => {
      clearTimeout(timer);
      await task().then(resolve, reject);
    };
    // Only waiting can fail here: the task's own errors have been passed on.
    locks.request(name, { signal: waiting.signal }, begin).catch(begin);
  });
}

function aloneHere<T>(name: string, task: () => Promise<T>): Promise<T> {
  const result = (lastByName.get(name) ?? Promise.resolve()).then(task, task);
  const settled = result
    .catch(() => undefined)
    .finally(() => {
      if (lastByName.get(name) === settled) lastByName.delete(name);
    });
  lastByName.set(name, settled);
  return result;
}

import { vi } from 'vitest';

/** The ways in which a browser's storage can fail. */
export const brokenStorages = ['full', 'forbidden', 'absent'] as const;
type Broken = (typeof brokenStorages)[number];

const refuse = (name: string) => () => {
  throw new DOMException('The storage refuses', name);
};

/** Breaks this window's storages and caches until the test ends. */
export function breakStorage(state: Broken): void {
  for (const name of ['localStorage', 'sessionStorage', 'caches'] as const) {
    const working = name === 'caches' ? {} : window[name];
    if (state === 'absent') vi.stubGlobal(name, undefined);
    else if (state === 'full') vi.stubGlobal(name, fullOf(working));
    else {
      vi.stubGlobal(name, undefined);
      Object.defineProperty(globalThis, name, { configurable: true, get: refuse('SecurityError') });
    }
  }
}

/** Reads and removes, but stores nothing more. */
function fullOf(working: object): object {
  const full = refuse('QuotaExceededError');
  const refused: Record<string, unknown> = {
    setItem: full,
    open: async () => full(),
    keys: async () => [],
  };
  return new Proxy(working, {
    get: (target, key) => {
      const own: unknown = refused[String(key)] ?? Reflect.get(target, key);
      return typeof own === 'function' ? (own.bind(target) as unknown) : own;
    },
  });
}

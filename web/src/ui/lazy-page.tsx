import { type ComponentType, lazy, useState } from 'react';

export interface LazyPage {
  Page: ComponentType;
  /** Fetches the page's chunk before it is asked for. */
  preload: () => void;
  /** Settles when the page's chunk is there, or cannot be had. */
  ready: () => Promise<void>;
}

/**
 * A page in a chunk of its own: `lazyPage(() => import('./pages/X.tsx').then((m) => m.X))`.
 * Once loaded it is drawn without suspending, since a fallback, however short, holds the page back for 300 ms.
 */
export function lazyPage(load: () => Promise<ComponentType>): LazyPage {
  let loaded: ComponentType | undefined;

  async function loadOnce(): Promise<ComponentType> {
    loaded ??= await load();
    return loaded;
  }

  const Lazy = lazy(async () => ({ default: await loadOnce() }));

  function Page() {
    const [Chosen] = useState<ComponentType>(() => loaded ?? Lazy);
    return <Chosen />;
  }

  async function ready(): Promise<void> {
    await loadOnce().catch(() => undefined);
  }

  return { Page, ready, preload: () => void ready() };
}

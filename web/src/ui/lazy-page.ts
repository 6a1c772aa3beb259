import { type ComponentType, lazy, type LazyExoticComponent } from 'react';

export interface LazyPage {
  Page: LazyExoticComponent<ComponentType>;
  /** Fetches the page's chunk before it is asked for. */
  preload: () => void;
}

/** A page in a chunk of its own: `lazyPage(() => import('./pages/X.tsx').then((m) => m.X))`. */
export function lazyPage(load: () => Promise<ComponentType>): LazyPage {
  return {
    Page: lazy(async () => ({ default: await load() })),
    preload: () => {
      load().catch(() => undefined);
    },
  };
}

import { type ComponentType, createElement, lazy, useEffect, useState } from 'react';
import { isOnline } from './online.ts';

interface Fetched {
  /** Fetches the chunk before it is needed. */
  preload: () => void;
  /** Whether it can be drawn at once. */
  isLoaded: () => boolean;
  /** Settles when the chunk is loaded or can't be. */
  ready: () => Promise<void>;
}

export interface LazyPart<P extends object> extends Fetched {
  Part: ComponentType<P>;
}

export interface LazyPage extends Fetched {
  Page: ComponentType;
}

/**
 * A part of a page in a separate chunk: `lazyPart(() => import('./X.tsx').then((m) => m.X))`. Once loaded, it is drawn
 * without suspending, since a fallback, however short, holds the page back for 300 ms.
 */
export function lazyPart<P extends object>(load: () => Promise<ComponentType<P>>, isPage = false): LazyPart<P> {
  let loaded: ComponentType<P> | undefined;
  let Lazy = newLazy();

  async function loadOnce(): Promise<ComponentType<P>> {
    loaded ??= await load();
    return loaded;
  }

  /** Shown in its place if it can't be fetched; it is fetched again the next time it is opened. */
  async function standIn(): Promise<ComponentType<P>> {
    const { UnfetchedPage, UnfetchedPart } = await import('../feedback/Unfetched.tsx');
    return (props) => {
      useEffect(
        () => () => {
          Lazy = newLazy();
        },
        [],
      );
      return createElement(isPage ? UnfetchedPage : UnfetchedPart, props);
    };
  }

  function newLazy() {
    return lazy(async () => ({ default: await loadOnce().catch(standIn) })) as ComponentType<P>;
  }

  function Part(props: P) {
    const [Chosen] = useState(() => loaded ?? Lazy);
    return createElement(Chosen, props);
  }

  async function ready(): Promise<void> {
    await loadOnce().catch(() => undefined);
  }

  // A browser that failed to fetch a module fails for the rest of the page's life, so nothing is requested without a
  // network.
  return { Part, ready, isLoaded: () => loaded !== undefined, preload: () => void (isOnline() && ready()) };
}

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

/**
 * A page in a separate chunk, `lazyPage(() => import('./pages/X.tsx'))`: a module that exports nothing but the page.
 */
export function lazyPage(load: () => Promise<Record<string, ComponentType>>): LazyPage {
  const { Part, ...fetched } = lazyPart(async () => {
    const [page] = Object.values(await load());
    if (page === undefined) throw new Error('A module without a page');
    return page;
  }, true);
  return { Page: Part, ...fetched };
}

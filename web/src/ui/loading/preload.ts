import { type ComponentType, lazy } from 'react';
import { type DataRouter, matchRoutes } from 'react-router';
import { isOnline } from './online.ts';

/** Runs work that is not urgent when the browser is idle, but within three seconds. Returns a function that cancels it. */
export function whenIdle(work: () => void): () => void {
  if ('requestIdleCallback' in window) {
    const request = window.requestIdleCallback(work, { timeout: 3000 });
    return () => window.cancelIdleCallback(request);
  }
  const timer = setTimeout(work, 1000);
  return () => clearTimeout(timer);
}

const settledAfterMs = 8000;

/** Runs work that is only needed offline or for the next visit, after the first screen has loaded. */
export function whenSettled(work: () => void): void {
  setTimeout(() => whenIdle(work), settledAfterMs);
}

/**
 * Fetches code before it is needed. Nothing is requested while offline, because a browser that failed to fetch a module
 * will fail again until the page is reloaded.
 */
export function preload(load: () => Promise<unknown>): void {
  if (isOnline()) load().catch(() => undefined);
}

/** Fetches the code of a page when a link to it is hovered or focused. */
export function preloadLinkedPages(router: DataRouter): void {
  const follow = ({ target }: Event) => {
    const link = target instanceof Element ? target.closest<HTMLAnchorElement>('a[href]') : null;
    if (link?.origin !== window.location.origin) return;
    for (const { route } of matchRoutes(router.routes, link.pathname) ?? [])
      if (typeof route.lazy === 'function') preload(route.lazy);
  };
  document.addEventListener('pointerover', follow, { passive: true });
  document.addEventListener('focusin', follow);
}

/**
 * A component like those from `lazy`, and a function that fetches its code in advance. Once fetched, it renders
 * synchronously, so that keys typed after a shortcut reach the dialog that it opened; `lazy` waits even for a settled
 * promise.
 */
export function preloadable<P extends object>(
  load: () => Promise<ComponentType<P>>,
): [Part: ComponentType<P>, preloadPart: () => void] {
  let loaded: { default: ComponentType<P> } | undefined;
  const fetchPart = async () => (loaded ??= { default: await load() });
  const settled = (part: { default: ComponentType<P> }) =>
    ({ then: (resolve: (value: typeof part) => void) => resolve(part) }) as Promise<typeof part>;
  const Part = lazy(() => (loaded === undefined ? fetchPart() : settled(loaded)));
  return [Part, () => preload(fetchPart)];
}

import { type DataRouter, matchRoutes } from 'react-router';
import { isOnline } from './online.ts';

/**
 * Fetches code before it is needed. Without a network nothing is requested: a browser that failed to fetch a module fails for the rest
 * of the page's life.
 */
export function preload(load: () => Promise<unknown>): void {
  if (isOnline()) load().catch(() => undefined);
}

/** Fetches the code of a page as soon as a link to it is hovered or focused. */
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

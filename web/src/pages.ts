import { matchPath } from 'react-router';
import type { StoredSession } from './api/session/stored-session.ts';
import { redirectFor } from './features/auth/session/guards.tsx';
import { loadStaffLayout, type PageRoute, routes } from './routes.ts';
import { type LazyPage, lazyPage } from './ui/loading/lazy-page.tsx';

type Viewer = Pick<StoredSession, 'token' | 'user'>;

const pages = new Map(routes.map((route) => [route, lazyPage(route.load)]));

/** The frame around every staff page. */
export const staffLayout = lazyPage(loadStaffLayout);

/** The lazy page of a route in the table. */
export function pageOf(route: PageRoute): LazyPage {
  const page = pages.get(route);
  if (page === undefined) throw new Error(`${route.path} is not in the route table`);
  return page;
}

/** The route in the table that shows this path; undefined for unknown paths. */
export function routeAt(pathname: string): PageRoute | undefined {
  return routes.find(({ path }) => matchPath(path, pathname) !== null);
}

/** Where unknown paths lead; that page's guard decides further. */
export function fallbackFor(pathname: string): '/app/discover' | '/dashboard' {
  return /^\/app(\/|$)/.test(pathname) ? '/app/discover' : '/dashboard';
}

/** Fetches the code of the page at this path, if there is one. */
export function preloadPage(pathname: string): void {
  const route = routeAt(pathname);
  if (route) pageOf(route).preload();
}

/** From now on fetches the code of a page as soon as a link to it is pointed at or takes the focus; returns how to stop. */
export function preloadLinkedPages(): () => void {
  const follow = ({ target }: Event) => {
    const link = target instanceof Element ? target.closest<HTMLAnchorElement>('a[href]') : null;
    if (link?.origin === window.location.origin) preloadPage(link.pathname);
  };
  document.addEventListener('pointerover', follow, { passive: true });
  document.addEventListener('focusin', follow);
  return () => {
    document.removeEventListener('pointerover', follow);
    document.removeEventListener('focusin', follow);
  };
}

/** Settles when the code of the page that the guards let this viewer see is there. It never rejects. */
export async function firstPageReady(pathname: string, viewer: Viewer): Promise<void> {
  const route = routeAt(pathname);
  if (route === undefined) return firstPageReady(fallbackFor(pathname), viewer);
  const target = redirectFor(route.who, viewer, pathname);
  if (target !== null) return firstPageReady(target, viewer);
  await Promise.all([pageOf(route).ready(), route.who === 'staff' && staffLayout.ready()]);
}

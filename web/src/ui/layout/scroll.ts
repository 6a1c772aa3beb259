import { useEffect, useEffectEvent, useLayoutEffect, useRef } from 'react';
import { NavigationType, useLocation, useNavigationType } from 'react-router';

/** A new page starts at its top. Back and Forward are left to the browser, which restores the position. */
export function useScrollToTop(): void {
  const { pathname } = useLocation();
  const type = useNavigationType();
  const shownPath = useRef(pathname);
  useEffect(() => {
    if (shownPath.current === pathname) return;
    shownPath.current = pathname;
    if (type !== NavigationType.Pop) window.scrollTo(0, 0);
  }, [pathname, type]);
}

const offsets = new Map<string, number>();

/**
 * For a page that gets its height from data: remembers the scroll position of this history entry, and restores it
 * after Back, once `isReady`. By then the browser's own attempt has failed.
 */
export function useKeptScroll(isReady: boolean): void {
  const { key } = useLocation();
  const type = useNavigationType();
  const restore = useEffectEvent(() => {
    const offset = offsets.get(key);
    if (type === NavigationType.Pop && offset !== undefined) window.scrollTo(0, offset);
  });

  useLayoutEffect(() => {
    if (isReady) restore();
  }, [isReady]);

  useEffect(() => {
    const remember = () => offsets.set(key, window.scrollY);
    window.addEventListener('scroll', remember, { passive: true });
    return () => window.removeEventListener('scroll', remember);
  }, [key]);
}

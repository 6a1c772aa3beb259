import { useEffect, useEffectEvent, useLayoutEffect } from 'react';
import { NavigationType, useLocation, useNavigationType } from 'react-router';

const offsets = new Map<string, number>();

/** Keeps how far the page is scrolled at this place in the history, and goes there again when Back leads here and `isReady`. */
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

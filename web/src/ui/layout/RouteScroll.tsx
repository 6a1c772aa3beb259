import { useEffect, useRef } from 'react';
import { useLocation, useNavigationType } from 'react-router';

/** A new page begins at its top; Back is left to the browser, which restores where one was. Draws nothing. */
export function RouteScroll() {
  const { pathname } = useLocation();
  const type = useNavigationType();
  const shownPath = useRef(pathname);
  useEffect(() => {
    if (shownPath.current === pathname) return;
    shownPath.current = pathname;
    if (type !== 'POP') window.scrollTo(0, 0);
  }, [pathname, type]);
  return null;
}

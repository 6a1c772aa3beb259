import { useLayoutEffect, useRef } from 'react';
import { useLocation } from 'react-router';

/** Sets the document's title as soon as the page is on the screen. */
export function useDocumentTitle(title: string): void {
  useLayoutEffect(() => {
    document.title = `${title} · Heartwood`;
  }, [title]);
}

interface PageHeadingProps {
  children: string;
  /** The document's title, if it differs from the heading. */
  title?: string;
  className?: string | undefined;
}

/** The page's h1. It takes the focus after a change of route (not on arrival), and sets the document's title. */
export function PageHeading({ children, title = children, className }: PageHeadingProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const { key, pathname } = useLocation();
  const focusedPath = useRef(key === 'default' ? pathname : null);
  useDocumentTitle(title);
  useLayoutEffect(() => {
    if (focusedPath.current === pathname) return;
    focusedPath.current = pathname;
    heading.current?.focus({ preventScroll: true });
  }, [pathname]);
  return (
    <h1 ref={heading} tabIndex={-1} className={className}>
      {children}
    </h1>
  );
}

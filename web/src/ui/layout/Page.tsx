import { type ReactNode, useId, useLayoutEffect, useRef } from 'react';
import { useLocation } from 'react-router';
import classes from './layout.module.css';

/** Sets the document's title as soon as the page is on the screen. */
function useDocumentTitle(title: string): void {
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

interface PageProps {
  title: string;
  /** Buttons next to the heading. */
  actions?: ReactNode;
  children: ReactNode;
}

/** The frame of a page with a heading: width, margins, and room for actions next to the title. */
export function Page({ title, actions, children }: PageProps) {
  return (
    <div className={classes.page}>
      <div className={classes.top}>
        <PageHeading className={classes.title}>{title}</PageHeading>
        {actions && <div className={classes.actions}>{actions}</div>}
      </div>
      {children}
    </div>
  );
}

interface PanelProps {
  title: string;
  /** A line under the title. */
  lead?: string;
  /** Buttons next to the title. */
  actions?: ReactNode;
  children: ReactNode;
  className?: string | undefined;
}

/** A part of a page with its own background and a heading that names it. */
export function Panel({ title, lead, actions, children, className }: PanelProps) {
  const id = useId();
  return (
    <section className={className ? `${classes.panel} ${className}` : classes.panel} aria-labelledby={id}>
      <div className={classes.panelTop}>
        <div>
          <h2 id={id} className={classes.panelTitle}>
            {title}
          </h2>
          {lead !== undefined && <p className={classes.panelLead}>{lead}</p>}
        </div>
        {actions}
      </div>
      {children}
    </section>
  );
}

import { t } from '@lingui/core/macro';
import { Group } from '@mantine/core';
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { Link } from 'react-router';
import { Logo } from './Logo.tsx';
import classes from './AppBar.module.css';
import shellClasses from './shell.module.css';

/**
 * The container for the page's buttons. It is created before the bar, so that a page does not have to render its
 * buttons twice.
 */
const slot = document.createElement('div');
slot.className = classes.slot ?? '';

/** Puts the container in the bar while there is a bar. */
function holdSlot(place: HTMLElement | null) {
  place?.append(slot);
  const unmark = markRoot('data-app-bar');
  return () => {
    slot.remove();
    unmark();
  };
}

/**
 * Adds an attribute to the document element for stylesheets, and returns a function that removes it. It replaces
 * `:has()`, which the browser would evaluate again whenever an element is added or removed.
 */
export function markRoot(attribute: `data-${string}`): () => void {
  document.documentElement.toggleAttribute(attribute, true);
  return () => document.documentElement.removeAttribute(attribute);
}

/** Shorter scroll movements are ignored. */
const slopPx = 8;

/** Hides the bar while the page is scrolled down, and shows it again on the way up. */
function useYielding() {
  const bar = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // Reading the position here would force a layout before the page is complete, so the first event only stores it.
    let last = Infinity;
    const follow = () => {
      if (Math.abs(scrollY - last) < slopPx) return;
      bar.current?.toggleAttribute('data-away', scrollY > last && scrollY > bar.current.offsetHeight);
      last = scrollY;
    };
    addEventListener('scroll', follow, { passive: true });
    return () => removeEventListener('scroll', follow);
  }, []);
  return bar;
}

interface AppBarProps {
  /** `NavItem`s for the sidebar, or false; narrow screens have a bar at the bottom instead. */
  links: ReactNode;
  /** More links for the sidebar, those of the public pages, and the signed-in person with a button to sign out. */
  more: ReactNode;
  site: ReactNode;
  account: ReactNode;
  /** A button that is on every page. */
  bell: ReactNode;
  /** The content below the bar of a narrow screen, which scrolls with the page. */
  children: ReactNode;
}

/** The layout of the members' app: a thin bar above narrow pages, a sidebar next to wide ones. */
export function AppBar({ links, more, site, account, bell, children }: AppBarProps) {
  return (
    <header className={classes.frame}>
      <div ref={useYielding()} className={classes.bar}>
        <Link to="/app/discover" className={`${shellClasses.home ?? ''} ${classes.home ?? ''}`}>
          <Logo />
        </Link>
        {links && (
          <nav className={classes.links} aria-label={t`Main`}>
            {links}
          </nav>
        )}
        <div ref={holdSlot} className={classes.slotPlace} />
        {links && (
          <nav className={classes.more} aria-label={t`More`}>
            {more}
            <div className={classes.site}>{site}</div>
          </nav>
        )}
        <div className={classes.end}>
          {account}
          {bell}
        </div>
      </div>
      {children && <div className={classes.below}>{children}</div>}
    </header>
  );
}

/** A page's buttons, which are moved to the app's bar on narrow screens; without a bar they stay in the page. */
export function BarActions({ children }: { children: ReactNode }) {
  const [hasBar, setHasBar] = useState(true);
  useLayoutEffect(() => setHasBar(slot.isConnected), []);
  return hasBar ? (
    createPortal(children, slot)
  ) : (
    <Group gap="0.4rem" justify="flex-end" wrap="nowrap" py="0.5rem" px="1rem">
      {children}
    </Group>
  );
}

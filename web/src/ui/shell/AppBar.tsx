import { Group } from '@mantine/core';
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { Link } from 'react-router';
import { Logo } from './Logo.tsx';
import classes from './AppBar.module.css';
import { t } from '../text/text.ts';

/** Holds the page's buttons. It exists before the bar does, so that a page draws them with the rest and not again. */
const slot = document.createElement('div');
slot.className = classes.slot ?? '';

/** Moves the slot to the start of the bar while there is a bar. */
function holdSlot(end: HTMLElement | null) {
  end?.prepend(slot);
  const unmark = markRoot('data-app-bar');
  return () => {
    slot.remove();
    unmark();
  };
}

/**
 * Gives the document an attribute for its style, and returns a function that takes it away. In place of `:has()`, which the browser
 * would check again with every part that comes or goes on the page.
 */
export function markRoot(attribute: `data-${string}`): () => void {
  document.documentElement.toggleAttribute(attribute, true);
  return () => document.documentElement.removeAttribute(attribute);
}

/** Ignore shorter scroll movements. */
const slopPx = 8;

/** Takes the bar away while the page is scrolled on, and brings it back on the way up. */
function useYielding() {
  const bar = useRef<HTMLElement>(null);
  useEffect(() => {
    // Reading the position here would lay the page out before it is complete; the first event only notes it.
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
  /** `NavItem`s, or null; narrow screens have a bar at the foot instead. */
  links: ReactNode;
  /** Who is signed in, and how to sign out; narrow screens have it in a menu. */
  account: ReactNode;
  /** Buttons that every page has. */
  children: ReactNode;
}

/** The frame of the members' app: a thin bar above narrow pages, a rail beside wide ones. */
export function AppBar({ links, account, children }: AppBarProps) {
  return (
    <header ref={useYielding()} className={classes.bar}>
      <Link to="/app/discover" className={classes.home}>
        <Logo />
      </Link>
      {links !== null && (
        <nav className={classes.links} aria-label={t('Main')}>
          {links}
        </nav>
      )}
      <div ref={holdSlot} className={classes.end}>
        {children}
        <div className={classes.account}>{account}</div>
      </div>
    </header>
  );
}

/** A page's own buttons, in the app's bar on narrow screens; where there is no bar they stay in the page. */
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

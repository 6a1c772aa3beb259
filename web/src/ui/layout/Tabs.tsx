import { useEffect, useRef } from 'react';
import { Link, type To, useLocation } from 'react-router';
import classes from './Tabs.module.css';

interface Tab {
  to: To;
  text: string;
  /** Unless given, the tab with the address of the page is the current one. */
  isCurrent?: boolean;
  /** What waits there. */
  count?: string | undefined;
}

/** Links to the parts of a page, of which one is open. On phones they scroll sideways. */
export function Tabs({ label, tabs }: { label: string; tabs: readonly Tab[] }) {
  const strip = useRef<HTMLElement>(null);
  const { pathname } = useLocation();
  const isOpen = ({ to, isCurrent = (typeof to === 'string' ? to : to.pathname) === pathname }: Tab) => isCurrent;
  const current = tabs.findIndex(isOpen);
  useEffect(() => {
    const link = strip.current?.children[current];
    // Scrolls only sideways, so that the page stays where it is.
    if (strip.current && link instanceof HTMLElement)
      strip.current.scrollLeft = link.offsetLeft - strip.current.offsetLeft - 16;
  }, [current]);
  return (
    <nav ref={strip} className={classes.tabs} aria-label={label}>
      {tabs.map(({ to, text, count }, index) => (
        <Link
          key={text}
          to={to}
          preventScrollReset
          className={classes.tab}
          aria-current={index === current ? 'page' : undefined}
        >
          {text}
          {count !== undefined && <span className={classes.count}>{count}</span>}
        </Link>
      ))}
    </nav>
  );
}

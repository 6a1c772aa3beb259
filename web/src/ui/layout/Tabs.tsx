import { useEffect, useRef } from 'react';
import { Link, type To, useLocation } from 'react-router';
import { showInMiddle } from './show-in-middle.ts';
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
  // Counts that arrive later make the tabs wider.
  const hasCounts = tabs.some(({ count }) => count !== undefined);
  useEffect(() => {
    const link = strip.current?.children[current];
    if (strip.current && link) showInMiddle(strip.current, link);
  }, [current, hasCounts]);
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

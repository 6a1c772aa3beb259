import { useEffect, useRef } from 'react';
import { Link, type LinkProps } from 'react-router';
import classes from './Tabs.module.css';

interface Tab {
  to: LinkProps['to'];
  text: string;
  isCurrent: boolean;
  /** What waits there. */
  count?: string | undefined;
}

/** Links to the parts of a page, of which one is open. On phones they scroll sideways. */
export function Tabs({ label, tabs }: { label: string; tabs: readonly Tab[] }) {
  const strip = useRef<HTMLElement>(null);
  const current = tabs.findIndex(({ isCurrent }) => isCurrent);
  useEffect(() => {
    const link = strip.current?.children[current];
    // Scrolls only sideways, so that the page stays where it is.
    if (strip.current && link instanceof HTMLElement)
      strip.current.scrollLeft = link.offsetLeft - strip.current.offsetLeft - 16;
  }, [current]);
  return (
    <nav ref={strip} className={classes.tabs} aria-label={label}>
      {tabs.map(({ to, text, isCurrent, count }) => (
        <Link
          key={text}
          to={to}
          preventScrollReset
          className={classes.tab}
          aria-current={isCurrent ? 'page' : undefined}
        >
          {text}
          {count !== undefined && <span className={classes.count}>{count}</span>}
        </Link>
      ))}
    </nav>
  );
}

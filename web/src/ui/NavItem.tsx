import { NavLink } from 'react-router';
import classes from './NavItem.module.css';

interface NavItemProps {
  to: string;
  children: string;
  /** Fetches the page's chunk (and data) when the link is pointed at or focused. */
  preload?: (() => void) | undefined;
}

/** A link of the navigation; the current page's is marked. */
export function NavItem({ to, children, preload }: NavItemProps) {
  return (
    <NavLink to={to} className={classes.item ?? ''} onPointerEnter={preload} onFocus={preload}>
      {children}
    </NavLink>
  );
}

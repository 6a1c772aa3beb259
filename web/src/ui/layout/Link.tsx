import type { ComponentProps, MouseEvent } from 'react';
import { type To, useHref, useLocation, useNavigate } from 'react-router';

interface LinkProps extends Omit<ComponentProps<'a'>, 'href'> {
  to: To;
  replace?: boolean;
  state?: unknown;
}

function isForTheBrowser(event: MouseEvent<HTMLAnchorElement>): boolean {
  const { target } = event.currentTarget;
  const hasModifier = event.metaKey || event.ctrlKey || event.altKey || event.shiftKey;
  return event.defaultPrevented || event.button !== 0 || hasModifier || (target !== '' && target !== '_self');
}

/** A link within the app. The router's own brings its server rendering along, 4 KB on every page. */
export function Link({ to, replace, state, onClick, children, ...rest }: LinkProps) {
  const href = useHref(to);
  const navigate = useNavigate();
  const { pathname, search, hash } = useLocation();

  function follow(event: MouseEvent<HTMLAnchorElement>) {
    onClick?.(event);
    if (isForTheBrowser(event)) return;
    event.preventDefault();
    void navigate(to, { replace: replace ?? href === `${pathname}${search}${hash}`, state });
  }

  return (
    <a {...rest} href={href} onClick={follow}>
      {children}
    </a>
  );
}

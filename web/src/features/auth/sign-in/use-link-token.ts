import { useEffect, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';

/** The names of the tokens in emailed links. */
const names = ['token', 'restore', 'remove', 'keep', 'cancel', 'undo', 'stop', 'corrected'] as const;

/**
 * The one-time token of an emailed link, or null. It is after `#`, or in the query of an older link; either way it is removed from the
 * address bar at once. Another link to the same page, which browsers open without loading it again, replaces the first one.
 */
export function useLinkToken(name: (typeof names)[number]): string | null {
  const location = useLocation();
  const { pathname, search, hash } = location;
  const state: unknown = location.state;
  const navigate = useNavigate();
  const tokens = new URLSearchParams(`${search.slice(1)}&${hash.slice(1)}`);
  const found = tokens.get(name);
  const isOther = found === null && names.some((one) => tokens.has(one));
  const [token, setToken] = useState(found);

  useEffect(() => {
    if (isOther) setToken(null);
    if (found === null) return;
    setToken(found);
    void navigate(pathname, { replace: true, state });
  }, [found, isOther, navigate, pathname, state]);

  return token;
}

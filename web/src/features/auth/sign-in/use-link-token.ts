import { useEffect, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';

/**
 * The one-time token of an emailed link, or null. It is after `#`, or in the query of a link from before that; either way
 * it is removed from the address bar at once.
 */
export function useLinkToken(
  name: 'token' | 'restore' | 'remove' | 'keep' | 'cancel' | 'undo' | 'stop' | 'corrected',
): string | null {
  const location = useLocation();
  const { pathname, search, hash } = location;
  const state: unknown = location.state;
  const navigate = useNavigate();
  const found = new URLSearchParams(search).get(name) ?? new URLSearchParams(hash.slice(1)).get(name);
  const [token, setToken] = useState(found);

  useEffect(() => {
    if (found === null) return;
    setToken(found);
    void navigate(pathname, { replace: true, state });
  }, [found, navigate, pathname, state]);

  return token;
}

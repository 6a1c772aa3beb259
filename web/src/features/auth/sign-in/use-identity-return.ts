import { useEffect, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { returnedBy, type Returned } from './identity-return.ts';

/** Who is back from a provider on this page, until it is settled. What they brought leaves the address bar at once. */
export function useIdentityReturn(): [returned: Returned | null, settle: () => void] {
  const location = useLocation();
  const navigate = useNavigate();
  const [returned, setReturned] = useState(() => returnedBy(location));
  const isInAddress = returnedBy(location) !== null;
  const { pathname } = location;

  useEffect(() => {
    if (isInAddress) void navigate(pathname, { replace: true });
  }, [isInAddress, navigate, pathname]);

  return [returned, () => setReturned(null)];
}

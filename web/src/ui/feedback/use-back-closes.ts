import { useContext, useEffect, useEffectEvent, useRef } from 'react';
import { type Location, useLocation, useNavigate } from 'react-router';
import { AppRouterContext } from '../layout/app-router.ts';

interface OverlayState {
  isOverlay?: true;
}

const isOverlay = ({ state }: Location) => (state as OverlayState | null)?.isOverlay === true;

/**
 * Lets Back close what is open over a page, as people expect on a phone. While `openId` is set, the history has an
 * extra entry, and `onBack` is called when it is left. Call the returned function when the content is closed in another
 * way.
 */
export function useBackCloses(openId: string | null, onBack: () => void): () => void {
  const location = useLocation();
  const navigate = useNavigate();
  const router = useContext(AppRouterContext);
  /** Whether the extra entry does not exist, is being added, or is the current one. */
  const entry = useRef<'none' | 'added' | 'current'>(isOverlay(location) ? 'current' : 'none');

  /** After a reload, or after Back from another page, the entry has nothing to close. */
  const leaveEmptyEntry = useEffectEvent(() => {
    if (isOverlay(location) && openId === null) void navigate(-1);
  });
  useEffect(() => leaveEmptyEntry(), []);

  // Uses the router's state, because Back may be pressed before the page has rendered with the extra entry.
  const follow = useEffectEvent((now: Location) => {
    if (isOverlay(now)) {
      if (entry.current === 'added') entry.current = 'current';
    } else if (entry.current === 'current') {
      entry.current = 'none';
      if (openId !== null) onBack();
    }
  });
  useEffect(() => router.subscribe((state) => follow(state.location)), [router]);

  const add = useEffectEvent(() => {
    if (openId === null || entry.current !== 'none') return;
    entry.current = 'added';
    const { pathname, search, hash } = location;
    const overlaid = { ...(location.state as object | null), isOverlay: true };
    void navigate({ pathname, search, hash }, { state: overlaid, preventScrollReset: true });
  });
  useEffect(() => add(), [openId]);

  return () => {
    if (entry.current === 'none') return;
    entry.current = 'none';
    void navigate(-1);
  };
}

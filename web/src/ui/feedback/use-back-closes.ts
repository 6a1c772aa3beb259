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
  /** Whether the extra entry does not exist, is being added, is the current one, or is being left. */
  const entry = useRef<'none' | 'added' | 'current' | 'leaving'>(isOverlay(location) ? 'current' : 'none');
  /** The history key of the extra entry, because others may have entries of the same kind. */
  const key = useRef<string | null>(null);

  function leave() {
    entry.current = 'leaving';
    void navigate(-1);
  }

  /** After a reload, or after Back from another page, the entry has nothing to close. */
  const leaveEmptyEntry = useEffectEvent(() => {
    if (isOverlay(location) && openId === null) leave();
  });
  useEffect(() => leaveEmptyEntry(), []);

  const add = useEffectEvent(() => {
    if (openId === null || entry.current !== 'none') return;
    entry.current = 'added';
    const { pathname, search, hash } = location;
    const overlaid = { ...(location.state as object | null), isOverlay: true };
    void navigate({ pathname, search, hash }, { state: overlaid, preventScrollReset: true });
  });

  // Uses the router's state, because Back may be pressed before the page has rendered with the extra entry.
  const follow = useEffectEvent((now: Location) => {
    const before = entry.current;
    if (isOverlay(now)) {
      if (before === 'added') {
        entry.current = 'current';
        key.current = now.key;
      }
      // Back from a page that was left again before it could replace this one.
      if (before === 'none' && now.key === key.current && openId === null) leave();
    } else if (before !== 'added') {
      entry.current = 'none';
      if (before === 'current' && openId !== null) onBack();
    }
  });
  useEffect(() => router.subscribe((state) => follow(state.location)), [router]);

  useEffect(() => add(), [openId]);

  return () => {
    if (entry.current === 'added' || entry.current === 'current') leave();
  };
}

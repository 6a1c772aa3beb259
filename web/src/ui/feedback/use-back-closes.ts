import { useContext, useEffect, useEffectEvent, useRef } from 'react';
import { type Location, useLocation, useNavigate } from 'react-router';
import { AppRouterContext } from '../layout/app-router.ts';

interface OverlayState {
  isOverlay?: true;
}

const isOverlay = ({ state }: Location) => (state as OverlayState | null)?.isOverlay === true;

/**
 * Lets Back close what is open over a page, as people expect on a phone: while `openId` is set, the browser's history has an
 * entry more, and `onBack` is called when it is left. Call the returned function when it is closed in another way.
 */
export function useBackCloses(openId: string | null, onBack: () => void): () => void {
  const location = useLocation();
  const navigate = useNavigate();
  const router = useContext(AppRouterContext);
  /** The entry does not exist, is being added, or is the current one. */
  const entry = useRef<'none' | 'added' | 'current'>(isOverlay(location) ? 'current' : 'none');

  /** After a reload, or back from another page, the entry has nothing to close any more. */
  const leaveEmptyEntry = useEffectEvent(() => {
    if (isOverlay(location) && openId === null) void navigate(-1);
  });
  useEffect(() => leaveEmptyEntry(), []);

  // By the router's own state: Back may be pressed before the page has been rendered with the added entry.
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

import { useEffect, useEffectEvent, useRef } from 'react';
import { type Location, useLocation, useNavigate } from 'react-router';

interface OverlayState {
  isOverlay?: true;
}

/**
 * Lets Back close what is open over a page, as people expect on a phone: while `openId` is set, the browser's history has an
 * entry more, and `onBack` is called when it is left. Call the returned function when it is closed in another way.
 */
export function useBackCloses(openId: string | null, onBack: () => void): () => void {
  const { pathname, search, hash, state } = useLocation() as Location<OverlayState | null>;
  const navigate = useNavigate();
  const isOnEntry = state?.isOverlay === true;
  /** The entry does not exist, is being added, or is the current one. */
  const entry = useRef<'none' | 'added' | 'current'>(isOnEntry ? 'current' : 'none');

  /** After a reload, or back from another page, the entry has nothing to close any more. */
  const leaveEmptyEntry = useEffectEvent(() => {
    if (isOnEntry && openId === null) void navigate(-1);
  });
  useEffect(() => leaveEmptyEntry(), []);

  const follow = useEffectEvent(() => {
    if (isOnEntry && entry.current === 'added') entry.current = 'current';
    if (!isOnEntry && entry.current === 'current') {
      entry.current = 'none';
      if (openId !== null) return onBack();
    }
    if (openId === null || entry.current !== 'none') return;
    entry.current = 'added';
    void navigate({ pathname, search, hash }, { state: { ...state, isOverlay: true }, preventScrollReset: true });
  });
  useEffect(() => follow(), [openId, isOnEntry]);

  return () => {
    if (entry.current === 'none') return;
    entry.current = 'none';
    void navigate(-1);
  };
}

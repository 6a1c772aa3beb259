import { type ReactNode, Suspense } from 'react';
import { confirmFirstPart } from '../../features/auth/account/confirm-first-part.ts';
import type { WaysInQuery } from '../../features/auth/factors/use-ways-in.ts';
import { Bone } from '../../ui/feedback/PageStates.tsx';
import { useNow } from '../../ui/data/use-now.ts';

interface ProvenProps {
  ways: WaysInQuery;
  /** Draws it; `isProven` says that no password is asked for, since there is none and they have just signed in. */
  children: (isProven: boolean) => ReactNode;
}

/** Something that matters: whoever has no password shows first, by whom they sign in with, that it is them. */
export function Proven({ ways: { data }, children }: ProvenProps) {
  const now = useNow(30_000);
  if (data === undefined || data.hasPassword) return children(false);
  if (data.freshUntil !== null && Date.parse(data.freshUntil) > now) return children(true);
  return (
    <Suspense fallback={<Bone height="6rem" />}>
      <confirmFirstPart.Part />
    </Suspense>
  );
}

import { Suspense } from 'react';
import { lazyPart } from '../../../ui/loading/lazy-page.tsx';
import { Bone } from '../../../ui/feedback/PageStates.tsx';

const subscriptions = lazyPart(() => import('./UserSubscriptions.tsx').then((module) => module.UserSubscriptions));

/** A user's subscriptions for administrators, in a chunk of their own. */
export function SubscriptionOfUser({ userId }: { userId: string }) {
  return (
    <Suspense fallback={<Bone height="6rem" />}>
      <subscriptions.Part userId={userId} />
    </Suspense>
  );
}

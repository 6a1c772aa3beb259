import { Suspense } from 'react';
import type { AdminUser } from '#contract/profiles/user.ts';
import { Skeleton } from '../../ui/feedback/PageStates.tsx';
import { lazyPart } from '../../ui/loading/lazy-page.tsx';

const pictures = lazyPart(() =>
  import('../../features/moderation/pictures/UserPictures.tsx').then((module) => module.UserPictures),
);

/** A user's pictures for staff, in a separate chunk. */
export function PicturesOfUser({ user }: { user: AdminUser }) {
  return (
    <Suspense fallback={<Skeleton height="16rem" />}>
      <pictures.Part user={user} />
    </Suspense>
  );
}

const subscriptions = lazyPart(() =>
  import('../../features/subscriptions/staff/UserSubscriptions.tsx').then((module) => module.UserSubscriptions),
);

/** A user's subscriptions for administrators, in a separate chunk. */
export function SubscriptionOfUser({ userId }: { userId: string }) {
  return (
    <Suspense fallback={<Skeleton height="6rem" />}>
      <subscriptions.Part userId={userId} />
    </Suspense>
  );
}

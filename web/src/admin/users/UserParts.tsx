import { lazy } from 'react';
import type { AdminUser } from '#contract/profiles/user.ts';
import { Skeleton } from '../../ui/feedback/PageStates.tsx';
import { LazyBoundary } from '../../ui/loading/LazyBoundary.tsx';

const UserPictures = lazy(async () => ({
  default: (await import('../../features/moderation/pictures/UserPictures.tsx')).UserPictures,
}));

/** A user's pictures for staff, loaded separately. */
export function PicturesOfUser({ user }: { user: AdminUser }) {
  return (
    <LazyBoundary fallback={<Skeleton height="16rem" />}>
      <UserPictures user={user} />
    </LazyBoundary>
  );
}

const UserFile = lazy(async () => ({
  default: (await import('../../features/moderation/user-file/UserFile.tsx')).UserFile,
}));

/** A user's file for staff, in a separate chunk. */
export function FileOfUser({ user }: { user: AdminUser }) {
  return (
    <LazyBoundary fallback={<Skeleton height="16rem" />}>
      <UserFile user={user} />
    </LazyBoundary>
  );
}

const UserSubscriptions = lazy(async () => ({
  default: (await import('../../features/subscriptions/staff/UserSubscriptions.tsx')).UserSubscriptions,
}));

/** A user's subscriptions for administrators, loaded separately. */
export function SubscriptionOfUser({ userId }: { userId: string }) {
  return (
    <LazyBoundary fallback={<Skeleton height="6rem" />}>
      <UserSubscriptions userId={userId} />
    </LazyBoundary>
  );
}

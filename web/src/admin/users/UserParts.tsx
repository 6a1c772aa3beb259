import { Skeleton } from '../../ui/feedback/PageStates.tsx';
import { lazyPart } from '../../ui/loading/LazyBoundary.tsx';

export const [UserPictures] = lazyPart(
  async () => (await import('../../features/moderation/pictures/UserPictures.tsx')).UserPictures,
  <Skeleton height="16rem" />,
);

export const [UserFile] = lazyPart(
  async () => (await import('../../features/moderation/user-file/UserFile.tsx')).UserFile,
  <Skeleton height="16rem" />,
);

export const [UserSubscriptions] = lazyPart(
  async () => (await import('../../features/subscriptions/staff/UserSubscriptions.tsx')).UserSubscriptions,
  <Skeleton height="6rem" />,
);

import { Suspense } from 'react';
import type { AdminUser } from '#contract/profiles/user.ts';
import { lazyPart } from '../../../ui/loading/lazy-page.tsx';
import { Bone } from '../../../ui/feedback/PageStates.tsx';

const pictures = lazyPart(() => import('./UserPictures.tsx').then((module) => module.UserPictures));

/** A user's pictures for staff, in a chunk of their own. */
export function PicturesOfUser({ user }: { user: AdminUser }) {
  return (
    <Suspense fallback={<Bone height="16rem" />}>
      <pictures.Part user={user} />
    </Suspense>
  );
}

import { useSession } from '../../features/auth/session/session.ts';
import { PendingPictures } from '../../features/moderation/pictures/PendingPictures.tsx';
import { PicturesOfUser, SubscriptionOfUser } from './UserParts.tsx';
import { UsersBrowser } from '../../features/profiles/staff/UsersBrowser.tsx';
import { UsersFigures, useStatistics } from '../../features/statistics/Figures.tsx';
import { Age } from '../../ui/feedback/LastUpdated.tsx';
import { Page } from '../../ui/layout/Page.tsx';
import { t } from '../../ui/text/text.ts';

/** All users, and what staff can do with them. */
export function UsersPage() {
  const isModerator = useSession((session) => session.user?.staffRole === 'moderator');
  const statistics = useStatistics();
  return (
    <Page
      title={t('Users Management')}
      actions={
        <>
          <Age query={statistics} />
          <PendingPictures />
        </>
      }
    >
      <UsersFigures />
      <UsersBrowser
        isModerator={isModerator}
        pictures={(user) => <PicturesOfUser user={user} />}
        subscription={isModerator ? undefined : (user) => <SubscriptionOfUser userId={user._id} />}
      />
    </Page>
  );
}

import { t } from '@lingui/core/macro';
import { Navigate, useSearchParams } from 'react-router';
import { listTags } from '#contract/moderation/tags.ts';
import { useEndpoint } from '../../api/endpoint-query.ts';
import { useMay } from '../../api/session/permission.ts';
import { PendingPictures } from '../../features/moderation/pictures/PendingPictures.tsx';
import { UserPictures, UserSubscriptions } from './UserParts.tsx';
import { userListKeys } from '../../features/profiles/staff/use-user-keys.ts';
import { UsersBrowser } from '../../features/profiles/staff/UsersBrowser.tsx';
import { UsersFigures } from '../../features/statistics/Figures.tsx';
import { useStatistics } from '../../features/statistics/queries.ts';
import { KeysButton } from '../../ui/feedback/KeysButton.tsx';
import { Age } from '../../ui/feedback/LastUpdated.tsx';
import { Page } from '../../ui/layout/Page.tsx';

/** The list of all users, with the actions of staff. */
export function UsersPage() {
  const mayReview = useMay('pictures.review');
  const maySeePayments = useMay('subscriptions.view');
  const statistics = useStatistics();
  const tags = useEndpoint(listTags);
  const queue = useSearchParams()[0].get('pictures');
  if (queue !== null) return <Navigate to={queue === 'selfies' ? '/queue/verification' : '/queue/pictures'} replace />;
  return (
    <Page
      title={t`Users Management`}
      actions={
        <>
          <Age query={statistics} />
          {mayReview && <PendingPictures />}
          <KeysButton keys={userListKeys} hasForms={false} />
        </>
      }
    >
      <UsersFigures />
      <UsersBrowser
        pictures={(user) => (mayReview ? <UserPictures user={user} /> : null)}
        subscription={maySeePayments ? (user) => <UserSubscriptions userId={user._id} /> : undefined}
        tags={(tags.data?.tags ?? []).map(({ _id, name, merged }) => [_id, name, merged ?? []] as const)}
      />
    </Page>
  );
}

import { t } from '@lingui/core/macro';
import { Box } from '@mantine/core';
import { useParams } from 'react-router';
import { EndSessions, ResetFactors } from '../../features/auth/factors/StaffActs.tsx';
import { HelpDesk } from '../../features/auth/staff/HelpDesk.tsx';
import { useMay } from '../../api/session/permission.ts';
import { DetailScreen, HistoryPanel } from '../DetailScreen.tsx';
import { UserFile, UserPictures, UserSubscriptions } from './UserParts.tsx';
import { UserVisibility } from './UserVisibility.tsx';
import { UserActs } from '../../features/moderation/user-file/UserActs.tsx';
import { useUser } from '../../features/profiles/staff/queries.ts';
import { UserProfile } from '../../features/profiles/staff/UserProfile.tsx';
import { UserStanding } from '../../features/profiles/staff/UserStanding.tsx';
import { Columns, Panel } from '../../ui/layout/Page.tsx';
import { Skeleton } from '../../ui/feedback/PageStates.tsx';
import { personName } from '../../ui/text/person.ts';

function LoadingSkeleton() {
  return (
    <Columns>
      <Skeleton height="60rem" />
      <Skeleton height="17rem" />
    </Columns>
  );
}

/** One user, with everything staff may see and do. */
export function UserPage() {
  const { id = '' } = useParams();
  const maySecure = useMay('users.secure');
  const maySeePayments = useMay('subscriptions.view');
  const mayReview = useMay('pictures.review');
  const maySeeVisibility = useMay('users.visibility');
  const query = useUser(id);
  const name = query.data && (personName(query.data) ?? t`Unknown`);
  return (
    <DetailScreen
      back={{ to: '/users', children: t`All users` }}
      title={name ?? t`User`}
      missingTitle={t`User not found`}
      missing={{ text: t`There is no such user. The account may have been deleted.` }}
      actions={
        query.data ? (
          <UserActs user={query.data} />
        ) : (
          <Box w="20rem" h="2.25rem">
            <Skeleton height="100%" />
          </Box>
        )
      }
      query={query}
      loadingText={t`Loading user...`}
      skeleton={<LoadingSkeleton />}
      errorText={(error) => t`Error loading user: ${error}`}
    >
      {(user) => (
        <>
          <UserStanding user={user} />
          <UserProfile
            user={user}
            file={<UserFile user={user} />}
            pictures={mayReview && <UserPictures user={user} />}
            aside={
              <>
                {maySeePayments && user.can.act && (
                  <Panel title={t`Subscription`}>
                    <UserSubscriptions userId={user._id} />
                  </Panel>
                )}
                {maySeeVisibility && user.can.act && (
                  <Panel title={t`Seen by others`} lead={t`What members see of this profile, and who can’t`}>
                    <UserVisibility userId={user._id} name={name ?? ''} />
                  </Panel>
                )}
                <HelpDesk user={user} name={name ?? ''} />
                {maySecure && user.can.act && user.staffRole !== null && (
                  <Panel
                    title={t`Two-step verification`}
                    lead={t`For a colleague who lost their phone and recovery codes`}
                  >
                    <ResetFactors userId={user._id} name={name ?? ''} />
                  </Panel>
                )}
                {maySecure && user.can.act && (
                  <Panel title={t`Signed-in devices`} lead={t`For stolen devices and accounts in the wrong hands`}>
                    <EndSessions userId={user._id} name={name ?? ''} />
                  </Panel>
                )}
                <HistoryPanel id={user._id} lead={t`What staff viewed and changed on this account`} />
              </>
            }
          />
        </>
      )}
    </DetailScreen>
  );
}

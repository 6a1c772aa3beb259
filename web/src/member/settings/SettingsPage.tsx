import { Stack } from '@mantine/core';
import { Suspense } from 'react';
import { useNavigate } from 'react-router';
import { Confirmed } from '../../features/auth/account/ConfirmIdentity.tsx';
import { readCurrentUser, signOut } from '../../features/auth/session/current-user.ts';
import { useSession } from '../../features/auth/session/session.ts';
import { BlockList } from '../../features/blocks/BlockList.tsx';
import { InstallPanel } from '../../features/installation/InstallOffer.tsx';
import { LastActiveChoice } from '../../features/profiles/own/LastActiveChoice.tsx';
import { Skeleton } from '../../ui/feedback/PageStates.tsx';
import { Panel } from '../../ui/layout/Panel.tsx';
import { lazyPart } from '../../ui/loading/lazy-page.tsx';
import { t } from '../../ui/text/text.ts';
import { ColorSchemeChoice } from '../../ui/theme/ColorSchemeChoice.tsx';
import { NarrowPage } from '../layout/NarrowPage.tsx';

const ownPlan = lazyPart(() =>
  import('../../features/subscriptions/plan/OwnPlan.tsx').then((module) => module.OwnPlan),
);
const security = lazyPart(() => import('../../features/auth/Security.tsx').then((module) => module.Security));
const notifications = lazyPart(() =>
  import('../../features/notifications/NotificationSettings.tsx').then((module) => module.NotificationSettings),
);
const downloadData = lazyPart(() =>
  import('../../features/auth/account/DownloadData.tsx').then((module) => module.DownloadData),
);
const deleteAccount = lazyPart(() =>
  import('../../features/auth/account/DeleteAccount.tsx').then((module) => module.DeleteAccount),
);

/** A member's own settings: plan, privacy, sign-in, notifications, appearance, data export and deleting the account. */
export function SettingsPage() {
  const navigate = useNavigate();
  const email = useSession((session) => session.user?.email ?? '');
  const isStaff = useSession((session) => session.user?.isAdmin === true);

  function signOutHere() {
    signOut();
    void navigate('/app/sign-in', { replace: true });
  }

  return (
    <NarrowPage title={t('Settings')}>
      <Stack gap="1.25rem">
        <Panel title={t('Privacy')}>
          <LastActiveChoice />
        </Panel>
        {!isStaff && (
          <Panel title={t('Your plan')}>
            <Suspense fallback={<Skeleton height="10rem" />}>
              <ownPlan.Part onChange={() => void readCurrentUser().catch(() => undefined)} />
            </Suspense>
          </Panel>
        )}
        <Panel title={t('Blocked people')} lead={t("You don't see each other.")}>
          <BlockList />
        </Panel>
        <Panel title={t('Sign-in and security')}>
          <Suspense fallback={<Skeleton height="60rem" />}>
            <security.Part email={email} isStaff={isStaff} onSignOutHere={signOutHere} />
          </Suspense>
        </Panel>
        <Panel
          title={t('Notifications')}
          lead={t('Emails and notifications never say who it is about or what was written.')}
        >
          <Suspense fallback={<Skeleton height="30rem" />}>
            <notifications.Part isStaff={isStaff} />
          </Suspense>
        </Panel>
        <Panel title={t('Appearance')} lead={t('Saved on this device.')}>
          <ColorSchemeChoice />
        </Panel>
        {!isStaff && <InstallPanel />}
        <Panel
          title={t('Your data')}
          lead={t(
            'Everything in one archive: account, profile, pictures, preferences, answers, likes, messages, blocks, reports and payments.',
          )}
        >
          <Suspense fallback={<Skeleton height="8rem" />}>
            <Confirmed isMember={!isStaff}>
              {(isProven) => <downloadData.Part email={email} isProven={isProven} />}
            </Confirmed>
          </Suspense>
        </Panel>
        <Panel title={t('Delete account')}>
          <Suspense fallback={<Skeleton height="8rem" />}>
            <Confirmed isMember={!isStaff}>
              {(isProven) => <deleteAccount.Part email={email} isProven={isProven} />}
            </Confirmed>
          </Suspense>
        </Panel>
      </Stack>
    </NarrowPage>
  );
}

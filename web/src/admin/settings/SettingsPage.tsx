import { t } from '@lingui/core/macro';
import { Stack } from '@mantine/core';
import { lazy } from 'react';
import { useNavigate } from 'react-router';
import { ChangePassword } from '../../features/auth/account/ChangePassword.tsx';
import { DeviceList } from '../../features/auth/account/DeviceList.tsx';
import { signOut, useSession } from '../../features/auth/session/session.ts';
import { Skeleton } from '../../ui/feedback/PageStates.tsx';
import { SingleKeysChoice } from '../../ui/feedback/KeysDialog.tsx';
import { BothColumns, Columns, Page, Panel } from '../../ui/layout/Page.tsx';
import { LazyBoundary } from '../../ui/loading/LazyBoundary.tsx';
import { ColorSchemeChoice } from '../../ui/theme/ColorSchemeChoice.tsx';

const LanguageChoice = lazy(async () => ({
  default: (await import('../../features/auth/account/LanguageChoice.tsx')).LanguageChoice,
}));
const TwoStepVerification = lazy(async () => ({
  default: (await import('../../features/auth/factors/TwoStepVerification.tsx')).TwoStepVerification,
}));
const Passkeys = lazy(async () => ({ default: (await import('../../features/auth/factors/Passkeys.tsx')).Passkeys }));

/** A staff member's own settings: password, two-step verification, passkeys, devices, appearance. */
export function SettingsPage() {
  const navigate = useNavigate();
  const email = useSession((session) => session.user?.email ?? '');

  function signOutHere() {
    signOut();
    void navigate('/login', { replace: true });
  }

  return (
    <Page title={t`Settings`}>
      <Columns isEven>
        <Panel title={t`Password`} lead={t`Changing it signs out your other devices.`}>
          <ChangePassword email={email} isStaff />
        </Panel>
        <Stack gap="1.25rem" data-in-order>
          <Panel title={t`Appearance`} lead={t`Saved on this device.`}>
            <ColorSchemeChoice />
          </Panel>
          <Panel title={t`Language`} lead={t`Of the app and of our emails.`}>
            <LazyBoundary fallback={<Skeleton height="2.75rem" />}>
              <LanguageChoice />
            </LazyBoundary>
          </Panel>
          <Panel title={t`Keyboard`} lead={t`Saved on this device.`}>
            <SingleKeysChoice />
          </Panel>
        </Stack>
        <Panel title={t`Two-step verification`} lead={t`A code from your phone in addition to your password.`}>
          <LazyBoundary fallback={<Skeleton height="6rem" />}>
            <TwoStepVerification email={email} />
          </LazyBoundary>
        </Panel>
        <Panel
          title={t`Passkeys`}
          lead={t`Sign in with your fingerprint, face or PIN instead of a password and a code.`}
        >
          <LazyBoundary fallback={<Skeleton height="6rem" />}>
            <Passkeys email={email} />
          </LazyBoundary>
        </Panel>
        <BothColumns>
          <Panel
            title={t`Signed-in devices`}
            lead={t`Sign out any device you don't recognize, then change your password.`}
          >
            <DeviceList onSignOutHere={signOutHere} />
          </Panel>
        </BothColumns>
      </Columns>
    </Page>
  );
}

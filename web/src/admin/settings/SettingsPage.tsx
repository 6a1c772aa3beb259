import { t } from '@lingui/core/macro';
import { Stack } from '@mantine/core';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { useMay } from '../../api/session/permission.ts';
import { deviceStorage } from '../../browser-storage.ts';
import { ChangePassword } from '../../features/auth/account/ChangePassword.tsx';
import { DeviceList } from '../../features/auth/account/DeviceList.tsx';
import { staffHome } from '../../features/auth/session/guards.tsx';
import { signOutOfHouse, useSession } from '../../features/auth/session/session.ts';
import { SingleKeysChoice } from '../../ui/feedback/KeysDialog.tsx';
import { CheckField } from '../../ui/form/Field.tsx';
import { BothColumns, Columns, Page, Panel } from '../../ui/layout/Page.tsx';
import { ColorSchemeChoice } from '../../ui/theme/ColorSchemeChoice.tsx';
import { LanguageChoice } from '../../features/auth/account/LanguageChoice.tsx';
import { TwoStepVerification } from '../../features/auth/factors/TwoStepVerification.tsx';
import { Passkeys } from '../../features/auth/factors/Passkeys.tsx';

/** Whether Start is the first page after signing in on this device, instead of the dashboard. */
function FirstPageChoice() {
  const [isStart, setStart] = useState(staffHome() === '/start');

  function choose(isChosen: boolean) {
    if (isChosen) deviceStorage.write('device:first-page', '/start');
    else deviceStorage.remove('device:first-page');
    setStart(isChosen);
  }

  return (
    <CheckField
      checked={isStart}
      onChange={(event) => choose(event.currentTarget.checked)}
      label={t`Open with Start`}
      description={t`After you sign in, you see what is waiting for you instead of the dashboard.`}
    />
  );
}

/** A staff member's own settings: password, two-step verification, passkeys, devices, appearance. */
export function SettingsPage() {
  const navigate = useNavigate();
  const email = useSession((session) => session.user?.email ?? '');
  const hasWork = useMay('reports.handle');

  function signOutHere() {
    void signOutOfHouse();
    void navigate('/login', { replace: true });
  }

  return (
    <Page title={t`My account`}>
      <Columns isEven>
        <Panel title={t`Password`} lead={t`Changing it signs out your other devices.`}>
          <ChangePassword email={email} isStaff />
        </Panel>
        <Stack gap="1.25rem" data-in-order>
          <Panel title={t`Appearance`} lead={t`Saved on this device.`}>
            <ColorSchemeChoice />
          </Panel>
          <Panel title={t`Language`} lead={t`Of the app and of our emails.`}>
            <LanguageChoice />
          </Panel>
          {hasWork && (
            <Panel title={t`First page`} lead={t`Saved on this device.`}>
              <FirstPageChoice />
            </Panel>
          )}
          <Panel title={t`Keyboard`} lead={t`Saved on this device.`}>
            <SingleKeysChoice />
          </Panel>
        </Stack>
        <Panel title={t`Two-step verification`} lead={t`A code from your phone in addition to your password.`}>
          <TwoStepVerification email={email} />
        </Panel>
        <Panel
          title={t`Passkeys`}
          lead={t`Sign in with your fingerprint, face or PIN instead of a password and a code.`}
        >
          <Passkeys email={email} />
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

import { t } from '@lingui/core/macro';
import { Stack } from '@mantine/core';
import { Part } from '../../ui/layout/Page.tsx';
import { ChangeEmail } from './account/ChangeEmail.tsx';
import { ChangePassword } from './account/ChangePassword.tsx';
import { Confirmed } from './account/ConfirmIdentity.tsx';
import { DeviceList } from './account/DeviceList.tsx';
import { OnDemand } from './account/OnDemand.tsx';
import { useWaysToSignIn } from './queries.ts';
import { Passkeys } from './factors/Passkeys.tsx';
import { TwoStepVerification } from './factors/TwoStepVerification.tsx';
import { WaysToSignIn } from './factors/WaysToSignIn.tsx';

function Password({ email, isStaff }: Pick<SecurityProps, 'email' | 'isStaff'>) {
  const { data } = useWaysToSignIn(!isStaff);
  const hasPassword = data?.hasPassword !== false;
  return (
    <Stack maw="26rem">
      {!hasPassword && <p>{t`You don't have a password yet.`}</p>}
      <OnDemand name="password" text={hasPassword ? t`Change password...` : t`Set a password...`}>
        <Confirmed isMember={!isStaff}>
          {(isProven) => <ChangePassword email={email} isStaff={isStaff} isFirst={isProven} />}
        </Confirmed>
      </OnDemand>
    </Stack>
  );
}

interface SecurityProps {
  email: string;
  isStaff: boolean;
  onSignOutHere: () => void;
}

/** The security section of the settings: email address, password, other sign-in methods, and devices. */
export function Security({ email, isStaff, onSignOutHere }: SecurityProps) {
  return (
    <>
      <Part title={t`Email address`}>
        <ChangeEmail email={email} isMember={!isStaff} />
      </Part>
      <Part title={t`Password`} lead={t`Changing it signs out your other devices.`}>
        <Password email={email} isStaff={isStaff} />
      </Part>
      {!isStaff && (
        <Part title={t`Sign-in methods`}>
          <WaysToSignIn email={email} />
        </Part>
      )}
      <Part title={t`Two-step verification`}>
        <TwoStepVerification email={email} />
      </Part>
      <Part
        title={t`Passkeys`}
        lead={t`Sign in with your fingerprint, face or PIN instead of a password. A passkey can't be guessed or stolen.`}
      >
        <Passkeys email={email} />
      </Part>
      <Part title={t`Signed-in devices`} lead={t`Sign out any device you don't recognize, then change your password.`}>
        <DeviceList onSignOutHere={onSignOutHere} />
      </Part>
    </>
  );
}

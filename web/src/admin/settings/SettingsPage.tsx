import { Suspense, useState } from 'react';
import { useNavigate } from 'react-router';
import { ChangePasswordForm } from '../../features/auth/account/ChangePassword.tsx';
import { signOut } from '../../features/auth/session/current-user.ts';
import { useSession } from '../../features/auth/session/session.ts';
import { SessionList } from '../../features/auth/account/DeviceList.tsx';
import { ColorSchemeChoice } from '../../ui/theme/ColorSchemeChoice.tsx';
import { lazyPart } from '../../ui/loading/lazy-page.tsx';
import { Page } from '../../ui/layout/Page.tsx';
import { Bone } from '../../ui/feedback/PageStates.tsx';
import { Panel } from '../../ui/layout/Panel.tsx';
import { SingleKeysChoice } from '../../ui/keyboard/SingleKeysChoice.tsx';
import { useText } from '../../ui/text/text.ts';
import classes from '../admin.module.css';

const secondFactorPart = lazyPart(() =>
  import('../../features/auth/factors/TwoStepVerification.tsx').then((module) => module.SecondFactor),
);
const passkeysPart = lazyPart(() =>
  import('../../features/auth/factors/Passkeys.tsx').then((module) => module.Passkeys),
);

/** One's own settings: password, second step, passkeys, devices, looks. */
export function SettingsPage() {
  const t = useText();
  const navigate = useNavigate();
  const email = useSession((session) => session.user?.email ?? '');
  const [round, setRound] = useState(0);

  function signOutHere() {
    signOut();
    void navigate('/login', { replace: true });
  }

  return (
    <Page title={t('Settings')}>
      <div className={classes.parts}>
        <Panel title={t('Password')} lead={t('Changing it signs out your other devices.')}>
          <ChangePasswordForm email={email} isStaff onChanged={() => setRound(round + 1)} />
        </Panel>
        <div className={classes.column}>
          <Panel title={t('Appearance')} lead={t('Kept on this device.')}>
            <ColorSchemeChoice />
          </Panel>
          <Panel title={t('Keyboard')} lead={t('Kept on this device.')}>
            <SingleKeysChoice />
          </Panel>
        </div>
        <Panel title={t('Second step')} lead={t('A code of your phone, besides your password.')}>
          <Suspense fallback={<Bone height="6rem" />}>
            <secondFactorPart.Part email={email} />
          </Suspense>
        </Panel>
        <Panel
          title={t('Passkeys')}
          lead={t('Sign in with your finger, face or PIN instead of a password and a code.')}
        >
          <Suspense fallback={<Bone height="6rem" />}>
            <passkeysPart.Part email={email} />
          </Suspense>
        </Panel>
        <Panel
          title={t('Signed-in devices')}
          lead={t('Sign out what you do not know, then change your password.')}
          className={classes.wide}
        >
          <SessionList round={round} onSignOutHere={signOutHere} />
        </Panel>
      </div>
    </Page>
  );
}

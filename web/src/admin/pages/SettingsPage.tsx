import { useState } from 'react';
import { useNavigate } from 'react-router';
import { ChangePasswordForm } from '../../features/auth/ChangePasswordForm.tsx';
import { signOut } from '../../features/auth/sign-out.ts';
import { useSession } from '../../features/auth/session.ts';
import { SessionList } from '../../features/auth/SessionList.tsx';
import { ColorSchemeChoice } from '../../ui/ColorSchemeChoice.tsx';
import { Page } from '../../ui/Page.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { SingleKeysChoice } from '../../ui/SingleKeysChoice.tsx';
import { useText } from '../../ui/text.ts';
import classes from './SettingsPage.module.css';

/** One's own settings: password, devices, looks. */
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

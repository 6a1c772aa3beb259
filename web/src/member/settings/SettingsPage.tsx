import { type ReactNode, Suspense, useId, useState } from 'react';
import { useNavigate } from 'react-router';
import { ChangeEmail } from '../../features/auth/account/ChangeEmail.tsx';
import { readCurrentUser, signOut } from '../../features/auth/session/current-user.ts';
import { useSession } from '../../features/auth/session/session.ts';
import { protectionChanged, useWaysIn } from '../../features/auth/factors/security-queries.ts';
import { BlockList } from '../../features/blocks/BlockList.tsx';
import { LastActiveChoice } from '../../features/profiles/own/LastActiveChoice.tsx';
import { ColorSchemeChoice } from '../../ui/theme/ColorSchemeChoice.tsx';
import { Bone } from '../../ui/feedback/PageStates.tsx';
import { Panel } from '../../ui/layout/Panel.tsx';
import { useText } from '../../ui/text/text.ts';
import { NarrowPage } from '../layout/NarrowPage.tsx';
import { Proven } from '../../features/auth/account/ConfirmIdentity.tsx';
import {
  downloadPart,
  installPanel,
  leavePart,
  notificationsPart,
  ownPlanPart,
  passkeysPart,
  passwordPart,
  secondFactorPart,
  sessionsPart,
  waysToSignInPart,
} from './settings-parts.ts';
import classes from './SettingsPage.module.css';

function Part({ title, lead, children }: { title: string; lead?: string; children: ReactNode }) {
  const id = useId();
  return (
    <section className={classes.part} aria-labelledby={id}>
      <h3 id={id} className={classes.title}>
        {title}
      </h3>
      {lead !== undefined && <p className={classes.lead}>{lead}</p>}
      {children}
    </section>
  );
}

/** A member's own settings: their plan, privacy, sign-in, looks, their data, and the way out. */
export function SettingsPage() {
  const t = useText();
  const navigate = useNavigate();
  const email = useSession((session) => session.user?.email ?? '');
  const isStaff = useSession((session) => session.user?.isAdmin === true);
  const [round, setRound] = useState(0);
  const ways = useWaysIn(!isStaff);
  const askForDevices = () => setRound((before) => before + 1);
  const passwordChanged = () => {
    askForDevices();
    ways.refetch();
    protectionChanged();
  };

  function signOutHere() {
    signOut();
    void navigate('/app/sign-in', { replace: true });
  }

  return (
    <NarrowPage title={t('Settings')}>
      <div className={classes.parts}>
        <Panel title={t('Privacy')}>
          <LastActiveChoice />
        </Panel>
        {!isStaff && (
          <Panel title={t('Your plan')}>
            <Suspense fallback={<Bone height="10rem" />}>
              <ownPlanPart.Part onChange={() => void readCurrentUser().catch(() => undefined)} />
            </Suspense>
          </Panel>
        )}
        <Panel title={t('People you blocked')} lead={t('You and they do not see each other.')}>
          <BlockList />
        </Panel>
        <Panel title={t('Sign-in and security')}>
          <Part title={t('E-mail address')}>
            <Proven ways={ways}>
              {(isProven) => <ChangeEmail email={email} isProven={isProven} onChanged={askForDevices} />}
            </Proven>
          </Part>
          <Part title={t('Password')} lead={t('Changing it signs out your other devices.')}>
            <Suspense fallback={<Bone height="14rem" />}>
              <Proven ways={ways}>
                {(isProven) => (
                  <passwordPart.Part email={email} isStaff={isStaff} isFirst={isProven} onChanged={passwordChanged} />
                )}
              </Proven>
            </Suspense>
          </Part>
          {!isStaff && (
            <Part title={t('Ways to sign in')}>
              <Suspense fallback={<Bone height="9rem" />}>
                <waysToSignInPart.Part ways={ways} email={email} />
              </Suspense>
            </Part>
          )}
          <Part title={t('Second step')}>
            <Suspense fallback={<Bone height="6rem" />}>
              <secondFactorPart.Part email={email} />
            </Suspense>
          </Part>
          <Part
            title={t('Passkeys')}
            lead={t('Sign in with your finger, face or PIN instead of a password. Nobody can guess or steal one.')}
          >
            <Suspense fallback={<Bone height="4rem" />}>
              <passkeysPart.Part email={email} />
            </Suspense>
          </Part>
          <Part title={t('Signed-in devices')} lead={t('Sign out what you do not know, then change your password.')}>
            <Suspense fallback={<Bone height="8rem" />}>
              <sessionsPart.Part round={round} onSignOutHere={signOutHere} />
            </Suspense>
          </Part>
        </Panel>
        <Panel title={t('Notifications')} lead={t('Neither mails nor devices say who it is, or what was written.')}>
          <Suspense fallback={<Bone height="30rem" />}>
            <notificationsPart.Part isStaff={isStaff} />
          </Suspense>
        </Panel>
        <Panel title={t('Appearance')} lead={t('Kept on this device.')}>
          <ColorSchemeChoice />
        </Panel>
        {!isStaff && (
          <Suspense>
            <installPanel.Part />
          </Suspense>
        )}
        <Panel
          title={t('Your data')}
          lead={t(
            'In one archive: your account, profile, pictures, wishes, answers, likes, messages, blocks, reports and payments.',
          )}
        >
          <Suspense fallback={<Bone height="8rem" />}>
            <Proven ways={ways}>{(isProven) => <downloadPart.Part email={email} isProven={isProven} />}</Proven>
          </Suspense>
        </Panel>
        <Panel title={t('Leave Heartwood')}>
          <Suspense fallback={<Bone height="8rem" />}>
            <Proven ways={ways}>{(isProven) => <leavePart.Part email={email} isProven={isProven} />}</Proven>
          </Suspense>
        </Panel>
      </div>
    </NarrowPage>
  );
}

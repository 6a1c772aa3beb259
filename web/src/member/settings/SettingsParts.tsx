import { t } from '@lingui/core/macro';
import { Button, Stack } from '@mantine/core';
import { Link } from 'react-router';
import { useServiceConfig } from '../../api/service-config.ts';
import { Confirmed } from '../../features/auth/account/ConfirmIdentity.tsx';
import { DeleteAccount } from '../../features/auth/account/DeleteAccount.tsx';
import { DownloadData } from '../../features/auth/account/DownloadData.tsx';
import { LanguageChoice } from '../../features/auth/account/LanguageChoice.tsx';
import { BlockList } from '../../features/connections/BlockList.tsx';
import { KnownPeople } from '../../features/connections/KnownPeople.tsx';
import { PauseChoice } from '../../features/discovery/preferences/Pause.tsx';
import { InstallPanel } from '../../features/installation/InstallOffer.tsx';
import { OwnFile } from '../../features/moderation/own-file/OwnFile.tsx';
import { AgePanel } from '../../features/profiles/age/ConfirmAge.tsx';
import { HiddenWords } from '../../features/profiles/own/HiddenWords.tsx';
import { LastActiveChoice } from '../../features/profiles/own/LastActiveChoice.tsx';
import { FirstContactChoice } from '../../features/selfies/FirstContactChoice.tsx';
import { VerificationPanel } from '../../features/selfies/VerificationPanel.tsx';
import { displayName, readCurrentUser, useSession } from '../../features/auth/session/session.ts';
import { Skeleton } from '../../ui/feedback/PageStates.tsx';
import { Panel } from '../../ui/layout/Page.tsx';
import { Buttons } from '../../ui/layout/Rows.tsx';
import { lazyPart } from '../../ui/loading/LazyBoundary.tsx';
import { Security } from '../../features/auth/Security.tsx';
import { NotificationSettings } from '../../features/notifications/NotificationSettings.tsx';
import { ColorSchemeChoice } from '../../ui/theme/ColorSchemeChoice.tsx';
import { useLogout } from '../layout/use-logout.ts';

const [OwnPlan] = lazyPart(
  async () => (await import('../../features/subscriptions/plan/OwnPlan.tsx')).OwnPlan,
  <Skeleton height="10rem" />,
);
interface Viewer {
  email: string;
  isStaff: boolean;
}

function Account({ email, isStaff }: Viewer) {
  return (
    <>
      <Panel title={t`Appearance`} lead={t`Saved on this device.`}>
        <ColorSchemeChoice />
      </Panel>
      <Panel title={t`Language`} lead={t`Of the app and of our emails.`}>
        <LanguageChoice />
      </Panel>
      <Panel title={t`Delete account`}>
        <Confirmed isMember={!isStaff}>{(isProven) => <DeleteAccount email={email} isProven={isProven} />}</Confirmed>
      </Panel>
      {/* Comes last, because it appears whenever the browser offers it and would move everything below. */}
      {!isStaff && <InstallPanel />}
    </>
  );
}

function SecurityPart(viewer: Viewer) {
  const logout = useLogout();
  return (
    <Panel title={t`Sign-in and security`}>
      <Security {...viewer} onSignOutHere={logout} />
    </Panel>
  );
}

function Privacy({ isStaff }: Viewer) {
  return (
    <>
      {!isStaff && (
        <Panel title={t`Who finds you`}>
          <Stack gap="1rem" data-in-order>
            <PauseChoice />
            <Buttons>
              <Button component={Link} to="/app/discover?wishes=open" variant="default">
                {t`Incognito`}
              </Button>
              <Button component={Link} to="/app/settings/blocked" variant="default">
                {t`Blocked people`}
              </Button>
            </Buttons>
          </Stack>
        </Panel>
      )}
      <Panel title={t`Last active`}>
        <LastActiveChoice />
      </Panel>
      {!isStaff && (
        <>
          <Panel title={t`Who can write first`}>
            <FirstContactChoice />
          </Panel>
          <VerificationPanel />
          <AgePanel />
        </>
      )}
    </>
  );
}

function Notifications({ isStaff }: Viewer) {
  return (
    <Panel
      title={t`Notifications`}
      lead={t`Emails and notifications never say who they are about or what was written.`}
    >
      <NotificationSettings isStaff={isStaff} />
    </Panel>
  );
}

function Plan({ email }: Viewer) {
  const name = useSession(({ user }) => (user === null ? '' : displayName(user)));
  return (
    <Panel title={t`Your plan`}>
      <OwnPlan name={name} email={email} onChange={() => void readCurrentUser().catch(() => undefined)} />
    </Panel>
  );
}

function Blocked({ isStaff }: Viewer) {
  return (
    <>
      <Panel title={t`Blocked people`} lead={t`You don't see each other.`}>
        <BlockList />
      </Panel>
      {!isStaff && (
        <>
          <Panel
            title={t`People you know`}
            lead={t`Paste the addresses of family, colleagues or an ex. If they are here or join later, they can't see you. You may still see them, because otherwise you could find out whose address it is. Likes and notes you send them look sent, but never arrive. If they liked you before, liking back still makes a match. Your matches stay: unmatch or block them instead.`}
          >
            <KnownPeople />
          </Panel>
          <Panel
            title={t`Hidden words`}
            lead={t`People whose profile contains one aren't suggested to you, and messages and notes with one are covered until you want to read them. No one is told.`}
          >
            <HiddenWords />
          </Panel>
        </>
      )}
    </>
  );
}

function Data({ email }: Viewer) {
  return (
    <Panel
      title={t`Your data`}
      lead={t`Everything in one archive: account, profile, pictures, preferences, answers, likes, messages, blocks, reports and payments.`}
    >
      <DownloadData email={email} />
    </Panel>
  );
}

function OwnFilePart() {
  return (
    <Panel title={t`When we opened your account`} lead={t`And why, but not which of us.`}>
      <OwnFile />
    </Panel>
  );
}

function Help() {
  const config = useServiceConfig();
  return (
    <Panel title={t`Help`} lead={t`In danger? Call your local emergency number first.`}>
      <Buttons>
        <Button component={Link} to="/app/support" variant="default">
          {t`My reports and answers`}
        </Button>
        <Button component={Link} to="/app/support/new" variant="default">
          {t`Report a problem`}
        </Button>
        <Button component={Link} to="/app/safety" variant="default">
          {t`Safety center`}
        </Button>
        <Button component={Link} to="/faqs" variant="default">
          {t`FAQs`}
        </Button>
        <Button component={Link} to="/privacy" variant="default">
          {t`Privacy Policy`}
        </Button>
        {config && (
          <Button component="a" href={`mailto:${config.supportEmail}`} variant="default">
            {t`Contact us`}
          </Button>
        )}
      </Buttons>
    </Panel>
  );
}

const parts = {
  account: Account,
  security: SecurityPart,
  privacy: Privacy,
  notifications: Notifications,
  plan: Plan,
  blocked: Blocked,
  data: Data,
  file: OwnFilePart,
  help: Help,
};

/** The content below the title of a settings page. */
export function SettingsPart({ id, ...viewer }: Viewer & { id: keyof typeof parts }) {
  const Part = parts[id];
  return <Part {...viewer} />;
}

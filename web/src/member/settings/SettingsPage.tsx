import { msg, t } from '@lingui/core/macro';
import { Button, Stack, Text, Title } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import {
  IconBan,
  IconBell,
  IconChevronRight,
  IconCrown,
  IconDatabase,
  IconEyeOff,
  IconFileSearch,
  IconLifebuoy,
  IconLock,
  IconUserCircle,
} from '@tabler/icons-react';
import { lazy, useEffect, useState } from 'react';
import { Link, Navigate, useLocation, useNavigate, useParams } from 'react-router';
import { useServiceConfig } from '../../api/service-config.ts';
import { Confirmed } from '../../features/auth/account/ConfirmIdentity.tsx';
import { displayName, readCurrentUser, signOut, useSession } from '../../features/auth/session/session.ts';
import { Skeleton } from '../../ui/feedback/PageStates.tsx';
import { Hint } from '../../ui/layout/text-blocks.tsx';
import { BackLink, PageHeading, Panel } from '../../ui/layout/Page.tsx';
import { Buttons, RowLink } from '../../ui/layout/Rows.tsx';
import { LazyBoundary } from '../../ui/loading/LazyBoundary.tsx';
import { ColorSchemeChoice } from '../../ui/theme/ColorSchemeChoice.tsx';
import { NarrowPage } from '../layout/NarrowPage.tsx';
import classes from './SettingsPage.module.css';

const OwnPlan = lazy(async () => ({
  default: (await import('../../features/subscriptions/plan/OwnPlan.tsx')).OwnPlan,
}));
const Security = lazy(async () => ({ default: (await import('../../features/auth/Security.tsx')).Security }));
const BlockList = lazy(async () => ({ default: (await import('../../features/connections/BlockList.tsx')).BlockList }));
const HiddenWords = lazy(async () => ({
  default: (await import('../../features/profiles/own/HiddenWords.tsx')).HiddenWords,
}));
const KnownPeople = lazy(async () => ({
  default: (await import('../../features/connections/KnownPeople.tsx')).KnownPeople,
}));
const InstallPanel = lazy(async () => ({
  default: (await import('../../features/installation/InstallOffer.tsx')).InstallPanel,
}));
const LastActiveChoice = lazy(async () => ({
  default: (await import('../../features/profiles/own/LastActiveChoice.tsx')).LastActiveChoice,
}));
const VerificationPanel = lazy(async () => ({
  default: (await import('../../features/selfies/VerificationPanel.tsx')).VerificationPanel,
}));
const FirstContactChoice = lazy(async () => ({
  default: (await import('../../features/selfies/FirstContactChoice.tsx')).FirstContactChoice,
}));
const AgePanel = lazy(async () => ({
  default: (await import('../../features/profiles/age/ConfirmAge.tsx')).AgePanel,
}));
const PauseChoice = lazy(async () => ({
  default: (await import('../../features/discovery/preferences/Pause.tsx')).PauseChoice,
}));
const NotificationSettings = lazy(async () => ({
  default: (await import('../../features/notifications/NotificationSettings.tsx')).NotificationSettings,
}));
const LanguageChoice = lazy(async () => ({
  default: (await import('../../features/auth/account/LanguageChoice.tsx')).LanguageChoice,
}));
const DownloadData = lazy(async () => ({
  default: (await import('../../features/auth/account/DownloadData.tsx')).DownloadData,
}));
const OwnFile = lazy(async () => ({
  default: (await import('../../features/moderation/own-file/OwnFile.tsx')).OwnFile,
}));
const DeleteAccount = lazy(async () => ({
  default: (await import('../../features/auth/account/DeleteAccount.tsx')).DeleteAccount,
}));

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
        <LazyBoundary fallback={<Skeleton height="2.75rem" />}>
          <LanguageChoice />
        </LazyBoundary>
      </Panel>
      <Panel title={t`Delete account`}>
        <LazyBoundary fallback={<Skeleton height="8rem" />}>
          <Confirmed isMember={!isStaff}>{(isProven) => <DeleteAccount email={email} isProven={isProven} />}</Confirmed>
        </LazyBoundary>
      </Panel>
      {/* Comes last, because it appears whenever the browser offers it and would move everything below. */}
      {!isStaff && (
        <LazyBoundary>
          <InstallPanel />
        </LazyBoundary>
      )}
    </>
  );
}

function SecurityPart(viewer: Viewer) {
  const navigate = useNavigate();

  function signOutHere() {
    signOut();
    void navigate('/app/sign-in', { replace: true });
  }

  return (
    <Panel title={t`Sign-in and security`}>
      <LazyBoundary fallback={<Skeleton height="60rem" />}>
        <Security {...viewer} onSignOutHere={signOutHere} />
      </LazyBoundary>
    </Panel>
  );
}

function Privacy({ isStaff }: Viewer) {
  return (
    <>
      {!isStaff && (
        <Panel title={t`Who finds you`}>
          <Stack gap="1rem" data-in-order>
            <LazyBoundary fallback={<Skeleton height="4.5rem" />}>
              <PauseChoice />
            </LazyBoundary>
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
        <LazyBoundary fallback={<Skeleton height="4.5rem" />}>
          <LastActiveChoice />
        </LazyBoundary>
      </Panel>
      {!isStaff && (
        <>
          <Panel title={t`Who can write first`}>
            <LazyBoundary fallback={<Skeleton height="4.5rem" />}>
              <FirstContactChoice />
            </LazyBoundary>
          </Panel>
          <LazyBoundary fallback={<Skeleton height="10rem" />}>
            <VerificationPanel />
          </LazyBoundary>
          <LazyBoundary fallback={<Skeleton height="10rem" />}>
            <AgePanel />
          </LazyBoundary>
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
      <LazyBoundary fallback={<Skeleton height="30rem" />}>
        <NotificationSettings isStaff={isStaff} />
      </LazyBoundary>
    </Panel>
  );
}

function Plan({ email }: Viewer) {
  const name = useSession(({ user }) => (user === null ? '' : displayName(user)));
  return (
    <Panel title={t`Your plan`}>
      <LazyBoundary fallback={<Skeleton height="10rem" />}>
        <OwnPlan name={name} email={email} onChange={() => void readCurrentUser().catch(() => undefined)} />
      </LazyBoundary>
    </Panel>
  );
}

function Blocked({ isStaff }: Viewer) {
  return (
    <>
      <Panel title={t`Blocked people`} lead={t`You don't see each other.`}>
        <LazyBoundary>
          <BlockList />
        </LazyBoundary>
      </Panel>
      {!isStaff && (
        <>
          <Panel
            title={t`People you know`}
            lead={t`Paste the addresses of family, colleagues or an ex. If they are here or join later, they can't see you. You may still see them, because otherwise you could find out whose address it is. Likes and notes you send them look sent, but never arrive. If they liked you before, liking back still makes a match. Your matches stay: unmatch or block them instead.`}
          >
            <LazyBoundary fallback={<Skeleton height="16rem" />}>
              <KnownPeople />
            </LazyBoundary>
          </Panel>
          <Panel
            title={t`Hidden words`}
            lead={t`People whose profile contains one aren't suggested to you, and messages and notes with one are covered until you want to read them. No one is told.`}
          >
            <LazyBoundary fallback={<Skeleton height="12rem" />}>
              <HiddenWords />
            </LazyBoundary>
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
      <LazyBoundary fallback={<Skeleton height="8rem" />}>
        <DownloadData email={email} />
      </LazyBoundary>
    </Panel>
  );
}

function OwnFilePart() {
  return (
    <Panel title={t`When we opened your account`} lead={t`And why, but not which of us.`}>
      <LazyBoundary fallback={<Skeleton height="8rem" />}>
        <OwnFile />
      </LazyBoundary>
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
        {config && (
          <Button component="a" href={`mailto:${config.supportEmail}`} variant="default">
            {t`Contact us`}
          </Button>
        )}
      </Buttons>
    </Panel>
  );
}

/** The pages of the settings, by the last part of their address. */
const parts = [
  { id: 'account', title: msg`Account`, about: msg`Appearance, delete account`, Icon: IconUserCircle, Part: Account },
  { id: 'security', title: msg`Security`, about: msg`Email, password, devices`, Icon: IconLock, Part: SecurityPart },
  {
    id: 'privacy',
    title: msg`Privacy`,
    about: msg`Pause, incognito, who can write first`,
    Icon: IconEyeOff,
    Part: Privacy,
  },
  {
    id: 'notifications',
    title: msg`Notifications`,
    about: msg`Emails and this device`,
    Icon: IconBell,
    Part: Notifications,
  },
  {
    id: 'plan',
    title: msg`Plan`,
    about: msg`Premium, cards, invoices`,
    Icon: IconCrown,
    Part: Plan,
    isForMembers: true,
  },
  { id: 'blocked', title: msg`Blocked`, about: msg`People and words you don't see`, Icon: IconBan, Part: Blocked },
  { id: 'data', title: msg`Data`, about: msg`Download a copy`, Icon: IconDatabase, Part: Data, isForMembers: true },
  {
    id: 'file',
    title: msg`Your file`,
    about: msg`When we opened your account`,
    Icon: IconFileSearch,
    Part: OwnFilePart,
    isForMembers: true,
  },
  { id: 'help', title: msg`Help`, about: msg`Answers and support`, Icon: IconLifebuoy, Part: Help },
] as const;

/** The part that sign-in providers return to, with a token in the address; undefined on other visits. */
const partOfReturn = (address: string) => (address.includes('state=') ? 'security' : undefined);

/** Screens with room for the list next to a page of it. */
const wide = '(min-width: 60rem)';

/** A member's own settings: a short list of pages, each with an address. */
export function SettingsPage() {
  const params = useParams();
  const { hash, search } = useLocation();
  const [returned, setReturned] = useState(() => partOfReturn(`${hash}${search}`));
  const user = useSession((session) => session.user);
  const isWide = useMediaQuery(wide, undefined, { getInitialValueInEffect: false });
  const isStaff = user?.isAdmin === true;
  const shown = parts.filter((part) => !isStaff || !('isForMembers' in part));
  const id = params['part'] ?? returned;
  const open = shown.find((part) => part.id === id);

  // The part stays open when the token is removed from the address, until another part is opened.
  const hasLeft = params['part'] !== undefined;
  useEffect(() => {
    if (hasLeft) setReturned(undefined);
  }, [hasLeft]);

  if (hash === '#notifications') return <Navigate to="/app/settings/notifications" replace />;
  if (params['part'] !== undefined && open === undefined) return <Navigate to="/app/settings" replace />;
  const part = open ?? (isWide ? shown[0] : undefined);
  const list = (
    <Stack component="nav" gap="0.15rem" aria-label={t`Settings`}>
      {shown.map(({ id: name, title, about, Icon }) => (
        <RowLink key={name} to={`/app/settings/${name}`} aria-current={part?.id === name ? 'page' : undefined}>
          <Icon style={{ flex: 'none', color: 'var(--hw-accent)' }} size={22} stroke={1.6} aria-hidden="true" />
          <Stack component="span" gap={0} miw={0}>
            <Text component="span" fw={600}>
              {t(title)}
            </Text>
            <Hint component="span">{t(about)}</Hint>
          </Stack>
          <IconChevronRight className={`${classes.chevron ?? ''} mirrored`} size={18} stroke={1.6} aria-hidden="true" />
        </RowLink>
      ))}
    </Stack>
  );
  if (part === undefined)
    return (
      <NarrowPage title={t`Settings`} lead={user ? displayName(user) : undefined}>
        {list}
      </NarrowPage>
    );
  return (
    <div className={classes.page}>
      {isWide && (
        <div className={classes.side}>
          {open === undefined ? (
            <PageHeading mt="0.35rem" mb="1rem">
              {t`Settings`}
            </PageHeading>
          ) : (
            <Title component="p" mt="0.35rem" mb="1rem">
              {t`Settings`}
            </Title>
          )}
          {list}
        </div>
      )}
      <div>
        {open !== undefined && (
          <>
            {!isWide && (
              <BackLink to="/app/settings" onClick={() => setReturned(undefined)}>
                {t`Settings`}
              </BackLink>
            )}
            <PageHeading mt="0.35rem" mb="1rem">
              {t(open.title)}
            </PageHeading>
          </>
        )}
        <Stack gap="1.25rem" data-in-order>
          <part.Part email={user?.email ?? ''} isStaff={isStaff} />
        </Stack>
      </div>
    </div>
  );
}

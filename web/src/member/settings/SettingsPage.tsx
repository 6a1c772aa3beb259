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
import { useEffect, useState } from 'react';
import { Navigate, useLocation, useParams } from 'react-router';
import { displayName, useSession } from '../../features/auth/session/session.ts';
import { Skeleton } from '../../ui/feedback/PageStates.tsx';
import { Hint } from '../../ui/layout/text-blocks.tsx';
import { BackLink, PageHeading } from '../../ui/layout/Page.tsx';
import { RowLink } from '../../ui/layout/Rows.tsx';
import { lazyPart } from '../../ui/loading/LazyBoundary.tsx';
import { NarrowPage } from '../layout/NarrowPage.tsx';
import { useLogout } from '../layout/use-logout.ts';
import classes from './SettingsPage.module.css';

const [SettingsPart] = lazyPart(
  async () => (await import('./SettingsParts.tsx')).SettingsPart,
  <Skeleton height="24rem" />,
);

/** The pages of the settings, by the last part of their address. */
const parts = [
  { id: 'account', title: msg`Account`, about: msg`Appearance, language, delete account`, Icon: IconUserCircle },
  { id: 'security', title: msg`Security`, about: msg`Email, password, devices`, Icon: IconLock },
  {
    id: 'privacy',
    title: msg`Privacy`,
    about: msg`Pause, incognito, who can write first`,
    Icon: IconEyeOff,
  },
  {
    id: 'notifications',
    title: msg`Notifications`,
    about: msg`Emails and this device`,
    Icon: IconBell,
  },
  {
    id: 'plan',
    title: msg`Plan`,
    about: msg`Premium, cards, invoices`,
    Icon: IconCrown,
    isForMembers: true,
  },
  { id: 'blocked', title: msg`Blocked`, about: msg`People and words you don't see`, Icon: IconBan },
  { id: 'data', title: msg`Data`, about: msg`Download a copy`, Icon: IconDatabase, isForMembers: true },
  {
    id: 'file',
    title: msg`Your file`,
    about: msg`When we opened your account`,
    Icon: IconFileSearch,
    isForMembers: true,
  },
  { id: 'help', title: msg`Help`, about: msg`Answers and support`, Icon: IconLifebuoy },
] as const;

/** The part that sign-in providers return to, with a token in the address; undefined on other visits. */
const partOfReturn = (address: string) => (address.includes('state=') ? 'security' : undefined);

/** Screens with room for the list next to a page of it. */
const wide = '(min-width: 60rem)';

/** Without a rail, the account's button to sign out is below the list. */
function LogoutButton() {
  return (
    <Button variant="default" fullWidth mt="1.25rem" onClick={useLogout()}>
      {t`Logout`}
    </Button>
  );
}

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
        <LogoutButton />
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
          <SettingsPart key={part.id} id={part.id} email={user?.email ?? ''} isStaff={isStaff} />
        </Stack>
      </div>
    </div>
  );
}

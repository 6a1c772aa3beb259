import { t } from '@lingui/core/macro';
import { Button, Paper, Stack } from '@mantine/core';
import { IconEye } from '@tabler/icons-react';
import { useMediaQuery } from '@mantine/hooks';
import { lazy, type ReactNode, useEffect, useMemo, useState } from 'react';
import type { OwnUser } from '#contract/profiles/user.ts';
import { noteOwnUser } from '../../features/auth/session/session.ts';
import { PicturesSection } from '../../features/media/PicturesSection.tsx';
import { CompletenessMeter } from '../../features/profiles/own/completeness.tsx';
import { useOwnProfile } from '../../features/profiles/own/queries.ts';
import { TypingContext } from '../../features/profiles/own/ProfileForm.tsx';
import { OwnSections } from '../../features/profiles/own/OwnSections.tsx';
import classes from '../../features/profiles/own/profile.module.css';
import { QueryStates, Skeleton } from '../../ui/feedback/PageStates.tsx';
import { LazyBoundary } from '../../ui/loading/LazyBoundary.tsx';
import { preloadable } from '../../ui/loading/preload.ts';
import { NarrowPage } from '../layout/NarrowPage.tsx';
import { MorePlaces } from './MorePlaces.tsx';

/** For members who paused their profile. */
const PausedNotice = lazy(async () => ({
  default: (await import('../../features/discovery/preferences/Pause.tsx')).PausedNotice,
}));
const PreferencesSection = lazy(async () => ({
  default: (await import('../../features/profiles/own/PreferencesSection.tsx')).PreferencesSection,
}));
const VerificationPanel = lazy(async () => ({
  default: (await import('../../features/selfies/VerificationPanel.tsx')).VerificationPanel,
}));
const Questions = lazy(async () => ({
  default: (await import('../../features/compatibility/Questions.tsx')).Questions,
}));

/** Loaded at once if there is room for it next to the forms, otherwise on demand. */
const [ProfilePreview, preloadProfilePreview] = preloadable(
  async () => (await import('../../features/profiles/own/ProfilePreview.tsx')).ProfilePreview,
);

/** Screens with room for the preview next to the forms. */
const roomy = '(min-width: 64rem)';

interface WithPreviewProps {
  user: OwnUser | undefined;
  isBeside: boolean;
  isOpen: boolean;
  onOpen: (isOpen: boolean) => void;
  children: ReactNode;
}

/** The forms with the preview next to them or in a dialog. Typed text is kept here, so that a key press only renders the preview again. */
function WithPreview({ user, isBeside, isOpen, onOpen, children }: WithPreviewProps) {
  const [typed, setTyped] = useState<Readonly<Record<string, object>>>({});
  const typing = useMemo(
    () => ({
      onTyped: (part: string, body: object | null) =>
        setTyped(({ [part]: _, ...others }) => (body === null ? others : { ...others, [part]: body })),
      onPreview: isBeside ? null : () => onOpen(true),
    }),
    [isBeside, onOpen],
  );
  return (
    <div className={classes.pageColumns} data-beside={isBeside || undefined}>
      <TypingContext value={typing}>{children}</TypingContext>
      {user && (isBeside || isOpen) && (
        <LazyBoundary onClose={() => onOpen(false)}>
          <ProfilePreview
            user={user}
            typed={Object.values(typed)}
            {...(!isBeside && { onClose: () => onOpen(false) })}
          />
        </LazyBoundary>
      )}
    </div>
  );
}

function Incomplete({ user }: { user: OwnUser }) {
  if (user.profileComplete || user.isAdmin) return null;
  return (
    <Paper shadow="none" py="1.1rem" px="min(1.25rem, 4.5vw)">
      <Stack align="stretch">
        <CompletenessMeter user={user} />
      </Stack>
    </Paper>
  );
}

/** The member's own profile and preferences, edited in place. */
export function ProfilePage() {
  const { profile, preferences, putUser, putPlace, putPictures, putPreferences } = useOwnProfile();
  const isBeside = useMediaQuery(roomy, undefined, { getInitialValueInEffect: false });
  const [isOpen, setOpen] = useState(false);
  const user = profile.data;
  const isPaused = preferences.data?.isPaused === true;
  const [wasPaused, setWasPaused] = useState(false);
  if (isPaused && !wasPaused) setWasPaused(true);

  useEffect(() => {
    if (user) noteOwnUser(user);
  }, [user]);

  return (
    <NarrowPage
      title={t`Your profile`}
      lead={t`This is what others see. Anything you leave out is not shown.`}
      actions={
        user &&
        !isBeside && (
          <Button
            variant="default"
            leftSection={<IconEye size={18} stroke={1.75} aria-hidden="true" />}
            onPointerEnter={preloadProfilePreview}
            onFocus={preloadProfilePreview}
            onClick={() => setOpen(true)}
          >
            {t`Preview`}
          </Button>
        )
      }
    >
      {user?.isAdmin !== true && <MorePlaces />}
      <WithPreview user={user} isBeside={isBeside} isOpen={isOpen} onOpen={setOpen}>
        <Stack gap="1.25rem" data-in-order>
          <QueryStates
            query={profile}
            isHeld={user?.isAdmin === false && preferences.isPending}
            loadingText={t`Loading your profile...`}
            skeleton="40rem"
            errorText={(error) => t`Couldn't load your profile: ${error}`}
          >
            {(own) => (
              <>
                {wasPaused && (
                  <LazyBoundary fallback={<Skeleton height="4rem" />}>
                    <PausedNotice isPaused={isPaused} />
                  </LazyBoundary>
                )}
                <Incomplete user={own} />
                <PicturesSection
                  pictures={own.pictures}
                  onPictures={putPictures}
                  refetch={() => void profile.refetch()}
                />
                {!own.isAdmin && (
                  <LazyBoundary fallback={<Skeleton height="10rem" />}>
                    <VerificationPanel />
                  </LazyBoundary>
                )}
                <OwnSections user={own} onUser={putUser} onMoved={putPlace} />
                {!own.isAdmin && (
                  <QueryStates
                    query={preferences}
                    loadingText={t`Loading your preferences...`}
                    skeleton="8rem"
                    errorText={(error) => t`Couldn't load your preferences: ${error}`}
                  >
                    {(known) => (
                      <LazyBoundary fallback={<Skeleton height="8rem" />}>
                        <PreferencesSection preferences={known} onPreferences={putPreferences} />
                      </LazyBoundary>
                    )}
                  </QueryStates>
                )}
                {!own.isAdmin && (
                  <LazyBoundary fallback={<Skeleton height="12rem" />}>
                    <Questions />
                  </LazyBoundary>
                )}
              </>
            )}
          </QueryStates>
        </Stack>
      </WithPreview>
    </NarrowPage>
  );
}

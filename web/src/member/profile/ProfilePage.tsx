import { t } from '@lingui/core/macro';
import { Paper, Stack } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useLocation } from 'react-router';
import type { OwnUser } from '#contract/profiles/user.ts';
import { noteOwnUser } from '../../features/auth/session/session.ts';
import { PicturesPart } from '../../features/media/PicturesSection.tsx';
import { CompletenessMeter } from '../../features/profiles/own/completeness.tsx';
import { OwnCard } from '../../features/profiles/own/OwnCard.tsx';
import { draftedPart, type OwnPart } from '../../features/profiles/own/own-parts.ts';
import { useOwnProfile } from '../../features/profiles/own/queries.ts';
import classes from '../../features/profiles/own/profile.module.css';
import { sharedSearch } from '../../../worker/shared-pictures.ts';
import { QueryStates, Skeleton } from '../../ui/feedback/PageStates.tsx';
import { lazyPart } from '../../ui/loading/LazyBoundary.tsx';
import { NarrowPage } from '../layout/NarrowPage.tsx';
import { MorePlaces } from './MorePlaces.tsx';

/** For members who paused their profile. */
const [PausedNotice] = lazyPart(
  async () => (await import('../../features/discovery/preferences/Pause.tsx')).PausedNotice,
  <Skeleton height="4rem" />,
);
const [PreferencesSection] = lazyPart(
  async () => (await import('../../features/profiles/own/PreferencesSection.tsx')).PreferencesSection,
  <Skeleton height="15rem" />,
);
const [VerificationPanel] = lazyPart(
  async () => (await import('../../features/selfies/VerificationPanel.tsx')).VerificationPanel,
  <Skeleton height="13rem" />,
);
const [Questions] = lazyPart(
  async () => (await import('../../features/compatibility/Questions.tsx')).Questions,
  <Skeleton height="14rem" />,
);

/** The forms, fetched after the page. */
const [EditDialog, preloadEditDialog] = lazyPart(
  async () => (await import('../../features/profiles/own/EditDialog.tsx')).EditDialog,
);

function Incomplete({ user }: { user: OwnUser }) {
  if (user.profileComplete || user.isAdmin) return null;
  return (
    <Paper shadow="none" py="1.1rem" px="min(1.25rem, 4.5vw)">
      <CompletenessMeter user={user} />
    </Paper>
  );
}

interface AsideProps extends Pick<ReturnType<typeof useOwnProfile>, 'preferences'> {
  onEdit: (part: OwnPart) => void;
}

/** The private parts: who the member wants to meet, and their answers. */
function Aside({ preferences, onEdit }: AsideProps) {
  return (
    <Stack gap="1.25rem" data-in-order>
      <QueryStates
        query={preferences}
        loadingText={t`Loading your preferences...`}
        skeleton="15rem"
        errorText={(error) => t`Couldn't load your preferences: ${error}`}
      >
        {(known) => <PreferencesSection preferences={known} onEdit={() => onEdit('wishes')} />}
      </QueryStates>{' '}
      <VerificationPanel /> <Questions />
    </Stack>
  );
}

/** The part that is open at first: the pictures if another app shared some, or a part with unsaved text. */
const firstPart = (search: string): OwnPart | null => (search === sharedSearch ? 'pictures' : draftedPart());

/** The member's own profile as others see it, edited in place, and its private parts. */
export function ProfilePage() {
  const { profile, preferences, putUser, putPlace, putPictures, putPreferences } = useOwnProfile();
  const { search } = useLocation();
  const [part, setPart] = useState(() => firstPart(search));
  const [wasEdited, setWasEdited] = useState(false);
  if (part !== null && !wasEdited) setWasEdited(true);
  const [isSaved, setSaved] = useState(false);
  const user = profile.data;
  const isMember = user?.isAdmin !== true;
  const isPaused = preferences.data?.isPaused === true;
  const [wasPaused, setWasPaused] = useState(false);
  if (isPaused && !wasPaused) setWasPaused(true);

  useEffect(preloadEditDialog, []);
  useEffect(() => {
    if (user) noteOwnUser(user);
  }, [user]);

  function edit(next: OwnPart) {
    setSaved(false);
    setPart(next);
  }

  function close(hasSaved: boolean) {
    setSaved(hasSaved);
    setPart(null);
  }

  return (
    <NarrowPage title={t`Your profile`} lead={t`This is what others see. Press anything to change it.`}>
      {isMember && <MorePlaces />}
      <p role="status" className="visually-hidden" data-beside>
        {isSaved && t`Saved.`}
      </p>
      <QueryStates
        query={profile}
        isHeld={user?.isAdmin === false && preferences.isPending}
        loadingText={t`Loading your profile...`}
        skeleton="40rem"
        errorText={(error) => t`Couldn't load your profile: ${error}`}
      >
        {(own) => (
          <Stack gap="1.25rem">
            {wasPaused && <PausedNotice isPaused={isPaused} />}
            <Incomplete user={own} />
            <div className={classes.pageColumns}>
              <OwnCard user={own} onEdit={edit} />
              {isMember && <Aside preferences={preferences} onEdit={edit} />}
            </div>
            {wasEdited && (
              <EditDialog
                part={part}
                user={own}
                preferences={preferences.data}
                pictures={
                  <PicturesPart
                    pictures={own.pictures}
                    onPictures={putPictures}
                    refetch={() => void profile.refetch()}
                  />
                }
                onUser={putUser}
                onMoved={putPlace}
                onPreferences={putPreferences}
                onClose={close}
              />
            )}
          </Stack>
        )}
      </QueryStates>
    </NarrowPage>
  );
}

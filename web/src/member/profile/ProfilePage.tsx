import { Button } from '@mantine/core';
import { IconEye } from '@tabler/icons-react';
import { Suspense, useEffect, useState } from 'react';
import type { OwnUser } from '#contract/profiles/user.ts';
import { noteOwnUser } from '../../features/auth/session/session.ts';
import { PicturesSection } from '../../features/media/PicturesSection.tsx';
import { useOwnProfile } from '../../features/profiles/own/queries.ts';
import { OwnSections } from '../../features/profiles/own/OwnSections.tsx';
import classes from '../../features/profiles/own/profile.module.css';
import { QueryStates, Skeleton } from '../../ui/feedback/PageStates.tsx';
import { lazyPart } from '../../ui/loading/lazy-page.tsx';
import { t } from '../../ui/text/text.ts';
import { NarrowPage } from '../layout/NarrowPage.tsx';

/** For profiles that are not complete yet. */
const completeness = lazyPart(() =>
  import('../../features/profiles/own/completeness.tsx').then((module) => module.CompletenessMeter),
);
const preferencesSection = lazyPart(() =>
  import('../../features/profiles/own/PreferencesSection.tsx').then((module) => module.PreferencesSection),
);
const questions = lazyPart(() =>
  import('../../features/compatibility/Questions.tsx').then((module) => module.Questions),
);

/** Loaded on demand: most visits do not open it. */
const preview = lazyPart(() =>
  import('../../features/profiles/own/ProfilePreview.tsx').then((module) => module.ProfilePreview),
);

function Incomplete({ user }: { user: OwnUser }) {
  if (user.profileComplete || user.isAdmin) return null;
  return (
    <div className={classes.pageMissing}>
      <Suspense>
        <completeness.Part user={user} />
      </Suspense>
    </div>
  );
}

/** The member's own profile: what others see, and who they would like to meet, edited in place. */
export function ProfilePage() {
  const { profile, preferences, putUser, putPlace, putPictures, putPreferences } = useOwnProfile();
  const [isPreviewed, setPreviewed] = useState(false);
  const user = profile.data;

  useEffect(() => {
    if (user) noteOwnUser(user);
  }, [user]);

  return (
    <NarrowPage
      title={t('Your profile')}
      lead={t('This is what others see. Anything you leave out is not shown.')}
      actions={
        user && (
          <Button
            variant="default"
            leftSection={<IconEye size={18} stroke={1.75} aria-hidden="true" />}
            onPointerEnter={preview.preload}
            onFocus={preview.preload}
            onClick={() => setPreviewed(true)}
          >
            {t('How others see me')}
          </Button>
        )
      }
    >
      <div className={classes.pageParts}>
        <QueryStates
          query={profile}
          loadingText={t('Loading your profile...')}
          skeleton="40rem"
          errorText="Couldn't load your profile: {error}"
        >
          {(own) => (
            <>
              <Incomplete user={own} />
              <PicturesSection
                pictures={own.pictures}
                onPictures={putPictures}
                refetch={() => void profile.refetch()}
              />
              <OwnSections user={own} onUser={putUser} onMoved={putPlace} />
              {!own.isAdmin && (
                <QueryStates
                  query={preferences}
                  loadingText={t('Loading your preferences...')}
                  skeleton="8rem"
                  errorText="Couldn't load your preferences: {error}"
                >
                  {(known) => (
                    <Suspense fallback={<Skeleton height="8rem" />}>
                      <preferencesSection.Part preferences={known} onPreferences={putPreferences} />
                    </Suspense>
                  )}
                </QueryStates>
              )}
              {!own.isAdmin && (
                <Suspense fallback={<Skeleton height="12rem" />}>
                  <questions.Part />
                </Suspense>
              )}
            </>
          )}
        </QueryStates>
      </div>
      {isPreviewed && user && (
        <Suspense>
          <preview.Part user={user} onClose={() => setPreviewed(false)} />
        </Suspense>
      )}
    </NarrowPage>
  );
}

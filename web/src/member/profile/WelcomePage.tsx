import type { MessageDescriptor } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import { Paper, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useEffect } from 'react';
import { Link, Navigate, useNavigate, useSearchParams } from 'react-router';
import type { Preferences } from '#contract/discovery.ts';
import { completeProfile } from '#contract/profiles/profiles.ts';
import type { OwnUser } from '#contract/profiles/user.ts';
import { ApiError, errorMessage } from '../../api/api-error.ts';
import { call } from '../../api/call.ts';
import { noteOwnUser } from '../../features/auth/session/session.ts';
import { missingFields } from '../../features/profiles/own/completeness.tsx';
import { useOwnProfile } from '../../features/profiles/own/queries.ts';
import classes from '../../features/profiles/own/profile.module.css';
import {
  firstOpenStep,
  neighbourOf,
  stepOf,
  stepOfField,
  WelcomeForm,
  type WelcomeStep,
  welcomeSteps,
} from '../../features/profiles/own/WelcomeForm.tsx';
import { Notice } from '../../ui/feedback/Notice.tsx';
import { QueryStates } from '../../ui/feedback/PageStates.tsx';
import { NarrowPage } from '../layout/NarrowPage.tsx';
import { PicturesPart } from '../../features/media/PicturesSection.tsx';

const texts: Record<WelcomeStep, Record<'title' | 'lead', MessageDescriptor>> = {
  about: { title: msg`Who are you?`, lead: msg`Your first name, your age and your gender are what others read first.` },
  seeking: {
    title: msg`Who would you like to meet?`,
    lead: msg`Other members never see this. You can change it at any time.`,
  },
  place: { title: msg`Where do you live?`, lead: msg`Others see your city, and roughly how far away you are.` },
  pictures: {
    title: msg`Show yourself`,
    lead: msg`One picture is enough to start with. You can add more at any time.`,
  },
  interests: { title: msg`What do you like?`, lead: msg`A few things you could talk about for an evening. Up to ten.` },
  goal: { title: msg`What are you looking for?`, lead: msg`It helps avoid misunderstandings.` },
  prompts: { title: msg`In your own words`, lead: msg`Answer up to three prompts the way only you would.` },
};

const addressOf = (step: WelcomeStep) => `/app/welcome?step=${step}`;

interface StepsProps {
  user: OwnUser;
  preferences: Preferences;
  own: ReturnType<typeof useOwnProfile>;
}

function Steps({ user, preferences, own }: StepsProps) {
  const navigate = useNavigate();
  const [params] = useSearchParams();
  const finishing = useMutation({
    mutationFn: async () => (await call(completeProfile, { body: {} })).account.user,
    onSuccess: (completed) => {
      own.putUser(completed);
      void navigate('/app/discover', { replace: true });
    },
    onError: (error) => {
      const refused = error instanceof ApiError ? error.errors : [];
      const missing = Object.entries(stepOfField).find(([field]) => refused.some((one) => one.field === field));
      if (missing) void navigate(addressOf(missing[1]));
    },
  });
  const step = stepOf(params.get('step'));

  useEffect(() => {
    window.scrollTo(0, 0);
  }, [step]);

  if (step === null) {
    const open = firstOpenStep(user);
    return <Navigate to={open === null ? '/app/profile' : addressOf(open)} replace />;
  }

  function goToNext(from: WelcomeStep) {
    finishing.reset();
    const next = neighbourOf(from, 1);
    if (next === null) finishing.mutate();
    else void navigate(addressOf(next));
  }

  const before = neighbourOf(step, -1);
  return (
    <NarrowPage
      key={step}
      title={t(texts[step].title)}
      {...(before === null ? {} : { back: { to: addressOf(before), text: t`Back` } })}
      lead={t`Step ${{ number: welcomeSteps.indexOf(step) + 1 }} of ${{ total: welcomeSteps.length }}. ${{ lead: t(texts[step].lead) }}`}
    >
      {/* Hidden from screen readers, because the text above says the same. */}
      <div className={`${classes.welcomeMeter} ${classes.completenessTrack}`} aria-hidden="true">
        {welcomeSteps.map((name, index) => (
          <span
            key={name}
            className={classes.completenessPip}
            data-done={index <= welcomeSteps.indexOf(step) || undefined}
          />
        ))}
      </div>
      {finishing.error && (
        <Notice mb="1rem" kind="warning">
          {errorMessage(finishing.error)}
        </Notice>
      )}
      <Paper py="clamp(1.1rem, 0.7rem + 2vw, 1.8rem)" px="min(clamp(1.1rem, 0.7rem + 2vw, 1.8rem), 5vw)">
        <WelcomeForm
          step={step}
          user={user}
          preferences={preferences}
          onUser={own.putUser}
          onMoved={own.putPlace}
          onPreferences={own.putPreferences}
          pictures={
            <PicturesPart
              pictures={user.pictures}
              onPictures={own.putPictures}
              refetch={() => void own.profile.refetch()}
            />
          }
          onNext={() => goToNext(step)}
        />
      </Paper>
      <Text mt="1.25rem" ta="center">
        <Link to={missingFields(user).length === 0 ? '/app/discover' : '/home'}>{t`Finish later`}</Link>
      </Text>
    </NarrowPage>
  );
}

function Frame({ children }: { children: ReactNode }) {
  return <NarrowPage title={t`Finish your profile`}>{children}</NarrowPage>;
}

/** Completing the profile after joining, step by step; each step is saved separately. */
export function WelcomePage() {
  const own = useOwnProfile();
  const user = own.profile.data;
  const preferences = own.preferences.data;
  const waiting = user === undefined ? own.profile : own.preferences;

  useEffect(() => {
    if (user) noteOwnUser(user);
  }, [user]);

  if (user?.isAdmin) return <Navigate to="/home" replace />;
  if (user && preferences) return <Steps user={user} preferences={preferences} own={own} />;
  return (
    <Frame>
      <QueryStates<unknown>
        query={waiting}
        loadingText={t`Loading your profile...`}
        skeleton="24rem"
        errorText={(error) => t`Couldn't load your profile: ${error}`}
      >
        {() => null}
      </QueryStates>
    </Frame>
  );
}

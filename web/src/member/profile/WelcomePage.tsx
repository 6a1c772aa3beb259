import type { MessageDescriptor } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import { useMutation } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Link, Navigate, useNavigate, useSearchParams } from 'react-router';
import type { Preferences } from '#contract/discovery.ts';
import { completeProfile } from '#contract/profiles/profiles.ts';
import type { OwnUser } from '#contract/profiles/user.ts';
import { ApiError, errorMessage } from '../../api/api-error.ts';
import { call } from '../../api/call.ts';
import { memberHome } from '../../features/auth/session/guards.tsx';
import { noteOwnUser } from '../../features/auth/session/session.ts';
import { missingFields } from '../../features/profiles/own/completeness.tsx';
import { useOwnProfile } from '../../features/profiles/own/queries.ts';
import { WelcomeForm } from '../../features/profiles/own/welcome/WelcomeForm.tsx';
import {
  firstOpenStep,
  neighbourOf,
  numberOf,
  stepOf,
  stepOfField,
  type WelcomeStep,
} from '../../features/profiles/own/welcome/welcome-steps.ts';
import { PictureSlots } from '../../features/media/PicturesSection.tsx';
import { Notice } from '../../ui/feedback/Notice.tsx';
import { QueryStates, Skeleton } from '../../ui/feedback/PageStates.tsx';
import { StepPage } from '../../ui/steps/StepPage.tsx';
import { lazyPart } from '../../ui/loading/LazyBoundary.tsx';

const [FirstQuestions] = lazyPart(
  async () => (await import('../../features/compatibility/FirstQuestions.tsx')).FirstQuestions,
  <Skeleton height="16rem" />,
);

const texts: Record<WelcomeStep, { title: MessageDescriptor; lead?: MessageDescriptor }> = {
  name: { title: msg`What's your first name?` },
  birthday: { title: msg`When were you born?` },
  people: { title: msg`Who would you like to meet?` },
  ages: { title: msg`How old should they be?` },
  place: { title: msg`Where do you live?`, lead: msg`Others see your city and a rough distance.` },
  pictures: { title: msg`Show yourself`, lead: msg`No one under 18, no phone numbers or addresses.` },
  prompts: { title: msg`In your own words` },
  questions: { title: msg`Three questions`, lead: msg`Others never see your answers.` },
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
      void navigate(memberHome, { replace: true });
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
    const open = firstOpenStep(user, preferences);
    return <Navigate to={open === null ? memberHome : addressOf(open)} replace />;
  }

  function goOn(from: WelcomeStep) {
    finishing.reset();
    const next = neighbourOf(from, 1, user);
    if (next === null) finishing.mutate();
    else void navigate(addressOf(next));
  }

  const before = neighbourOf(step, -1, user);
  const { title, lead } = texts[step];
  const isComplete = missingFields(user).length === 0;
  const onNext = () => goOn(step);
  return (
    <StepPage
      key={step}
      title={t(title)}
      number={numberOf[step]}
      back={before && addressOf(before)}
      lead={lead && t(lead)}
      aside={<Link to={isComplete ? memberHome : '/home'}>{t`Later`}</Link>}
    >
      {finishing.error && <Notice kind="warning">{errorMessage(finishing.error)}</Notice>}
      <WelcomeForm
        step={step}
        user={user}
        preferences={preferences}
        onUser={own.putUser}
        onMoved={own.putPlace}
        onPreferences={own.putPreferences}
        pictures={
          <PictureSlots
            pictures={user.pictures}
            onPictures={own.putPictures}
            refetch={() => void own.profile.refetch()}
          />
        }
        questions={<FirstQuestions isFinishing={finishing.isPending} onDone={onNext} />}
        onNext={onNext}
      />
    </StepPage>
  );
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
    <StepPage title={t`Finish your profile`}>
      <QueryStates<unknown>
        query={waiting}
        loadingText={t`Loading your profile...`}
        skeleton="24rem"
        errorText={(error) => t`Couldn't load your profile: ${error}`}
      >
        {() => null}
      </QueryStates>
    </StepPage>
  );
}

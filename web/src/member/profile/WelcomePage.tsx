import { type ReactNode, useEffect } from 'react';
import { Link, Navigate, useNavigate, useSearchParams } from 'react-router';
import type { Preferences } from '#contract/discovery/discovery.ts';
import { completeProfile } from '#contract/profiles/profiles.ts';
import type { OwnUser } from '#contract/profiles/user.ts';
import { call } from '../../api/call.ts';
import { useCommand } from '../../api/use-command.ts';
import { noteOwnUser } from '../../features/auth/session/current-user.ts';
import { CompletenessMeter } from '../../features/profiles/own/completeness.tsx';
import { useOwnProfile } from '../../features/profiles/own/use-own-profile.ts';
import {
  firstOpenStep,
  neighbourOf,
  stepOf,
  stepOfField,
  type WelcomeStep,
  welcomeSteps,
} from '../../features/profiles/own/welcome/steps.ts';
import { WelcomeForm } from '../../features/profiles/own/welcome/WelcomeForm.tsx';
import { PicturesPart } from '../../features/media/PicturesSection.tsx';
import { Notice } from '../../ui/feedback/Notice.tsx';
import { Bone, QueryStates } from '../../ui/feedback/PageStates.tsx';
import { useText } from '../../ui/text/text.ts';
import { NarrowPage } from '../layout/NarrowPage.tsx';
import classes from '../../features/profiles/own/profile.module.css';

const texts: Record<WelcomeStep, { title: string; lead: string }> = {
  about: { title: 'Who are you?', lead: 'Your first name, your age and your gender are what others read first.' },
  seeking: {
    title: 'Whom would you like to meet?',
    lead: 'Other members never read this. You can change it at any time.',
  },
  place: { title: 'Where do you live?', lead: 'Others see your city, and roughly how far away you are.' },
  pictures: {
    title: 'Show yourself',
    lead: 'One picture is enough to begin with. You can add others at any time.',
  },
  interests: { title: 'What do you like?', lead: 'A few things you could talk about for an evening. Up to ten.' },
  goal: { title: 'What are you here for?', lead: 'It saves you both a misunderstanding.' },
  prompts: { title: 'In your own words', lead: 'Begin a sentence, and end it as only you would. Up to three.' },
};

const addressOf = (step: WelcomeStep) => `/app/welcome?step=${step}`;

interface StepsProps {
  user: OwnUser;
  preferences: Preferences;
  own: ReturnType<typeof useOwnProfile>;
}

function Steps({ user, preferences, own }: StepsProps) {
  const t = useText();
  const navigate = useNavigate();
  const [params] = useSearchParams();
  const finishing = useCommand();
  const step = stepOf(params.get('step'));

  useEffect(() => {
    window.scrollTo(0, 0);
  }, [step]);

  if (step === null) {
    const open = firstOpenStep(user);
    return <Navigate to={open === null ? '/app/profile' : addressOf(open)} replace />;
  }

  async function finish() {
    const isDone = await finishing.run(
      async () => own.putUser((await call(completeProfile, { body: {} })).account.user),
      ({ errors }) => {
        const missing = Object.entries(stepOfField).find(([field]) => errors.some((error) => error.field === field));
        if (missing) void navigate(addressOf(missing[1]));
      },
    );
    if (isDone) void navigate('/app/profile', { replace: true });
  }

  function goOn(from: WelcomeStep) {
    finishing.reset();
    const next = neighbourOf(from, 1);
    if (next === null) void finish();
    else void navigate(addressOf(next));
  }

  const before = neighbourOf(step, -1);
  return (
    <NarrowPage
      key={step}
      title={t(texts[step].title)}
      {...(before === null ? {} : { back: { to: addressOf(before), text: t('One step back') } })}
      lead={t('Step {number} of {total}. {lead}', {
        number: welcomeSteps.indexOf(step) + 1,
        total: welcomeSteps.length,
        lead: t(texts[step].lead),
      })}
    >
      <div className={classes.welcomeMeter}>
        <CompletenessMeter user={user} />
      </div>
      {finishing.error !== null && (
        <div className={classes.welcomeNotice}>
          <Notice kind="warning">{t(finishing.error)}</Notice>
        </div>
      )}
      <div className={classes.welcomeCard}>
        <WelcomeForm
          step={step}
          user={user}
          preferences={preferences}
          onUser={own.putUser}
          onMoved={own.putPlace}
          onPreferences={own.putWishes}
          pictures={
            <PicturesPart pictures={user.pictures} onPictures={own.putPictures} lookAgain={own.profile.refetch} />
          }
          onNext={() => goOn(step)}
        />
      </div>
      <p className={classes.welcomeLater}>
        <Link to="/home">{t('Finish later')}</Link>
      </p>
    </NarrowPage>
  );
}

function Frame({ children }: { children: ReactNode }) {
  const t = useText();
  return <NarrowPage title={t('Finish your profile')}>{children}</NarrowPage>;
}

/** After joining: what a profile needs and a little more, step by step, each saved by itself. */
export function WelcomePage() {
  const t = useText();
  const own = useOwnProfile();
  const user = own.profile.data;
  const preferences = own.wishes.data;
  const waiting = user === undefined ? own.profile : own.wishes;

  useEffect(() => {
    if (user) noteOwnUser(user);
  }, [user]);

  if (user?.isAdmin) return <Navigate to="/home" replace />;
  if (user && preferences) return <Steps user={user} preferences={preferences} own={own} />;
  return (
    <Frame>
      <QueryStates<unknown>
        query={waiting}
        loadingText={t('Loading your profile...')}
        skeleton={<Bone height="24rem" />}
        errorText={(error) => t('Your profile could not be loaded: {error}', { error })}
      >
        {() => null}
      </QueryStates>
    </Frame>
  );
}

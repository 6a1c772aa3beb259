import { t } from '@lingui/core/macro';
import { Link, Navigate, useSearchParams } from 'react-router';
import { memberPasswordMinLength } from '#contract/constants.ts';
import { useServiceConfig } from '../../api/service-config.ts';
import { useSession } from '../../features/auth/session/session.ts';
import { IdentityButtons } from '../../features/auth/sign-in/IdentityButtons.tsx';
import { PasswordField } from '../../ui/form/PasswordForm.tsx';
import { lazyPart } from '../../ui/loading/LazyBoundary.tsx';
import { BirthDateFields } from '../../ui/steps/BirthDateFields.tsx';
import { isOldEnough } from '../../ui/steps/birth-date.ts';
import { StepField } from '../../ui/steps/StepField.tsx';
import { StepForm } from '../../ui/steps/StepForm.tsx';
import { StepPage, stepTitleId, useFirstField } from '../../ui/steps/StepPage.tsx';
import { ConsentLine } from './ConsentLine.tsx';
import { firstOpen, joinAddress, type JoinStep, joinSteps, joinTitles, useJoining } from './use-joining.ts';

const [JoinClosed] = lazyPart(async () => (await import('./JoinClosed.tsx')).JoinClosed);

type Fields = ReturnType<typeof useJoining>['fields'];

function PasswordStep({ fields }: { fields: Fields }) {
  const field = useFirstField();
  return (
    <>
      {/* For password managers, which save it together with the password. */}
      <input type="email" autoComplete="username" readOnly hidden value={fields.values.email} />
      <PasswordField
        {...fields.bind('password')}
        ref={field}
        required
        size="xl"
        aria-labelledby={stepTitleId}
        descriptionProps={{ fz: 'note', mt: '0.35rem' }}
        description={t`At least ${{ count: memberPasswordMinLength }} characters.`}
        inputWrapperOrder={['input', 'error', 'description']}
        autoComplete="new-password"
      />
      <ConsentLine />
    </>
  );
}

function StepFields({ step, fields }: { step: JoinStep; fields: Fields }) {
  switch (step) {
    case 'email':
      return <StepField {...fields.bind('email')} type="email" autoComplete="email" enterKeyHint="next" />;
    case 'name':
      return <StepField {...fields.bind('firstName')} autoComplete="given-name" enterKeyHint="next" />;
    case 'birthday':
      return <BirthDateFields fields={fields} />;
    case 'password':
      return <PasswordStep fields={fields} />;
  }
}

function SignInLine() {
  return (
    <p>
      {t`Already a member?`} <Link to="/app/sign-in">{t`Sign in`}</Link>
    </p>
  );
}

/** The questions that an account starts with, one on each screen; or the owner's reason while no one can join. */
export function JoinPage() {
  const [params] = useSearchParams();
  const step = joinSteps.find((one) => one === params.get('step')) ?? 'email';
  const { fields, submit, isInvited } = useJoining(step);
  const { mode = 'open', sentence = {} } = useServiceConfig()?.registration ?? {};
  const status = useSession((session) => session.status);
  const error = useSession((session) => session.error);
  const open = firstOpen(fields.values);
  const at = joinSteps.indexOf(step);
  const before = joinSteps[at - 1];
  if (mode === 'closed' || (mode === 'invitation' && !isInvited))
    return <JoinClosed sentence={sentence} isByInvitation={mode === 'invitation'} />;
  if (joinSteps.indexOf(open) < at) return <Navigate to={joinAddress(open)} replace />;

  const isLast = step === 'password';
  const isAgeAsked = step === 'birthday' && isOldEnough(fields.values);
  return (
    <StepPage key={step} title={joinTitles[step]()} number={at + 1} back={before ? joinAddress(before) : null}>
      <StepForm
        ref={fields.form}
        isBusy={status === 'loading'}
        problem={error}
        {...(isLast && { submitText: t`Agree and join`, busyText: t`Joining...` })}
        {...(isAgeAsked && { submitText: t`Yes` })}
        onSubmit={(event) => void submit(event)}
      >
        <StepFields step={step} fields={fields} />
      </StepForm>
      {mode === 'open' && (step === 'email' || isLast) && (
        <IdentityButtons
          purpose="signIn"
          text={(provider) => (isLast ? provider : t`Continue with ${provider}`)}
          or="above"
        />
      )}
      {step === 'email' && <SignInLine />}
    </StepPage>
  );
}

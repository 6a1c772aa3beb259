import { t } from '@lingui/core/macro';
import { NativeSelect, TextInput } from '@mantine/core';
import { type FormEvent, useEffect } from 'react';
import { Link, useNavigate } from 'react-router';
import { memberPasswordMinLength } from '#contract/constants.ts';
import { ApiError, errorTexts } from '../../api/api-error.ts';
import { failCommand, join } from '../../features/auth/session/session-commands.ts';
import { resetStatus, useSession } from '../../features/auth/session/session.ts';
import { IdentityButtons } from '../../features/auth/sign-in/IdentityButtons.tsx';
import { Notice } from '../../ui/feedback/Notice.tsx';
import { PasswordField } from '../../ui/form/PasswordForm.tsx';
import { SubmitButton } from '../../ui/form/BusyButton.tsx';
import { useFields } from '../../ui/form/use-form.ts';
import { AuthCard, AuthFields } from './AuthCard.tsx';
import { TermsField } from './TermsField.tsx';

/** The request schemas, loaded when someone fills in the form, because building them is a long task on a phone. */
const loadBody = () => import('../../features/auth/sign-in/join-body.ts');

const blank = { firstName: '', lastName: '', email: '', birthDate: '', gender: '', password: '', acceptTerms: false };

/** The form's fields and its submission. */
function useJoining() {
  const navigate = useNavigate();
  const status = useSession((session) => session.status);
  const error = useSession((session) => session.error);
  const fields = useFields(blank, resetStatus);

  useEffect(resetStatus, []);

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (status === 'loading') return;
    const { gender, ...given } = fields.values;
    const body = { ...given, gender: gender === '' ? null : gender };
    try {
      const { joinBody } = await loadBody();
      const registration = fields.check(joinBody, body, ['firstName', 'email', 'birthDate', 'password']);
      // A second press while the first was waiting for the module to load.
      if (!registration || useSession.getState().status === 'loading') return;
      await join(registration);
      void navigate('/app/verify-email', { replace: true });
    } catch (failure) {
      if (failure instanceof ApiError) fields.showErrors(failure.errors);
      else failCommand(errorTexts.signInUnreachable());
    }
  }

  return { fields, error, isBusy: status === 'loading', submit };
}

/** The page to join: everything that a member's account starts with. */
export function JoinPage() {
  const { fields, error, isBusy, submit } = useJoining();
  return (
    <AuthCard
      title={t`Join {brand}`}
      lead={t`It takes two minutes. You decide later what others see of you.`}
      foot={
        <p>
          {t`Already a member?`} <Link to="/app/sign-in">{t`Sign in`}</Link>
        </p>
      }
    >
      <IdentityButtons purpose="signIn" text={(provider) => t`Continue with ${provider}`} or="below" />
      <form
        ref={fields.form}
        noValidate
        onFocus={() => void loadBody().catch(() => undefined)}
        onSubmit={(event) => void submit(event)}
      >
        <AuthFields>
          {error !== null && <Notice kind="error">{error}</Notice>}
          <TextInput {...fields.bind('firstName')} size="md" required label={t`First name`} autoComplete="given-name" />
          <TextInput
            {...fields.bind('lastName')}
            size="md"
            label={t`Last name`}
            description={t`Never shown to other members`}
            autoComplete="family-name"
          />
          <TextInput {...fields.bind('email')} type="email" size="md" required label={t`Email`} autoComplete="email" />
          <TextInput
            {...fields.bind('birthDate')}
            type="date"
            size="md"
            required
            label={t`Birth date`}
            description={t`Others only see your age. You can't change your birth date later.`}
            autoComplete="bday"
          />
          <NativeSelect
            {...fields.bind('gender')}
            size="md"
            label={t`Gender`}
            autoComplete="sex"
            data={[
              { value: '', label: t`Prefer not to say` },
              { value: 'woman', label: t`Woman` },
              { value: 'man', label: t`Man` },
              { value: 'non-binary', label: t`Non-binary` },
            ]}
          />
          <PasswordField
            {...fields.bind('password')}
            required
            label={t`Password`}
            description={t`At least ${{ count: memberPasswordMinLength }} characters. Common passwords, your name and your email address are not accepted. A few random words are easy to remember.`}
            autoComplete="new-password"
          />
          <TermsField {...fields.bindCheckbox('acceptTerms')} />
          <SubmitButton text={t`Join`} busyText={t`Joining...`} isBusy={isBusy} />
        </AuthFields>
      </form>
    </AuthCard>
  );
}

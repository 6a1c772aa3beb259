import { type FormEvent, useEffect } from 'react';
import { linkByPassword } from '#contract/auth/identities.ts';
import { linkShown, type ShownOutcome } from '../../features/auth/sign-in/identity-commands.ts';
import { resetStatus, useSession } from '../../features/auth/session/session.ts';
import { Link } from '../../ui/layout/Link.tsx';
import { Notice } from '../../ui/feedback/Notice.tsx';
import { PasswordField } from '../../ui/form/PasswordField.tsx';
import { SubmitButton } from '../../ui/form/SubmitButton.tsx';
import { useText } from '../../ui/text/text.ts';
import { useFields } from '../../ui/form/use-fields.ts';
import { DoorCard, DoorFields } from './DoorCard.tsx';

interface LinkStepProps {
  /** By its name. */
  provider: string;
  linkToken: string;
  onOutcome: (outcome: ShownOutcome) => void;
  onGiveUp: () => void;
}

/** The address has an account: asks for its password once, which links the two. */
export function LinkStep({ provider, linkToken, onOutcome, onGiveUp }: LinkStepProps) {
  const t = useText();
  const status = useSession((session) => session.status);
  const error = useSession((session) => session.error);
  const fields = useFields({ password: '' }, resetStatus);
  const isAtField = fields.errors['password'] !== undefined;

  useEffect(resetStatus, []);

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (status === 'loading') return;
    const body = fields.check(linkByPassword.body, { ...fields.values, linkToken }, ['password']);
    if (!body) return;
    const outcome = await linkShown(body);
    if (!('refused' in outcome)) onOutcome(outcome);
    else if (outcome.refused.code === 'WRONG_PASSWORD')
      fields.showErrors([{ field: 'password', msg: outcome.refused.text }]);
    else if (outcome.refused.code !== 'TOO_MANY_REQUESTS') onOutcome(outcome);
  }

  return (
    <DoorCard
      title={t('Is this you?')}
      lead={t(
        'There is an account with this address already. Enter its password once, and {provider} signs you in to it from then on.',
        { provider },
      )}
      foot={
        <>
          <p>
            {t(
              'Without a password, or with a second step, sign in as you usually do and link {provider} in your settings.',
              { provider },
            )}
          </p>
          <p>
            <Link to="/app/forgot-password">{t('Forgot your password?')}</Link>
          </p>
          <p>
            <Link to="/app/sign-in" onClick={onGiveUp}>
              {t('Sign in another way')}
            </Link>
          </p>
        </>
      }
    >
      <form ref={fields.form} noValidate onSubmit={(event) => void submit(event)}>
        <DoorFields>
          {error !== null && !isAtField && <Notice kind="error">{t(error)}</Notice>}
          <PasswordField {...fields.bind('password')} required label={t('Password')} autoComplete="current-password" />
          <SubmitButton
            text={t('Sign in and link {provider}', { provider })}
            busyText={t('Signing in...')}
            isBusy={status === 'loading'}
          />
        </DoorFields>
      </form>
    </DoorCard>
  );
}

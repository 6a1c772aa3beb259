import { TextInput } from '@mantine/core';
import { type FormEvent, useEffect } from 'react';
import { joinWithIdentity } from '#contract/auth/identities.ts';
import { joinShown, type Joining, type ShownOutcome } from '../../features/auth/sign-in/identity-commands.ts';
import { resetStatus, useSession } from '../../features/auth/session/session.ts';
import { Link } from '../../ui/layout/Link.tsx';
import { Notice } from '../../ui/feedback/Notice.tsx';
import { SubmitButton } from '../../ui/form/SubmitButton.tsx';
import { useText } from '../../ui/text/text.ts';
import { useFields } from '../../ui/form/use-fields.ts';
import { DoorCard, DoorFields } from './DoorCard.tsx';
import { TermsField } from './TermsField.tsx';

interface JoinStepProps {
  /** By its name. */
  provider: string;
  joining: Joining;
  onOutcome: (outcome: ShownOutcome) => void;
  onGiveUp: () => void;
}

/** Who signs in for the first time joins: with their consent, and an address if the provider knows none. */
export function JoinStep({ provider, joining, onOutcome, onGiveUp }: JoinStepProps) {
  const t = useText();
  const status = useSession((session) => session.status);
  const error = useSession((session) => session.error);
  const { token: joinToken, firstName, email, isEmailProven } = joining;
  const fields = useFields({ email: email ?? '', acceptTerms: false }, resetStatus);

  const lead = isEmailProven
    ? t('You are new here. You join with {email}, as {provider} knows you.', { email: email ?? '', provider })
    : email === null
      ? t('You are new here. One thing {provider} could not tell us: where we reach you.', { provider })
      : t('You are new here. {provider} told us this address; enter another one if you like.', { provider });

  useEffect(resetStatus, []);

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (status === 'loading') return;
    const { acceptTerms, email: address } = fields.values;
    const given = isEmailProven ? { acceptTerms, joinToken } : { acceptTerms, joinToken, email: address };
    const body = fields.check(joinWithIdentity.body, given, isEmailProven ? [] : ['email']);
    if (!body) return;
    const outcome = await joinShown(body);
    if (!('refused' in outcome) || outcome.refused.code === 'INVALID_CODE') onOutcome(outcome);
  }

  return (
    <DoorCard
      title={firstName === null ? t('Welcome') : t('Welcome, {name}', { name: firstName })}
      lead={lead}
      foot={
        <p>
          {t('Already a member?')}{' '}
          <Link to="/app/sign-in" onClick={onGiveUp}>
            {t('Sign in another way')}
          </Link>
        </p>
      }
    >
      <form ref={fields.form} noValidate onSubmit={(event) => void submit(event)}>
        <DoorFields>
          {error !== null && <Notice kind="error">{t(error)}</Notice>}
          {!isEmailProven && (
            <TextInput
              {...fields.bind('email')}
              type="email"
              size="md"
              required
              label={t('Email')}
              description={t('We mail a code there, to know that it is yours.')}
              autoComplete="email"
            />
          )}
          <TermsField {...fields.bindCheckbox('acceptTerms')} />
          <SubmitButton text={t('Join')} busyText={t('Joining...')} isBusy={status === 'loading'} />
        </DoorFields>
      </form>
    </DoorCard>
  );
}

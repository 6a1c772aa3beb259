import { t } from '@lingui/core/macro';
import { type FormEvent, useEffect, useEffectEvent, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import type { FieldError } from '#contract/errors.ts';
import { ApiError, errorTexts } from '../../api/api-error.ts';
import { failCommand, join } from '../../features/auth/session/session-commands.ts';
import { resetStatus, useSession } from '../../features/auth/session/session.ts';
import { type Edits, useKeptDraft } from '../../ui/form/drafts.ts';
import { birthDateErrors, birthDateOf, isOldEnough, typedAge } from '../../ui/steps/birth-date.ts';
import { answeredBefore, joinDraft } from '../../ui/steps/join-draft.ts';
import { useFields } from '../../ui/form/use-form.ts';

/** The questions before the account exists, in order. */
export const joinSteps = ['email', 'name', 'birthday', 'password'] as const;
export type JoinStep = (typeof joinSteps)[number];

const blank = { email: '', firstName: '', day: '', month: '', year: '', password: '', invitation: '' };
type JoinForm = typeof blank;

const fieldsOf: Record<JoinStep, (keyof JoinForm)[]> = {
  email: ['email'],
  name: ['firstName'],
  birthday: ['day', 'month', 'year'],
  password: ['password'],
};

function keptOf({ password: _, day, month, year, ...others }: Edits, values: JoinForm): Edits {
  return typedAge(values) !== null && !isOldEnough(values)
    ? others
    : { ...others, ...(day && { day }), ...(month && { month }), ...(year && { year }) };
}

/** The request schemas, loaded apart from the page, because building them is a long task on a phone. */
const loadParts = async () => (await import('../../features/auth/sign-in/join-parts.ts')).joinParts;
type Parts = Awaited<ReturnType<typeof loadParts>>;

/** The address of a step. */
export const joinAddress = (step: JoinStep) => (step === 'email' ? '/app/join' : `/app/join?step=${step}`);

/** The first step whose answer is missing. */
export const firstOpen = (values: JoinForm): JoinStep =>
  joinSteps.find((step) => fieldsOf[step].some((field) => values[field] === '')) ?? 'password';

/** The answers of all steps, and the action of a step's button. Nothing leaves the device before the last step. */
export function useJoining(step: JoinStep) {
  const navigate = useNavigate();
  const [parts, setParts] = useState<Parts | null>(null);
  const fields = useFields<JoinForm>(blank, resetStatus, answeredBefore());
  const { values, edits, set } = fields;
  const { hash } = useLocation();
  const invitation = new URLSearchParams(hash.slice(1)).get('invitation') ?? values.invitation;
  useKeptDraft(joinDraft, keptOf(edits, values));

  // The link's token is kept with the answers, because the other steps have addresses of their own.
  const keepInvitation = useEffectEvent(() => {
    if (invitation !== values.invitation) set('invitation', invitation);
  });
  useEffect(() => keepInvitation(), [invitation]);

  useEffect(() => {
    resetStatus();
    void loadParts().then(setParts, () => undefined);
  }, []);

  /** Runs at once, so that the next field takes the focus within the press and a phone's keyboard stays open. */
  const goTo = (next: JoinStep) => void navigate(joinAddress(next), { flushSync: true });

  function isRight({ email, name, password }: Parts): boolean {
    if (step === 'birthday') return !fields.showErrors(birthDateErrors(values));
    const schema = { email, name, password }[step];
    return fields.check(schema, values, fieldsOf[step]) !== null;
  }

  /** Shows a refusal at the step that can answer it, whose wrong field takes the focus; returns false if there is none. */
  function showAtStep({ code, errors, message }: ApiError): boolean {
    const placed: readonly FieldError[] = code === 'EMAIL_TAKEN' ? [{ field: 'email', msg: message }] : errors;
    const named = placed.map(({ field, msg }) => ({ field: field === 'birthDate' ? 'year' : field, msg }));
    const asks = joinSteps.find((one) => named.some(({ field }) => fieldsOf[one].some((own) => own === field)));
    if (!fields.showErrors(named) || asks === undefined) return false;
    if (asks !== step) goTo(asks);
    return true;
  }

  async function register({ whole }: Parts) {
    const { email, firstName, password } = values;
    const given = { email, firstName, password, birthDate: birthDateOf(values), acceptTerms: true };
    const invited = invitation === '' ? {} : { invitation };
    const registration = fields.check(whole, { ...given, ...invited });
    if (registration === null) return;
    try {
      await join(registration);
      void navigate('/app/verify-email', { replace: true });
    } catch (failure) {
      if (failure instanceof ApiError && showAtStep(failure)) resetStatus();
    }
  }

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (useSession.getState().status === 'loading') return;
    try {
      const known = parts ?? (await loadParts());
      if (!isRight(known)) return;
      const next = joinSteps[joinSteps.indexOf(step) + 1];
      if (next !== undefined) goTo(next);
      // A second press while the first was waiting for the module to load.
      else if (useSession.getState().status !== 'loading') await register(known);
    } catch {
      failCommand(errorTexts.signInUnreachable());
    }
  }

  return { fields, submit, isInvited: invitation !== '' };
}

/** The question of each step. */
export const joinTitles: Record<JoinStep, () => string> = {
  email: () => t`What's your email?`,
  name: () => t`What's your first name?`,
  birthday: () => t`When were you born?`,
  password: () => t`Choose a password`,
};

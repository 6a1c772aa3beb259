import type { FieldError } from '#contract/errors.ts';
import { editProfile } from '#contract/profiles/profiles.ts';
import type { OwnUser } from '#contract/profiles/user.ts';
import { call } from '../../../../api/call.ts';
import { useForm } from '../../../../ui/form/use-form.ts';
import { profileDraft } from '../own-parts.ts';

/** The props of every step of completing the profile. */
export interface WelcomeStepProps {
  user: OwnUser;
  /** Called with the user from the server's answer to a change. */
  onUser: (user: OwnUser) => void;
  /** Called when the step has been saved or skipped. */
  onNext: () => void;
}

interface UserStep<T extends Record<string, string>> {
  /** The name of the draft. */
  name: string;
  initial: T;
  toBody: (values: T) => object;
  check?: (values: T) => FieldError[];
  fieldOf?: (field: string, values: T) => string;
}

/** A step that is saved with the user. */
export function useUserStep<T extends Record<string, string>>(
  { onUser, onNext }: WelcomeStepProps,
  { name, ...rules }: UserStep<T>,
) {
  return useForm<T, typeof editProfile.body>({
    ...rules,
    draft: profileDraft(name),
    schema: editProfile.body,
    send: async (body) => onUser((await call(editProfile, { body })).update.user),
    onSent: onNext,
  });
}

/** The props of `StepForm` for a form. */
export const formProps = ({
  form,
  isPending,
  problem,
  submit,
}: Pick<ReturnType<typeof useForm>, 'form' | 'isPending' | 'problem' | 'submit'>) => ({
  ref: form,
  isBusy: isPending,
  problem,
  onSubmit: submit,
});

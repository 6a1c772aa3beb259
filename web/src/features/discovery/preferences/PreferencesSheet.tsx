import { Button } from '@mantine/core';
import { type FormEvent, useId, useState } from 'react';
import { Link } from 'react-router';
import { getPreferences, type Preferences, putPreferences } from '#contract/discovery/discovery.ts';
import type { FieldError } from '#contract/errors.ts';
import { call } from '../../../api/call.ts';
import { useCommand } from '../../../api/use-command.ts';
import { useRead } from '../../../api/use-read.ts';
import { BusyButton } from '../../../ui/form/BusyButton.tsx';
import { Dialog } from '../../../ui/feedback/Dialog.tsx';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { Bone, QueryStates } from '../../../ui/feedback/PageStates.tsx';
import { useText } from '../../../ui/text/text.ts';
import { useFields } from '../../../ui/form/use-fields.ts';
import { WishFields } from '../../../ui/form/WishFields.tsx';
import { FurtherWishes } from './FurtherWishes.tsx';
import { LookChoices } from './LookChoices.tsx';
import {
  changedBody,
  formOfPreferences,
  preferenceErrors,
  preferenceField,
  type PreferenceForm,
} from './preference-form.ts';
import classes from './PreferencesForm.module.css';

interface PreferencesSheetProps {
  isPremium: boolean;
  /** Something was changed. */
  onSaved: () => void;
  onClose: () => void;
}

interface FormProps extends PreferencesSheetProps {
  id: string;
  saved: Preferences;
  command: ReturnType<typeof useCommand>;
}

const contractErrors = (body: unknown): FieldError[] =>
  (putPreferences.body.safeParse(body).error?.issues ?? []).map(({ path, message }) => ({
    field: path.join('.'),
    msg: message,
  }));

function Form({ id, saved, command, isPremium, onSaved, onClose }: FormProps) {
  const t = useText();
  const before = formOfPreferences(saved);
  const [problem, setProblem] = useState<FieldError | null>(null);
  const fields = useFields<PreferenceForm>(before, () => {
    command.reset();
    setProblem(null);
  });

  function show(errors: readonly FieldError[]): boolean {
    const own = errors.map(({ field, msg }) => ({ field: preferenceField(field), msg }));
    if (!fields.showErrors(own)) setProblem(own[0] ?? null);
    return own.length > 0;
  }

  async function submit(event: FormEvent) {
    event.preventDefault();
    const body = changedBody(before, fields.values);
    if (command.isPending || show([...preferenceErrors(fields.values), ...contractErrors(body)])) return;
    if (Object.keys(body).length === 0) return onClose();
    const isSaved = await command.run(
      () => call(putPreferences, { body }),
      ({ code, errors }) => {
        if (code !== 'PREMIUM_REQUIRED') show(errors);
      },
    );
    if (isSaved) onSaved();
  }

  return (
    <form ref={fields.form} id={id} noValidate className={classes.form} onSubmit={(event) => void submit(event)}>
      <WishFields fields={fields} />
      <FurtherWishes fields={fields} isPremium={isPremium} />
      <LookChoices fields={fields} isPremium={isPremium} />
      {problem !== null && <Notice kind="error">{t(problem.msg)}</Notice>}
      {command.error !== null && (
        <Notice
          kind="error"
          action={
            command.code === 'PREMIUM_REQUIRED' && (
              <Button component={Link} to="/app/premium" variant="default" size="xs">
                {t('What premium adds')}
              </Button>
            )
          }
        >
          {t('Your wishes are not saved: {error}', { error: t(command.error) })}
        </Notice>
      )}
    </form>
  );
}

/** Everything that decides whom the member sees, over the deck; saved as a whole. */
export function PreferencesSheet(props: PreferencesSheetProps) {
  const t = useText();
  const id = useId();
  const command = useCommand();
  const query = useRead('preferences', async (signal) => (await call(getPreferences, { signal })).data.preferences);
  return (
    <Dialog
      title={t('Whom you want to see')}
      onClose={props.onClose}
      actions={
        <>
          <Button variant="default" onClick={props.onClose}>
            {t('Cancel')}
          </Button>
          {query.data && (
            <BusyButton type="submit" form={id} isBusy={command.isPending} busyText={t('Saving...')}>
              {t('Save')}
            </BusyButton>
          )}
        </>
      }
    >
      <QueryStates
        query={query}
        loadingText={t('Loading your wishes...')}
        skeleton={<Bone height="40rem" />}
        errorText={(error) => t('Your wishes could not be loaded: {error}', { error })}
      >
        {(saved) => <Form {...props} id={id} saved={saved} command={command} />}
      </QueryStates>
    </Dialog>
  );
}

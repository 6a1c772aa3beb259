import { Button } from '@mantine/core';
import { type FormEvent, useId, useState } from 'react';
import { Link } from 'react-router';
import { type Preferences, putPreferences } from '#contract/discovery/discovery.ts';
import type { FieldError } from '#contract/errors.ts';
import { ApiError, errorMessage } from '../../../api/api-error.ts';
import { BusyButton } from '../../../ui/form/BusyButton.tsx';
import { Dialog } from '../../../ui/feedback/Dialog.tsx';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { QueryStates } from '../../../ui/feedback/PageStates.tsx';
import { t } from '../../../ui/text/text.ts';
import { useFields } from '../../../ui/form/use-fields.ts';
import { WishFields } from '../../../ui/form/WishFields.tsx';
import { usePreferences, useSavePreferences } from '../queries.ts';
import { BrowsingFields, FurtherPreferences } from './PreferenceFields.tsx';
import {
  changedBody,
  formOfPreferences,
  preferenceErrors,
  preferenceField,
  type PreferenceForm,
} from './preference-form.ts';
import classes from '../discovery.module.css';

interface PreferencesSheetProps {
  isPremium: boolean;
  /** The preferences were changed. */
  onSaved: () => void;
  onClose: () => void;
}

interface FormProps extends PreferencesSheetProps {
  id: string;
  saved: Preferences;
  save: ReturnType<typeof useSavePreferences>;
}

const contractErrors = (body: unknown): FieldError[] =>
  (putPreferences.body.safeParse(body).error?.issues ?? []).map(({ path, message }) => ({
    field: path.join('.'),
    msg: message,
  }));

function Form({ id, saved, save, isPremium, onSaved, onClose }: FormProps) {
  const before = formOfPreferences(saved);
  const [problem, setProblem] = useState<FieldError | null>(null);
  const fields = useFields<PreferenceForm>(before, () => {
    save.reset();
    setProblem(null);
  });

  function show(errors: readonly FieldError[]): boolean {
    const own = errors.map(({ field, msg }) => ({ field: preferenceField(field), msg }));
    if (!fields.showErrors(own)) setProblem(own[0] ?? null);
    return own.length > 0;
  }

  function submit(event: FormEvent) {
    event.preventDefault();
    const body = changedBody(before, fields.values);
    if (save.isPending || show([...preferenceErrors(fields.values), ...contractErrors(body)])) return;
    if (Object.keys(body).length === 0) return onClose();
    save.mutate(body, {
      onSuccess: onSaved,
      onError: (error) => {
        if (error instanceof ApiError && error.code !== 'PREMIUM_REQUIRED') show(error.errors);
      },
    });
  }

  return (
    <form ref={fields.form} id={id} noValidate className={classes.form} onSubmit={submit}>
      <WishFields fields={fields} />
      <FurtherPreferences fields={fields} isPremium={isPremium} />
      <BrowsingFields fields={fields} isPremium={isPremium} />
      {problem !== null && <Notice kind="error">{t(problem.msg)}</Notice>}
      {save.error !== null && (
        <Notice
          kind="error"
          action={
            save.error instanceof ApiError &&
            save.error.code === 'PREMIUM_REQUIRED' && (
              <Button component={Link} to="/app/premium" variant="default" size="xs">
                {t('What premium adds')}
              </Button>
            )
          }
        >
          {t("Couldn't save your preferences: {error}", { error: t(errorMessage(save.error)) })}
        </Notice>
      )}
    </form>
  );
}

/** The member's preferences, over the deck; saved together. */
export function PreferencesSheet(props: PreferencesSheetProps) {
  const id = useId();
  const save = useSavePreferences();
  const query = usePreferences();
  return (
    <Dialog
      title={t('Who you want to see')}
      onClose={props.onClose}
      actions={
        <>
          <Button variant="default" onClick={props.onClose}>
            {t('Cancel')}
          </Button>
          {query.data && (
            <BusyButton type="submit" form={id} isBusy={save.isPending} busyText={t('Saving...')}>
              {t('Save')}
            </BusyButton>
          )}
        </>
      }
    >
      <QueryStates
        query={query}
        loadingText={t('Loading your preferences...')}
        skeleton="40rem"
        errorText="Couldn't load your preferences: {error}"
      >
        {(saved) => <Form {...props} id={id} saved={saved} save={save} />}
      </QueryStates>
    </Dialog>
  );
}

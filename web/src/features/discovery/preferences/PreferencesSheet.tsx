import { Button } from '@mantine/core';
import { useId } from 'react';
import { Link } from 'react-router';
import { type Preferences, putPreferences } from '#contract/discovery/discovery.ts';
import { ApiError } from '../../../api/api-error.ts';
import { BusyButton } from '../../../ui/form/BusyButton.tsx';
import { Dialog } from '../../../ui/feedback/Dialog.tsx';
import { Notice, reasonOf } from '../../../ui/feedback/Notice.tsx';
import { QueryStates } from '../../../ui/feedback/PageStates.tsx';
import { t } from '../../../ui/text/text.ts';
import { useForm } from '../../../ui/form/use-form.ts';
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

function Form({ id, saved, save, isPremium, onSaved, onClose }: FormProps) {
  const before = formOfPreferences(saved);
  const changes = (values: PreferenceForm) => changedBody(before, values);
  const form = useForm({
    initial: before,
    schema: putPreferences.body,
    toBody: changes,
    check: preferenceErrors,
    fieldOf: preferenceField,
    send: (body) => (Object.keys(body).length === 0 ? Promise.resolve() : save.mutateAsync(body)),
    onSent: () => (Object.keys(changes(form.values)).length === 0 ? onClose : onSaved)(),
  });
  const needsPremium = form.error instanceof ApiError && form.error.code === 'PREMIUM_REQUIRED';

  return (
    <form ref={form.form} id={id} noValidate className={classes.form} onSubmit={form.submit}>
      <WishFields fields={form} />
      <FurtherPreferences fields={form} isPremium={isPremium} />
      <BrowsingFields fields={form} isPremium={isPremium} />
      {(form.problem ?? form.error) !== null && (
        <Notice
          kind="error"
          action={
            needsPremium && (
              <Button component={Link} to="/app/premium" variant="default" size="xs">
                {t('What premium adds')}
              </Button>
            )
          }
        >
          {form.error === null
            ? t(form.problem ?? '')
            : t("Couldn't save your preferences: {error}", { error: t(reasonOf(form.error)) })}
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

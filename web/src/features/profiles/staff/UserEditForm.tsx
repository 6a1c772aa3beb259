import { NativeSelect, Textarea, TextInput } from '@mantine/core';
import { type FormEvent, type KeyboardEvent, useState } from 'react';
import { bioMaxLength, nameMaxLength, placeNameMaxLength, reasonMaxLength } from '#contract/constants.ts';
import { changeAdminUser } from '#contract/profiles/profiles.ts';
import type { AdminUser } from '#contract/profiles/user.ts';
import { ApiError } from '../../../api/api-error.ts';
import { dropDraft, readDraft, useKeptDraft } from '../../../api/session/drafts.ts';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { useFields } from '../../../ui/form/use-fields.ts';
import { t } from '../../../ui/text/text.ts';
import { useChangeUser } from './queries.ts';
import { changeOf, formOf, userDraft, type UserForm } from './user-edit.ts';
import classes from './users.module.css';

interface UserEditFormProps {
  /** The form's id, so that its buttons can be outside of it. */
  id: string;
  user: AdminUser;
  onBusy: (isBusy: boolean) => void;
  onSaved: () => void;
}

/** Every field an administrator may change, and the reason, which is required. Sends only what differs. */
export function UserEditForm({ id, user, onBusy, onSaved }: UserEditFormProps) {
  const change = useChangeUser();
  const [problem, setProblem] = useState<string | null>(null);
  const draftName = userDraft(user._id);
  const [draft] = useState(() => readDraft(draftName));
  const fields = useFields<UserForm>({ ...formOf(user), ...draft }, () => setProblem(null));

  const isTouched = fields.values.reason !== '' || Object.keys(changeOf(user, fields.values)).length > 0;
  useKeptDraft(draftName, isTouched ? fields.values : null);

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (change.isPending) return;
    const changes = changeOf(user, fields.values);
    if (Object.keys(changes).length === 0) {
      setProblem(t('No changes to save.'));
      return;
    }
    const parsed = changeAdminUser.body.safeParse({ ...changes, reason: fields.values.reason });
    if (!parsed.success) {
      const issues = parsed.error.issues.map(({ path, message }) => ({ field: path.join('.'), msg: message }));
      fields.showErrors(issues.map(atOwnField));
      return;
    }
    onBusy(true);
    try {
      await change.mutateAsync({ id: user._id, change: parsed.data });
      dropDraft(draftName);
      onSaved();
    } catch (failure) {
      const error = failure instanceof ApiError ? failure : null;
      const isAtFields = error !== null && fields.showErrors(error.errors.map(atOwnField));
      if (!isAtFields) setProblem(t(error?.message ?? 'An unknown error occurred'));
    } finally {
      onBusy(false);
    }
  }

  function sendByKeys(event: KeyboardEvent<HTMLTextAreaElement>) {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.currentTarget.form?.requestSubmit();
  }

  return (
    <form id={id} ref={fields.form} noValidate onSubmit={(event) => void submit(event)}>
      <div className={classes.fields}>
        {draft !== null && (
          <div className={classes.wide}>
            <Notice kind="info">{t('What you typed before is still here. It is not saved yet.')}</Notice>
          </div>
        )}
        <TextInput
          {...fields.bind('firstName')}
          data-autofocus
          label={t('First name')}
          maxLength={nameMaxLength}
          autoComplete="off"
        />
        <TextInput {...fields.bind('lastName')} label={t('Last name')} maxLength={nameMaxLength} autoComplete="off" />
        <NativeSelect
          {...fields.bind('gender')}
          label={t('Gender')}
          data={[
            { value: '', label: t('Not specified') },
            { value: 'woman', label: t('Woman') },
            { value: 'man', label: t('Man') },
            { value: 'non-binary', label: t('Non-binary') },
          ]}
        />
        <TextInput {...fields.bind('birthDate')} type="date" label={t('Birth date')} />
        <TextInput {...fields.bind('city')} label={t('City')} maxLength={placeNameMaxLength} autoComplete="off" />
        <TextInput {...fields.bind('country')} label={t('Country')} maxLength={placeNameMaxLength} autoComplete="off" />
        <Textarea
          {...fields.bind('bio')}
          className={classes.wide}
          label={t('Bio')}
          rows={4}
          maxLength={bioMaxLength}
          onKeyDown={sendByKeys}
        />
        {user.can.changeRole && (
          <NativeSelect
            {...fields.bind('staffRole')}
            className={classes.wide}
            label={t('Role')}
            description={t('A changed role ends their sessions; they sign in again.')}
            data={[
              { value: '', label: t('Member') },
              { value: 'moderator', label: t('Moderator') },
              { value: 'admin', label: t('Administrator') },
            ]}
          />
        )}
        <Textarea
          {...fields.bind('reason')}
          className={classes.wide}
          label={t('Reason')}
          description={t('Kept in the audit trail beside the change.')}
          rows={2}
          required
          maxLength={reasonMaxLength}
          onKeyDown={sendByKeys}
        />
        {problem !== null && (
          <div className={classes.wide}>
            <Notice kind="error">{problem}</Notice>
          </div>
        )}
      </div>
    </form>
  );
}

/** Maps the contract's `location.city` to the field `city`; an error of `location` as a whole goes to the city. */
function atOwnField({ field, msg }: { field: string; msg: string }) {
  return { field: field === 'location' ? 'city' : field.replace(/^location\./, ''), msg };
}

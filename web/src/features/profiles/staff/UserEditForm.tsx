import { t } from '@lingui/core/macro';
import { NativeSelect, Textarea, TextInput } from '@mantine/core';
import { type KeyboardEvent, useEffect, useEffectEvent } from 'react';
import { flushSync } from 'react-dom';
import { bioMaxLength, nameMaxLength, placeNameMaxLength, reasonMaxLength } from '#contract/constants.ts';
import type { FieldConflict } from '#contract/error-body.ts';
import { changeAdminUser } from '#contract/profiles/staff.ts';
import type { AdminUser } from '#contract/profiles/user.ts';
import { mayGive, roleNames } from '#contract/roles.ts';
import { staffRoles } from '#contract/staff-roles.ts';
import { errorCode } from '../../../api/api-error.ts';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { useMay, useOwnRole } from '../../../api/session/permission.ts';
import type { Edits } from '../../../ui/form/drafts.ts';
import { useForm } from '../../../ui/form/use-form.ts';
import { unitsFor } from '../../../ui/text/text.ts';
import { type useChangeUser, reloadUser } from './queries.ts';
import { changeOf, editOf, formOf, openConflicts, settled, userDraft } from './user-edit.ts';
import { UserConflicts } from './UserConflicts.tsx';
import classes from './users.module.css';

interface UserEditFormProps {
  /** The id of the form, so that its buttons can be outside of it. */
  id: string;
  user: AdminUser;
  changing: ReturnType<typeof useChangeUser>;
  /** Called when conflicts have appeared or have been resolved. */
  onConflicts: (areOpen: boolean) => void;
  onSaved: () => void;
}

/**
 * All fields that the viewer may change, and a required reason. Only changed fields are sent. If a colleague has
 * changed the same field in the meantime, the viewer chooses between both values.
 */
export function UserEditForm({ id, user, changing, onConflicts, onSaved }: UserEditFormProps) {
  const ownRole = useOwnRole();
  const maySeePrivate = useMay('users.seePrivate');
  const fields = useForm({
    initial: formOf(user),
    draft: userDraft(user._id),
    schema: changeAdminUser.body,
    toBody: (values, start) => editOf(user, values, start),
    check: (values) =>
      Object.keys(changeOf(user, values)).length === 0 ? [{ field: '', msg: t`No changes to save.` }] : [],
    fieldOf: (field) => (field === 'location' ? 'city' : field.replace(/^location\./, '')),
    send: (change) => changing.mutateAsync({ id: user._id, change }),
    onSent: onSaved,
  });

  const conflicts = openConflicts(fields.error, fields.start);
  const hasConflicts = conflicts.length > 0;
  // The list of conflicts explains more than the error message, which is also outdated once they are resolved.
  const isRefusal = errorCode(fields.error) === 'CONFLICT' && fields.problem === fields.error?.message;
  const problem = isRefusal ? null : fields.problem;
  const showConflicts = useEffectEvent(onConflicts);
  useEffect(() => {
    showConflicts(hasConflicts);
    return () => showConflicts(false);
  }, [hasConflicts]);

  function takeTheirs(conflict: FieldConflict) {
    const edits = settled(conflict, 'current');
    fields.adopt(edits);
    reloadUser(user._id);
    fields.form.current?.querySelector<HTMLElement>(`[name="${Object.keys(edits)[0] ?? ''}"]`)?.focus();
  }

  function overwrite() {
    // The form is sent with the values from the next render, so it has to be rendered first.
    flushSync(() => fields.adopt(Object.assign({}, ...conflicts.map((one) => settled(one, 'given'))) as Edits));
    fields.form.current?.requestSubmit();
  }

  function sendByKeys(event: KeyboardEvent<HTMLTextAreaElement>) {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.currentTarget.form?.requestSubmit();
  }

  return (
    <form id={id} ref={fields.form} noValidate onSubmit={fields.submit}>
      <div className={classes.fields}>
        {fields.hasDraft && (
          <div className={classes.wide}>
            <Notice kind="info">{t`What you typed before is still here. It is not saved yet.`}</Notice>
          </div>
        )}
        <TextInput
          {...fields.bind('firstName')}
          data-autofocus
          label={t`First name`}
          maxLength={unitsFor(nameMaxLength)}
          autoComplete="off"
        />
        <TextInput
          {...fields.bind('lastName')}
          label={t`Last name`}
          maxLength={unitsFor(nameMaxLength)}
          autoComplete="off"
        />
        <NativeSelect
          {...fields.bind('gender')}
          label={t`Gender`}
          data={[
            { value: '', label: t`Not specified` },
            { value: 'woman', label: t`Woman` },
            { value: 'man', label: t`Man` },
            { value: 'non-binary', label: t`Non-binary` },
          ]}
        />
        {maySeePrivate && <TextInput {...fields.bind('birthDate')} type="date" label={t`Birth date`} />}
        <TextInput
          {...fields.bind('city')}
          label={t`City`}
          maxLength={unitsFor(placeNameMaxLength)}
          autoComplete="off"
        />
        <TextInput
          {...fields.bind('country')}
          label={t`Country`}
          maxLength={unitsFor(placeNameMaxLength)}
          autoComplete="off"
        />
        <Textarea
          {...fields.bind('bio')}
          className={classes.wide}
          label={t`Bio`}
          rows={4}
          maxLength={unitsFor(bioMaxLength)}
          onKeyDown={sendByKeys}
        />
        {user.can.changeRole && (
          <NativeSelect
            {...fields.bind('staffRole')}
            className={classes.wide}
            label={t`Role`}
            description={t`Changing the role signs them out on all devices.`}
            data={[
              { value: '', label: t`Member` },
              ...staffRoles
                .filter((role) => mayGive(ownRole, role))
                .map((role) => ({ value: role, label: t(roleNames[role]) })),
            ]}
          />
        )}
        <Textarea
          {...fields.bind('reason')}
          className={classes.wide}
          label={t`Reason`}
          description={t`Kept in the audit trail with the change.`}
          rows={2}
          required
          maxLength={unitsFor(reasonMaxLength)}
          onKeyDown={sendByKeys}
        />
        {hasConflicts && <UserConflicts conflicts={conflicts} onTake={takeTheirs} onOverwrite={overwrite} />}
        {problem !== null && (
          <div className={classes.wide}>
            <Notice kind="error">{problem}</Notice>
          </div>
        )}
      </div>
    </form>
  );
}

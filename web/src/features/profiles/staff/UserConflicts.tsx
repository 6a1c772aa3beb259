import type { MessageDescriptor } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import { Button, Stack } from '@mantine/core';
import { useEffect, useId, useRef } from 'react';
import type { FieldConflict } from '#contract/error-body.ts';
import { roleNames } from '#contract/roles.ts';
import { staffRoles } from '#contract/staff-roles.ts';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { formatDay } from '../../../ui/text/format.ts';
import { genderWord, placeText } from '../../../ui/text/person.ts';
import { differenceOf } from './user-edit.ts';
import classes from './users.module.css';

const fieldNames: Record<string, MessageDescriptor> = {
  firstName: msg`First name`,
  lastName: msg`Last name`,
  gender: msg`Gender`,
  birthDate: msg`Birth date`,
  location: msg`City and country`,
  bio: msg`Bio`,
  staffRole: msg`Role`,
};

const nameOf = (field: string) => (fieldNames[field] ? t(fieldNames[field]) : field);

/** The value of a field as text. */
function wordsOf(field: string, value: FieldConflict['current']): string {
  if (value !== null && typeof value !== 'string') return placeText(value) ?? t`Not specified`;
  if (field === 'staffRole') {
    const role = staffRoles.find((one) => one === value);
    return role === undefined ? t`Member` : t(roleNames[role]);
  }
  if (value === null) return t`Not specified`;
  if (field === 'birthDate') return formatDay(value);
  return field === 'gender' ? (genderWord({ gender: value as 'woman', genderText: null }) ?? value) : value;
}

interface ConflictValueProps {
  label: string;
  words: string;
  /** The value to compare with. */
  other: string;
}

/** The value of one side. Words that differ from the other side are marked. */
function ConflictValue({ label, words, other }: ConflictValueProps) {
  const [before, different, after] = differenceOf(words, other);
  return (
    <div className={classes.conflictValue}>
      <dt>{label}</dt>
      <dd dir="auto">
        {before}
        {different !== '' && <mark>{different}</mark>}
        {after}
      </dd>
    </div>
  );
}

interface UserConflictsProps {
  conflicts: readonly FieldConflict[];
  /** Uses the colleague's value of one field. */
  onTake: (conflict: FieldConflict) => void;
  /** Saves the viewer's values anyway; this is the main action while there are conflicts. */
  onOverwrite: () => void;
}

/**
 * The fields that a colleague has changed while the viewer was editing them. Both values are shown for each, and the
 * viewer chooses one. The list takes the focus.
 */
export function UserConflicts({ conflicts, onTake, onOverwrite }: UserConflictsProps) {
  const group = useRef<HTMLDivElement>(null);
  const id = useId();
  useEffect(() => group.current?.focus(), []);

  return (
    <div ref={group} className={classes.conflicts} role="group" aria-labelledby={id} tabIndex={-1}>
      <Notice kind="warning" isNews={false}>
        <span id={id}>{t`A colleague changed this user while you were editing. Your changes are not saved yet.`}</span>
      </Notice>
      <Stack component="ul" gap="1rem">
        {conflicts.map((conflict) => {
          const theirs = wordsOf(conflict.field, conflict.current);
          const yours = wordsOf(conflict.field, conflict.given);
          return (
            <li key={conflict.field}>
              <strong>{nameOf(conflict.field)}</strong>
              <dl className={classes.conflictValues}>
                <ConflictValue label={t`Your colleague's`} words={theirs} other={yours} />
                <ConflictValue label={t`Yours`} words={yours} other={theirs} />
              </dl>
              <Button
                variant="default"
                size="xs"
                aria-label={t`Keep theirs: ${{ field: nameOf(conflict.field) }}`}
                onClick={() => onTake(conflict)}
              >
                {t`Keep theirs`}
              </Button>
            </li>
          );
        })}
      </Stack>
      <div>
        <Button onClick={onOverwrite}>{t`Overwrite and save`}</Button>
      </div>
    </div>
  );
}

import { Button } from '@mantine/core';
import { IconColumns3 } from '@tabler/icons-react';
import { useState } from 'react';
import { type ExportColumn, exportColumnNames } from '#contract/profiles/staff.ts';
import { keepChoice, readChoice } from '../../../api/session/kept.ts';
import { ChoiceGroup } from '../../../ui/form/Form.tsx';
import { MoreActions } from '../../../ui/layout/MoreActions.tsx';
import { t } from '../../../ui/text/text.ts';
import { choosableColumns, specifiedColumns, type UserColumnName } from './user-columns.tsx';

const entry = 'user-columns';

/** The columns of an export that correspond to those of the list. */
const exported: Record<UserColumnName, readonly ExportColumn[]> = {
  contact: ['email', 'city'],
  createdAt: ['joined'],
  lastActive: ['lastActive'],
  status: ['status'],
  subscription: ['subscription'],
  city: ['city'],
  country: ['country'],
  age: ['age'],
  gender: ['gender'],
  complete: ['complete'],
  role: ['staffRole'],
};
const ofPerson: readonly ExportColumn[] = ['id', 'firstName', 'lastName', 'emailVerified'];

/** The columns that the viewer has chosen on this device; those of the specification until then. */
export function useUserColumns() {
  const [kept, setKept] = useState(() => readChoice(entry));
  const words = kept?.split(',');
  const shown =
    words === undefined
      ? specifiedColumns
      : choosableColumns.map(([name]) => name).filter((name) => words.includes(name));

  function choose(names: readonly UserColumnName[] | null) {
    const choice = names?.join(',') ?? null;
    keepChoice(entry, choice);
    setKept(choice);
  }

  return {
    shown,
    choose,
    /** The columns that an export starts with: all until some are chosen. */
    toExport:
      kept === null
        ? exportColumnNames
        : exportColumnNames.filter((name) => [ofPerson, ...shown.map((one) => exported[one])].flat().includes(name)),
  };
}

const icon = <IconColumns3 size={17} stroke={1.75} aria-hidden="true" />;
const choices = choosableColumns.map(([value, label]) => ({ value, label: t(label) }));

/** Shows and hides columns of the list. */
export function ColumnsMenu({ columns: { shown, choose } }: { columns: ReturnType<typeof useUserColumns> }) {
  return (
    <MoreActions label={t('Columns')} icon={icon}>
      <ChoiceGroup
        type="checkbox"
        name="columns"
        legend={t('Shown columns')}
        choices={choices}
        chosen={shown}
        onChange={choose}
      />
      <Button variant="subtle" size="compact-sm" onClick={() => choose(null)}>
        {t('Reset')}
      </Button>
    </MoreActions>
  );
}

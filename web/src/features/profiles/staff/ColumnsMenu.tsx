import { t } from '@lingui/core/macro';
import { IconColumns3 } from '@tabler/icons-react';
import { lazy, useState } from 'react';
import { type ExportColumn, exportColumnNames } from '#contract/profiles/staff.ts';
import { keepChoice, readChoice } from '../../../api/session/kept.ts';
import { MoreActions } from '../../../ui/layout/MoreActions.tsx';
import { LazyBoundary } from '../../../ui/loading/LazyBoundary.tsx';
import { choosableColumns, specifiedColumns, type UserColumnName } from './user-columns.tsx';

const ColumnChoices = lazy(async () => ({ default: (await import('./ColumnChoices.tsx')).ColumnChoices }));

const entry = 'user-columns';

/** The columns of an export that correspond to those of the list; email addresses leave only when someone chooses them. */
const exported: Record<UserColumnName, readonly ExportColumn[]> = {
  contact: ['city'],
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
    /** The columns that an export starts with: all but the email address until some are chosen. */
    toExport:
      kept === null
        ? exportColumnNames.filter((name) => name !== 'email')
        : exportColumnNames.filter((name) => [ofPerson, ...shown.map((one) => exported[one])].flat().includes(name)),
  };
}

/** Shows and hides columns of the list. */
export function ColumnsMenu({ columns: { shown, choose } }: { columns: ReturnType<typeof useUserColumns> }) {
  return (
    <MoreActions label={t`Columns`} icon={<IconColumns3 size={17} stroke={1.75} aria-hidden="true" />}>
      <LazyBoundary>
        <ColumnChoices
          choices={choosableColumns.map(([value, label]) => ({ value, label: t(label) }))}
          shown={shown}
          onChoose={choose}
        />
      </LazyBoundary>
    </MoreActions>
  );
}

import { t } from '@lingui/core/macro';
import { IconColumns3 } from '@tabler/icons-react';
import { useState } from 'react';
import { type ExportColumn, exportColumnNames } from '#contract/profiles/user-filters.ts';
import { keepChoice, readChoice } from '../../../api/session/kept.ts';
import { MoreActions } from '../../../ui/layout/MoreActions.tsx';
import { lazyPart } from '../../../ui/loading/LazyBoundary.tsx';
import { choosableColumns, specifiedColumns } from './user-columns.tsx';

const [ColumnChoices] = lazyPart(async () => (await import('./ColumnChoices.tsx')).ColumnChoices);

const entry = 'user-columns';

/** The columns of an export; email addresses are included only on request. */
const ofPerson: readonly ExportColumn[] = ['id', 'firstName', 'lastName', 'emailVerified'];

/** The columns that the viewer has chosen on this device; those of the specification until then. */
export function useUserColumns() {
  const [kept, setKept] = useState(() => readChoice(entry));
  const words = kept?.split(',') ?? specifiedColumns;
  const shown = choosableColumns.filter(({ id }) => words.includes(id));

  function choose(names: readonly string[] | null) {
    const choice = names?.join(',') ?? null;
    keepChoice(entry, choice);
    setKept(choice);
  }

  return {
    shown: shown.map(({ id }) => id),
    choose,
    /** The columns that an export starts with: all but the email address until some are chosen. */
    toExport:
      kept === null
        ? exportColumnNames.filter((name) => name !== 'email')
        : exportColumnNames.filter((name) =>
            [ofPerson, ...shown.map(({ exports = [] }) => exports)].flat().includes(name),
          ),
  };
}

/** Shows and hides columns of the list. */
export function ColumnsMenu({ columns: { shown, choose } }: { columns: ReturnType<typeof useUserColumns> }) {
  return (
    <MoreActions label={t`Columns`} icon={<IconColumns3 size={17} stroke={1.75} aria-hidden="true" />}>
      <ColumnChoices
        choices={choosableColumns.map(({ id, header }) => ({ value: id, label: header?.() ?? '' }))}
        shown={shown}
        onChoose={choose}
      />
    </MoreActions>
  );
}

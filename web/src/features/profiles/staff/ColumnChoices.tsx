import { t } from '@lingui/core/macro';
import { Box, Button } from '@mantine/core';
import { ChoiceGroup } from '../../../ui/form/Form.tsx';
import { choosableColumns, type UserColumnName } from './user-columns.tsx';

interface ColumnChoicesProps {
  shown: readonly UserColumnName[];
  /** Called with null to return to the specified columns. */
  onChoose: (shown: readonly UserColumnName[] | null) => void;
}

/** The content of the menu of columns. */
export function ColumnChoices({ shown, onChoose }: ColumnChoicesProps) {
  return (
    <Box w="min(25rem, 72vw)">
      <ChoiceGroup
        type="checkbox"
        name="columns"
        legend={t`Shown columns`}
        choices={choosableColumns.map(([value, label]) => ({ value, label: t(label) }))}
        chosen={shown}
        isRow="even"
        onChange={onChoose}
      />
      <Button mt="0.5rem" variant="subtle" size="compact-sm" onClick={() => onChoose(null)}>
        {t`Reset`}
      </Button>
    </Box>
  );
}

import { t } from '@lingui/core/macro';
import { Box, Button } from '@mantine/core';
import { ChoiceGroup } from '../../../ui/form/Form.tsx';

interface ColumnChoicesProps {
  /** The columns to choose from, with their names. */
  choices: readonly { value: string; label: string }[];
  shown: readonly string[];
  /** Called with null to return to the specified columns. */
  onChoose: (shown: readonly string[] | null) => void;
}

/** The content of the menu of columns. */
export function ColumnChoices({ choices, shown, onChoose }: ColumnChoicesProps) {
  return (
    <Box w="min(25rem, 72vw)">
      <ChoiceGroup
        type="checkbox"
        name="columns"
        legend={t`Shown columns`}
        choices={choices}
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

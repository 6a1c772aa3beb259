import { t } from '@lingui/core/macro';
import { Stack } from '@mantine/core';
import { CheckField } from '../../../ui/form/Field.tsx';
import { setFlag, useFlag } from '../../../ui/keyboard/shortcuts.tsx';
import { MoreActions } from '../../../ui/layout/MoreActions.tsx';

/** The settings of the desk that are kept on this device. */
export function DeskOptions() {
  return (
    <MoreActions label={t`Options`}>
      <Stack gap="0.75rem" p="0.5rem">
        <CheckField
          checked={useFlag('next-case')}
          onChange={(event) => setFlag('next-case', event.currentTarget.checked)}
          label={t`After a decision, open the next one`}
        />
        <CheckField
          checked={useFlag('veiled-evidence')}
          onChange={(event) => setFlag('veiled-evidence', event.currentTarget.checked)}
          label={t`Blur pictures and messages until I show them`}
        />
      </Stack>
    </MoreActions>
  );
}

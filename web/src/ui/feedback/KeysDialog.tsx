import type { MessageDescriptor } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import { Box, Button, Group, Kbd, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { CheckField } from '../form/Field.tsx';
import { setFlag, useFlag } from '../keyboard/shortcuts.tsx';
import { Well } from '../layout/text-blocks.tsx';
import { Dialog } from './Dialog.tsx';

/** Single-key shortcuts and what each does. */
export type KeyList = readonly (readonly [key: string, what: MessageDescriptor])[];

export interface KeysDialogProps {
  keys: KeyList;
  /** The page has forms that can be sent with Ctrl+Enter. */
  hasForms?: boolean;
  onClose: () => void;
}

function Key({ what, children }: { what: MessageDescriptor; children: ReactNode }) {
  return (
    <Group wrap="nowrap">
      <Box component="dt" w="8rem" flex="none">
        {children}
      </Box>
      <dd>{t(what)}</dd>
    </Group>
  );
}

/** Lists the keyboard shortcuts, and lets people turn them off. */
export function KeysDialog({ keys, hasForms = true, onClose }: KeysDialogProps) {
  return (
    <Dialog
      title={t`Keyboard shortcuts`}
      size="narrow"
      onClose={onClose}
      actions={
        <Button variant="default" onClick={onClose}>
          {t`Close`}
        </Button>
      }
    >
      <Stack component="dl" gap="0.55rem">
        {keys.map(([key, what]) => (
          <Key key={key} what={what}>
            <Kbd>{key}</Kbd>
          </Key>
        ))}
        {hasForms && (
          <Key what={msg`Send the current form`}>
            <Kbd>Ctrl</Kbd> <Kbd>Enter</Kbd>
          </Key>
        )}
      </Stack>
      <Well mt="1.4rem">
        <SingleKeysChoice />
      </Well>
    </Dialog>
  );
}

/** Turns single-key shortcuts on or off on this device. */
export function SingleKeysChoice() {
  const isOn = useFlag('single-keys');
  return (
    <CheckField
      checked={isOn}
      onChange={(event) => setFlag('single-keys', event.currentTarget.checked)}
      label={t`Single-key shortcuts`}
      description={t`Turn these off if you use speech input or press keys by accident.`}
    />
  );
}

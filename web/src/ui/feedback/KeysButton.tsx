import { t } from '@lingui/core/macro';
import { ActionIcon } from '@mantine/core';
import { IconKeyboard } from '@tabler/icons-react';
import { useState } from 'react';
import { usePageActions } from '../keyboard/shortcuts.tsx';
import { lazyPart } from '../loading/LazyBoundary.tsx';
import type { KeysDialogProps } from './KeysDialog.tsx';

/** The list of keyboard shortcuts, which is fetched when it is shown. */
export const [KeysDialog] = lazyPart(async () => (await import('./KeysDialog.tsx')).KeysDialog);

/**
 * Opens the list of a page's shortcuts: with a button, with `?` or from the command palette. There is no button on
 * phones.
 */
export function KeysButton(props: Omit<KeysDialogProps, 'onClose'>) {
  const [isOpen, setOpen] = useState(false);
  const open = () => setOpen(true);
  const close = () => setOpen(false);
  usePageActions([{ key: '?', text: t`Keyboard shortcuts`, run: open }]);
  return (
    <>
      <ActionIcon
        visibleFrom="sm"
        variant="default"
        size="lg"
        aria-label={t`Keyboard shortcuts`}
        title={t`Keyboard shortcuts`}
        onClick={open}
      >
        <IconKeyboard size={18} stroke={1.75} />
      </ActionIcon>
      {isOpen && <KeysDialog {...props} onClose={close} />}
    </>
  );
}

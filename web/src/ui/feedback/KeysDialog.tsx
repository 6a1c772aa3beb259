import { ActionIcon, Button, Kbd } from '@mantine/core';
import { IconKeyboard } from '@tabler/icons-react';
import { useState } from 'react';
import { CheckField } from '../form/Field.tsx';
import { usePageActions } from '../keyboard/actions.tsx';
import { setFlag, useFlag } from '../keyboard/single-keys.ts';
import { t } from '../text/text.ts';
import classes from './Dialog.module.css';
import { Dialog } from './Dialog.tsx';

/** Single-key shortcuts and what each does. */
export type KeyList = readonly (readonly [key: string, what: string])[];

interface KeysDialogProps {
  keys: KeyList;
  /** The page has forms, which Ctrl+Enter sends. */
  hasForms?: boolean;
  onClose: () => void;
}

/** Lists the keyboard shortcuts, and lets people turn them off. */
export function KeysDialog({ keys, hasForms = true, onClose }: KeysDialogProps) {
  return (
    <Dialog
      title={t('Keyboard shortcuts')}
      size="narrow"
      onClose={onClose}
      actions={
        <Button variant="default" onClick={onClose}>
          {t('Close')}
        </Button>
      }
    >
      <dl className={classes.keys}>
        {keys.map(([key, what]) => (
          <div key={key}>
            <dt>
              <Kbd>{key}</Kbd>
            </dt>
            <dd>{t(what)}</dd>
          </div>
        ))}
        {hasForms && (
          <div>
            <dt>
              <Kbd>Ctrl</Kbd> <Kbd>Enter</Kbd>
            </dt>
            <dd>{t('Send the current form')}</dd>
          </div>
        )}
      </dl>
      <div className={classes.choice}>
        <SingleKeysChoice />
      </div>
    </Dialog>
  );
}

/** Lists the keys of a page: by a press, by `?` and from the command palette. Phones have no button. */
export function KeysButton(props: Omit<KeysDialogProps, 'onClose'>) {
  const [isOpen, setOpen] = useState(false);
  const open = () => setOpen(true);
  usePageActions([{ key: '?', text: t('Keyboard shortcuts'), run: open }]);
  return (
    <>
      <ActionIcon
        className={classes.keysButton}
        variant="default"
        size="lg"
        aria-label={t('Keyboard shortcuts')}
        title={t('Keyboard shortcuts')}
        onClick={open}
      >
        <IconKeyboard size={18} stroke={1.75} />
      </ActionIcon>
      {isOpen && <KeysDialog {...props} onClose={() => setOpen(false)} />}
    </>
  );
}

/** Switches the single-key shortcuts on or off; kept on this device. */
export function SingleKeysChoice() {
  const isOn = useFlag('single-keys');
  return (
    <CheckField
      checked={isOn}
      onChange={(event) => setFlag('single-keys', event.currentTarget.checked)}
      label={t('Single-key shortcuts')}
      description={t('Turn these off if you use speech input or press keys by accident.')}
    />
  );
}

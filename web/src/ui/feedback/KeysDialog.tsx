import { Button } from '@mantine/core';
import { Dialog } from './Dialog.tsx';
import { SingleKeysChoice } from '../keyboard/SingleKeysChoice.tsx';
import { useText } from '../text/text.ts';
import classes from './KeysDialog.module.css';

/** Single keys with what each does. */
export type KeyList = readonly (readonly [key: string, what: string])[];

interface KeysDialogProps {
  keys: KeyList;
  /** Something is typed and sent there. */
  hasForms?: boolean;
  onClose: () => void;
}

/** What the single keys do, and the switch that turns them off. */
export function KeysDialog({ keys, hasForms = true, onClose }: KeysDialogProps) {
  const t = useText();
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
              <kbd className={classes.key}>{key}</kbd>
            </dt>
            <dd>{t(what)}</dd>
          </div>
        ))}
        {hasForms && (
          <div>
            <dt>
              <kbd className={classes.key}>Ctrl</kbd> <kbd className={classes.key}>Enter</kbd>
            </dt>
            <dd>{t('Send what is being typed')}</dd>
          </div>
        )}
      </dl>
      <div className={classes.choice}>
        <SingleKeysChoice />
      </div>
    </Dialog>
  );
}

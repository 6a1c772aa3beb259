import { Button } from '@mantine/core';
import { Dialog } from '../../ui/Dialog.tsx';
import { SingleKeysChoice } from '../../ui/SingleKeysChoice.tsx';
import { useText } from '../../ui/text.ts';
import classes from './KeysDialog.module.css';

/** Single keys with what each does. */
export type KeyList = readonly (readonly [key: string, what: string])[];

/** What the single keys do, and the switch that turns them off. */
export function KeysDialog({ keys, onClose }: { keys: KeyList; onClose: () => void }) {
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
        <div>
          <dt>
            <kbd className={classes.key}>Ctrl</kbd> <kbd className={classes.key}>Enter</kbd>
          </dt>
          <dd>{t('Send what is being typed')}</dd>
        </div>
      </dl>
      <div className={classes.choice}>
        <SingleKeysChoice />
      </div>
    </Dialog>
  );
}

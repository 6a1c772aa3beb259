import { Button } from '@mantine/core';
import { Dialog } from '../../ui/Dialog.tsx';
import { SingleKeysChoice } from '../../ui/SingleKeysChoice.tsx';
import { useText } from '../../ui/text.ts';
import classes from './KeysDialog.module.css';

/** The keys of the list, and those that also work on the page of one report. */
const listKeys: readonly [key: string, what: string][] = [
  ['j', 'Next report'],
  ['k', 'Previous report'],
  ['Enter', 'Open the report'],
  ['/', 'Search'],
];
const reportKeys: readonly [key: string, what: string][] = [
  ['r', 'Reply'],
  ['e', 'Mark resolved'],
  ['u', 'Undo, while it is offered'],
  ['?', 'Show these keys'],
];

/** What the single keys do, and the switch that turns them off. */
export function KeysDialog({ isList = false, onClose }: { isList?: boolean; onClose: () => void }) {
  const t = useText();
  const keys = isList ? [...listKeys, ...reportKeys] : reportKeys;
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

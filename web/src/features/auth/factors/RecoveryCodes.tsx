import { Button } from '@mantine/core';
import { IconCopy, IconDownload } from '@tabler/icons-react';
import { useState } from 'react';
import { saveFile } from '../../../ui/data/save-file.ts';
import { useText } from '../../../ui/text/text.ts';
import classes from './SecondFactor.module.css';

/** The ten codes that get in without the app, shown once; one goes on when they are kept. */
export function RecoveryCodes({ codes, onKept }: { codes: readonly string[]; onKept: () => void }) {
  const t = useText();
  const [isCopied, setCopied] = useState(false);

  async function copy() {
    await navigator.clipboard.writeText(codes.join('\n')).then(
      () => setCopied(true),
      () => setCopied(false),
    );
  }

  function download() {
    const lines = [t('Heartwood recovery codes. Each works once.'), '', ...codes, ''];
    saveFile(new Blob([lines.join('\n')], { type: 'text/plain' }), 'heartwood-recovery-codes.txt');
  }

  return (
    <div className={classes.form}>
      <h3 className={classes.title}>{t('Keep your recovery codes')}</h3>
      <p className={classes.text}>
        {t(
          'They let you in when you have lost your app. Each works once, and we show them only now: keep them where you keep passwords.',
        )}
      </p>
      <ul className={classes.codes} aria-label={t('Recovery codes')}>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className={classes.buttons}>
        <Button
          variant="default"
          leftSection={<IconCopy size={18} stroke={1.75} aria-hidden="true" />}
          onClick={() => void copy()}
        >
          {isCopied ? t('Copied') : t('Copy')}
        </Button>
        <Button
          variant="default"
          leftSection={<IconDownload size={18} stroke={1.75} aria-hidden="true" />}
          onClick={download}
        >
          {t('Download')}
        </Button>
      </div>
      <div className={classes.buttons}>
        <Button onClick={onKept}>{t('I have kept them')}</Button>
      </div>
      <p role="status" className={classes.hidden}>
        {isCopied ? t('The codes are copied.') : ''}
      </p>
    </div>
  );
}

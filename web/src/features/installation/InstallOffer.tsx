import { ActionIcon, Button } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useState } from 'react';
import { LogoMark } from '../../ui/layout/Logo.tsx';
import { useText } from '../../ui/text/text.ts';
import { closeOffer, install, installsByHand, mayOffer } from './installing.ts';
import classes from './installation.module.css';
import { Panel } from '../../ui/layout/Panel.tsx';
import { useInstallPrompt } from './install-prompt.ts';

/** A quiet offer to install the app. Where it stands, the browser can; it is closed for a month. */
export function InstallNotice() {
  const t = useText();
  const [isOpen, setOpen] = useState(mayOffer);
  if (!isOpen) return null;

  function close() {
    closeOffer();
    setOpen(false);
  }

  return (
    <aside className={classes.notice} aria-label={t('Install Heartwood')}>
      <LogoMark size={28} />
      <p className={classes.text}>{t('Heartwood can have a place on your home screen, and a window of its own.')}</p>
      <Button className={classes.install} variant="default" size="xs" onClick={() => void install()}>
        {t('Install Heartwood')}
      </Button>
      <ActionIcon className={classes.close} variant="subtle" color="gray" aria-label={t('Not now')} onClick={close}>
        <IconX size={18} stroke={1.75} />
      </ActionIcon>
    </aside>
  );
}

/** How the app gets onto this device; nothing where it is there already, or where the browser knows no way. */
export function InstallPanel() {
  const t = useText();
  const canAsk = useInstallPrompt(({ prompt }) => prompt !== null);
  const isByHand = installsByHand(navigator);
  if (!canAsk && !isByHand) return null;
  return (
    <Panel
      title={t('Heartwood as an app')}
      lead={t('It can have a place on your home screen, and a window of its own.')}
    >
      {canAsk ? (
        <Button variant="default" onClick={() => void install()}>
          {t('Install Heartwood')}
        </Button>
      ) : (
        <ol className={classes.steps}>
          <li>{t('Open the menu “Share” of Safari: the square with an arrow up.')}</li>
          <li>{t('Choose “Add to Home Screen”.')}</li>
          <li>{t('Choose “Add”. Sign in there once more.')}</li>
        </ol>
      )}
    </Panel>
  );
}

import { ActionIcon, Button } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useState } from 'react';
import { LogoMark } from '../../ui/layout/Logo.tsx';
import { useText } from '../../ui/text/text.ts';
import { closeOffer, install, mayOffer } from './installing.ts';
import classes from './InstallNotice.module.css';

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

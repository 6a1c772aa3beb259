import { Button } from '@mantine/core';
import { Panel } from '../../ui/layout/Panel.tsx';
import { useText } from '../../ui/text/text.ts';
import { useInstallPrompt } from './install-prompt.ts';
import classes from './InstallPanel.module.css';
import { install, installsByHand } from './installing.ts';

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

import { t } from '@lingui/core/macro';
import { ActionIcon, Button, Group, Paper } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useState } from 'react';
import { Hint } from '../../ui/layout/text-blocks.tsx';
import { LogoMark } from '../../ui/shell/Logo.tsx';
import { Panel, passingFocus } from '../../ui/layout/Page.tsx';
import { closeOffer, install, installMenu, mayOffer, useInstallPrompt } from './installing.ts';

/** A discreet offer to install the app, shown if the browser can install it. Closing it hides it for a month. */
export function InstallNotice() {
  const [isOpen, setOpen] = useState(mayOffer);
  if (!isOpen) return null;

  function close() {
    closeOffer();
    setOpen(false);
  }

  return (
    <Paper
      ref={passingFocus}
      component="aside"
      maw="44rem"
      mt="1.5rem"
      mx="auto"
      p="0.7rem"
      radius="md"
      aria-label={t`Install {brand}`}
    >
      <Group gap="0.9rem" wrap="nowrap">
        <LogoMark size={28} />
        <Group gap="0.6rem" flex={1}>
          <Hint flex="1 1 12rem">{t`Add {brand} to your home screen and open it in its own window.`}</Hint>
          <Button variant="default" size="xs" onClick={() => void install()}>
            {t`Install {brand}`}
          </Button>
        </Group>
        <ActionIcon variant="subtle" color="gray" aria-label={t`Not now`} onClick={close}>
          <IconX size={18} stroke={1.75} />
        </ActionIcon>
      </Group>
    </Paper>
  );
}

/**
 * Explains how to install the app on this device; nothing if it is already installed or the browser can't install it.
 */
export function InstallPanel() {
  const canAsk = useInstallPrompt(({ prompt }) => prompt !== null);
  const isInstalled = window.matchMedia('(display-mode: standalone)').matches;
  const menu = isInstalled ? null : installMenu(navigator);
  if (!canAsk && menu === null) return null;
  return (
    <Panel title={t`{brand} as an app`} lead={t`Add it to your home screen and open it in its own window.`}>
      {canAsk ? (
        <Button variant="default" onClick={() => void install()}>
          {t`Install {brand}`}
        </Button>
      ) : (
        <ol>
          {menu === 'share' ? (
            <li>{t`Open Safari’s Share menu: the square with an arrow pointing up.`}</li>
          ) : (
            <li>{t`Open the browser’s menu: the three dots or lines.`}</li>
          )}
          <li>{t`Choose “Add to Home Screen”.`}</li>
          {/* On an iPhone or iPad, the installed app has its own storage. */}
          <li>{menu === 'share' ? t`Choose “Add”, then sign in there again.` : t`Choose “Add”.`}</li>
        </ol>
      )}
    </Panel>
  );
}

import { Button } from '@mantine/core';
import { useState } from 'react';
import { Link, useLocation } from 'react-router';
import { type NotificationKind, unsubscribe } from '#contract/notifications.ts';
import { call } from '../../api/call.ts';
import { useCommand } from '../../api/use-command.ts';
import { BusyButton } from '../../ui/form/BusyButton.tsx';
import { Notice } from '../../ui/feedback/Notice.tsx';
import { useText } from '../../ui/text/text.ts';
import { DoorCard, DoorFields } from '../sign-in/AuthCard.tsx';
import classes from '../../features/auth/sign-in.module.css';

const kindWords: Record<NotificationKind, string> = {
  message: 'New messages',
  match: 'New matches',
  like: 'New likes',
  report: 'News on your reports',
};

/** Refusals that mean that nobody signed this link. */
const wrongLink = ['NOT_FOUND', 'INVALID_INPUT'];

function ToSettings({ isMain = false }: { isMain?: boolean }) {
  const t = useText();
  return (
    <Button component={Link} to="/app/settings#notifications" size="md" variant={isMain ? 'filled' : 'default'}>
      {t('Choose in the settings')}
    </Button>
  );
}

function Done({ kinds }: { kinds: readonly NotificationKind[] }) {
  const t = useText();
  return (
    <DoorFields>
      <Notice kind="success">
        {t('Done. We no longer mail you about:')}
        <ul className={classes.mailKinds}>
          {kinds.map((kind) => (
            <li key={kind}>{t(kindWords[kind])}</li>
          ))}
        </ul>
      </Notice>
      <ToSettings isMain />
    </DoorFields>
  );
}

/** Ends the mails of the kinds that one mail was about, without signing in. Opening it changes nothing: mail scanners open links. */
export function UnsubscribePage() {
  const t = useText();
  const { hash } = useLocation();
  const token = hash.slice(1);
  const command = useCommand();
  const [kinds, setKinds] = useState<readonly NotificationKind[] | null>(null);
  const isWrong = token === '' || wrongLink.includes(command.code ?? '');

  async function end() {
    setKinds((await call(unsubscribe, { query: { token } })).data.kinds);
  }

  return (
    <DoorCard
      title={t('Fewer mails')}
      lead={
        kinds === null && !isWrong
          ? t(
              'This ends mails like the one that led you here. You still see on Heartwood what they were about, and mails about the safety of your account still come.',
            )
          : undefined
      }
    >
      {kinds !== null ? (
        <Done kinds={kinds} />
      ) : isWrong ? (
        <DoorFields>
          <Notice kind="warning">
            {t(
              'This page needs the whole link from one of our mails: open it from there once more, or choose in the settings what we mail you.',
            )}
          </Notice>
          <ToSettings isMain />
        </DoorFields>
      ) : (
        <DoorFields>
          {command.error !== null && <Notice kind="error">{t(command.error)}</Notice>}
          <BusyButton
            size="md"
            isBusy={command.isPending}
            busyText={t('Ending them...')}
            onClick={() => void command.run(end)}
          >
            {t('No more mails like this')}
          </BusyButton>
          <ToSettings />
        </DoorFields>
      )}
    </DoorCard>
  );
}

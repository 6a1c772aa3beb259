import { Button } from '@mantine/core';
import { IconDeviceDesktop, IconDeviceMobile } from '@tabler/icons-react';
import { useState } from 'react';
import { endOtherSessions, endSession, listSessions, type SessionView } from '#contract/auth/auth.ts';
import { call } from '../../../api/call.ts';
import { useCommand } from '../../../api/use-command.ts';
import { useRead } from '../../../api/use-read.ts';
import { BusyButton } from '../../../ui/form/BusyButton.tsx';
import { formatExactTime, formatTime, lastActiveText } from '../../../ui/text/format.ts';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { Bone, EmptyState, QueryStates } from '../../../ui/feedback/PageStates.tsx';
import { Tag } from '../../../ui/data/Tag.tsx';
import { useLocale, useText } from '../../../ui/text/text.ts';
import { useNow } from '../../../ui/data/use-now.ts';
import classes from '../account.module.css';

const without = (ids: readonly string[], id: string) => ids.filter((other) => other !== id);

const handheld = /iPhone|iPad|Android|Mobile/i;

function Session({ session, now, onEnd }: { session: SessionView; now: number; onEnd: () => void }) {
  const t = useText();
  const locale = useLocale();
  const Icon = handheld.test(session.device) ? IconDeviceMobile : IconDeviceDesktop;
  const used = lastActiveText(session.lastUsedAt, now, locale);
  return (
    <li className={classes.session}>
      <Icon size={24} stroke={1.5} aria-hidden="true" className={classes.sessionIcon} />
      <div className={classes.sessionText}>
        <p className={classes.sessionDevice}>
          {session.device} {session.current && <Tag tone="positive">{t('This device')}</Tag>}
        </p>
        <p className={classes.sessionFacts}>
          {session.network !== null && <span>{t('Network {network}', { network: session.network })}</span>}
          <time dateTime={session.createdAt} title={formatExactTime(session.createdAt, locale)}>
            {t('Signed in {time}', { time: formatTime(session.createdAt, locale) })}
          </time>
          <time dateTime={session.lastUsedAt} title={formatExactTime(session.lastUsedAt, locale)}>
            {t('Last used: {time}', { time: t(used.text, used.values) })}
          </time>
        </p>
      </div>
      <Button
        variant="default"
        size="xs"
        onClick={onEnd}
        aria-label={session.current ? t('Sign out this device') : t('Sign out {device}', { device: session.device })}
      >
        {t('Sign out')}
      </Button>
    </li>
  );
}

interface SessionListProps {
  /** Counted up when something has signed devices out elsewhere. */
  round: number;
  onSignOutHere: () => void;
}

/** The devices signed in to one's account; each can be signed out, this one by `onSignOutHere`. */
export function SessionList({ round, onSignOutHere }: SessionListProps) {
  const t = useText();
  const now = useNow(60_000);
  const query = useRead(String(round), async (signal) => (await call(listSessions, { signal })).data.sessions, {
    keepsData: true,
  });
  const end = useCommand();
  const [ended, setEnded] = useState<readonly string[]>([]);

  async function endOthers() {
    if (await end.run(() => call(endOtherSessions))) query.refetch();
  }

  async function endOne(id: string) {
    setEnded((before) => [...before, id]);
    if (!(await end.run(() => call(endSession, { params: { id } })))) setEnded((before) => without(before, id));
    query.refetch();
  }

  return (
    <>
      {end.error !== null && (
        <div className={classes.sessionNotice}>
          <Notice kind="error">{t('Failed to sign out the device: {error}', { error: t(end.error) })}</Notice>
        </div>
      )}
      <QueryStates
        query={query}
        loadingText={t('Loading devices...')}
        skeleton={<Bone height="8rem" />}
        errorText={(error) => t('Error loading devices: {error}', { error })}
      >
        {(sessions) => {
          const shown = sessions.filter(({ _id }) => !ended.includes(_id));
          return shown.length === 0 ? (
            <EmptyState text={t('No devices found')} hint={t('Devices you sign in on appear here.')} />
          ) : (
            <>
              <ul className={classes.sessions}>
                {shown.map((session) => (
                  <Session
                    key={session._id}
                    session={session}
                    now={now}
                    onEnd={session.current ? onSignOutHere : () => void endOne(session._id)}
                  />
                ))}
              </ul>
              {shown.some(({ current }) => !current) && (
                <BusyButton
                  variant="default"
                  className={classes.sessionEverywhere}
                  isBusy={end.isPending}
                  busyText={t('Signing out...')}
                  onClick={() => void endOthers()}
                >
                  {t('Sign out everywhere else')}
                </BusyButton>
              )}
            </>
          );
        }}
      </QueryStates>
    </>
  );
}

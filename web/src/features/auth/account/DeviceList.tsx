import { Button } from '@mantine/core';
import { IconDeviceDesktop, IconDeviceMobile } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { endOtherSessions, endSession, type SessionView } from '#contract/auth/auth.ts';
import { errorMessage } from '../../../api/api-error.ts';
import { call } from '../../../api/call.ts';
import { keys } from '../../../api/keys.ts';
import { queryClient } from '../../../api/query-client.ts';
import { Tag } from '../../../ui/data/Tag.tsx';
import { useNow } from '../../../ui/data/use-now.ts';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { EmptyState, QueryStates, Skeleton } from '../../../ui/feedback/PageStates.tsx';
import { BusyButton } from '../../../ui/form/BusyButton.tsx';
import { formatExactTime, formatTime, lastActiveText } from '../../../ui/text/format.ts';
import { useLocale, useText } from '../../../ui/text/text.ts';
import classes from '../account.module.css';
import { devicesQuery } from '../queries.ts';

const handheld = /iPhone|iPad|Android|Mobile/i;

function Device({ session, now, onEnd }: { session: SessionView; now: number; onEnd: () => void }) {
  const t = useText();
  const locale = useLocale();
  const Icon = handheld.test(session.device) ? IconDeviceMobile : IconDeviceDesktop;
  const used = lastActiveText(session.lastUsedAt, now, locale);
  return (
    <li className={classes.item}>
      <Icon size={24} stroke={1.5} aria-hidden="true" className={classes.icon} />
      <div>
        <p className={classes.name}>
          {session.device} {session.current && <Tag tone="positive">{t('This device')}</Tag>}
        </p>
        <p className={classes.facts}>
          {session.network !== null && <span>{t('Network {network}', { network: session.network })}</span>}
          <time dateTime={session.createdAt} title={formatExactTime(session.createdAt, locale)}>
            {t('Signed in {time}', { time: formatTime(session.createdAt, locale) })}
          </time>
          <time dateTime={session.lastUsedAt} title={formatExactTime(session.lastUsedAt, locale)}>
            {t('Last used: {time}', { time: t(used.text, used.values) })}
          </time>
        </p>
      </div>
      <div className={classes.buttons}>
        <Button
          variant="default"
          size="xs"
          onClick={onEnd}
          aria-label={session.current ? t('Sign out this device') : t('Sign out {device}', { device: session.device })}
        >
          {t('Sign out')}
        </Button>
      </div>
    </li>
  );
}

/** The devices signed in to the account; each can be signed out, this one with `onSignOutHere`. */
export function DeviceList({ onSignOutHere }: { onSignOutHere: () => void }) {
  const t = useText();
  const now = useNow(60_000);
  const query = useQuery(devicesQuery);
  const refetch = () => queryClient.invalidateQueries({ queryKey: keys.devices });
  const endOthers = useMutation({ mutationFn: () => call(endOtherSessions), onSuccess: refetch });
  const endOne = useMutation({
    mutationFn: (id: string) => call(endSession, { params: { id } }),
    // The row disappears at once; the list that the server answers afterwards is the truth.
    onMutate: (id) =>
      queryClient.setQueryData(devicesQuery.queryKey, (sessions) => sessions?.filter(({ _id }) => _id !== id)),
    onSettled: refetch,
  });
  const error = errorMessage(endOne.error ?? endOthers.error);

  return (
    <div className={classes.wide}>
      {error !== null && (
        <Notice kind="error">{t("Couldn't sign out the device: {error}", { error: t(error) })}</Notice>
      )}
      <QueryStates
        query={query}
        loadingText={t('Loading devices...')}
        skeleton={<Skeleton height="8rem" />}
        errorText={(text) => t("Couldn't load your devices: {error}", { error: text })}
      >
        {(sessions) =>
          sessions.length === 0 ? (
            <EmptyState text={t('No devices found')} hint={t('Devices you sign in on appear here.')} />
          ) : (
            <>
              <ul className={classes.list}>
                {sessions.map((session) => (
                  <Device
                    key={session._id}
                    session={session}
                    now={now}
                    onEnd={session.current ? onSignOutHere : () => endOne.mutate(session._id)}
                  />
                ))}
              </ul>
              {sessions.some(({ current }) => !current) && (
                <div>
                  <BusyButton
                    variant="default"
                    isBusy={endOthers.isPending}
                    busyText={t('Signing out...')}
                    onClick={() => endOthers.mutate()}
                  >
                    {t('Sign out everywhere else')}
                  </BusyButton>
                </div>
              )}
            </>
          )
        }
      </QueryStates>
    </div>
  );
}

import type { MessageDescriptor } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import { Box, NativeSelect, Stack, Text } from '@mantine/core';
import { useEffect, useId, useState } from 'react';
import {
  type MailTime,
  mailTimes,
  type NotificationChoice,
  type NotificationKind,
  notificationKinds,
  type NotificationSettings as Settings,
} from '#contract/notifications.ts';
import { ApiError } from '../../api/api-error.ts';
import { type PushState, pushState, turnPushOff, turnPushOn } from '../../api/push/push.ts';
import { useServiceConfig } from '../../api/service-config.ts';
import { usePart } from '../../brand.ts';
import table from '../../ui/data/CardTable.module.css';
import { Tag } from '../../ui/data/Tag.tsx';
import { Notice } from '../../ui/feedback/Notice.tsx';
import { QueryStates } from '../../ui/feedback/PageStates.tsx';
import { BusyButton } from '../../ui/form/BusyButton.tsx';
import { Switch } from '../../ui/form/Field.tsx';
import { Hint } from '../../ui/layout/text-blocks.tsx';
import { Part } from '../../ui/layout/Page.tsx';
import { useVisible } from '../../ui/loading/online.ts';
import { QuietHours } from './QuietHours.tsx';
import { useChangeSettings, useNotificationSettings } from './queries.ts';

const kindWords: Record<NotificationKind, Record<'name' | 'about', MessageDescriptor>> = {
  message: { name: msg`Messages`, about: msg`A match wrote to you.` },
  match: { name: msg`Matches`, about: msg`Someone you like likes you back.` },
  like: { name: msg`Likes`, about: msg`Someone likes you.` },
  date: { name: msg`Dates`, about: msg`A date was suggested, accepted or canceled, or we ask how it went.` },
  fit: {
    name: msg`New people who fit`,
    about: msg`Someone new fits your preferences or a saved filter with a bell. Once a day at most, and never if no one does.`,
  },
  report: { name: msg`Updates on my reports`, about: msg`Our team wrote to you, or your report was decided.` },
};

const timeWords: Record<MailTime, MessageDescriptor> = {
  now: msg`At once`,
  daily: msg`Daily`,
  weekly: msg`Weekly`,
  never: msg`Never`,
};

interface MailChoiceProps {
  labelledBy: string;
  value: MailTime;
  times: readonly MailTime[];
  onChange: (value: MailTime) => void;
}

/** How often a kind is sent by email. */
function MailChoice({ labelledBy, value, times, onChange }: MailChoiceProps) {
  return (
    <NativeSelect
      miw="7.5rem"
      aria-labelledby={labelledBy}
      value={value}
      onChange={(event) => {
        const chosen = times.find((time) => time === event.currentTarget.value);
        if (chosen !== undefined) onChange(chosen);
      }}
      data={times.map((time) => ({ value: time, label: t(timeWords[time]) }))}
    />
  );
}

interface KindRowProps {
  kind: NotificationKind;
  choice: NotificationChoice;
  mailId: string;
  pushId: string;
  onChoose: (choice: NotificationChoice) => void;
}

function KindRow({ kind, choice, mailId, pushId, onChoose }: KindRowProps) {
  const id = useId();
  const { name, about } = kindWords[kind];
  return (
    <tr>
      <Box scope="row" component="th" w="100%" fw={400}>
        <Text id={id} component="span" display="block" fw={600}>
          {t(name)}
        </Text>
        <Hint component="span" display="block">
          {t(about)}
        </Hint>
      </Box>
      <td data-label={t`By email`}>
        <MailChoice
          labelledBy={`${id} ${mailId}`}
          value={choice.mail}
          times={kind === 'fit' ? mailTimes.filter((time) => time !== 'now') : mailTimes}
          onChange={(mail: MailTime) => onChoose({ ...choice, mail })}
        />
      </td>
      <td data-label={t`On my devices`}>
        <Switch
          aria-labelledby={`${id} ${pushId}`}
          checked={choice.push}
          onChange={(event) => onChoose({ ...choice, push: event.currentTarget.checked })}
        />
      </td>
    </tr>
  );
}

function Choices({ initial }: { initial: Settings }) {
  const id = useId();
  const { shown, choose, error, isSaved } = useChangeSettings(initial);
  const [mailId, pushId] = [`${id}-mail`, `${id}-push`];
  const hasDates = usePart('dates');
  return (
    <>
      <table className={table.table} aria-label={t`What I want to be notified of`}>
        <thead>
          <tr>
            <th scope="col">{t`News`}</th>
            <th scope="col" id={mailId}>
              {t`By email`}
            </th>
            <th scope="col" id={pushId}>
              {t`On my devices`}
            </th>
          </tr>
        </thead>
        <tbody>
          {notificationKinds
            .filter((kind) => kind !== 'date' || hasDates)
            .map((kind) => (
              <KindRow
                key={kind}
                kind={kind}
                choice={shown[kind]}
                mailId={mailId}
                pushId={pushId}
                onChoose={(choice) => choose(kind, choice)}
              />
            ))}
        </tbody>
      </table>
      <div role="status" className="visually-hidden">
        {isSaved && t`Saved.`}
      </div>
      {error !== null && <Notice kind="error">{t`Couldn't save this: ${{ error: error }}`}</Notice>}
    </>
  );
}

/** Lists the emails that can't be turned off. */
function AlwaysMailed() {
  return (
    <Part title={t`Always by email`}>
      <ul>
        <li>{t`Your account: codes, new addresses and passwords.`}</li>
        <li>{t`Your reports: that we received them.`}</li>
        <li>{t`Your pictures: if one can't be shown, and why.`}</li>
        <li>{t`Your premium: when it starts, and if a payment fails.`}</li>
      </ul>
      <Hint mt="0.6rem">{t`These keep your account safe, so they can't be turned off.`}</Hint>
    </Part>
  );
}

function OwnChoices() {
  const query = useNotificationSettings();
  return (
    <>
      <QueryStates
        query={query}
        loadingText={t`Loading your settings...`}
        skeleton="18rem"
        errorText={(error) => t`Couldn't load your settings: ${error}`}
      >
        {(settings) => <Choices initial={settings} />}
      </QueryStates>
      <PushChoice />
      {query.isSuccess && <QuietHours />}
    </>
  );
}

/** The notifications that the user gets by email and on devices. Staff can't change anything. */
export function NotificationSettings({ isStaff }: { isStaff: boolean }) {
  return (
    <Stack gap="1.5rem" className={table.place ?? ''} data-in-order>
      {!isStaff && <OwnChoices />}
      <AlwaysMailed />
    </Stack>
  );
}

const stateWords: Record<PushState, MessageDescriptor> = {
  on: msg`This device gets the notifications you chose above, even while {brand} is closed.`,
  off: msg`This device doesn't get notifications yet. Turn them on for each device.`,
  blocked: msg`Your browser blocks notifications from {brand}. Allow them for this site, next to the address, then come back here.`,
  insecure: msg`This only works over a secure connection (https).`,
  homeScreen: msg`On iPhone and iPad, this works once {brand} is on your home screen: choose Share, then “Add to Home Screen”, and open it from there.`,
  unable: msg`Notifications aren't supported in this browser or in private windows.`,
};

/** The action that failed, and the state before it. */
interface Failure {
  wasOn: boolean;
  text: string;
}

/**
 * The current state. It is checked again when the user returns to the page, because the browser's permission may have
 * changed.
 */
function usePushState() {
  const [state, setState] = useState<PushState | null>(null);
  const isVisible = useVisible();

  useEffect(() => {
    if (!isVisible) return;
    const look = () => void pushState().then(setState, () => setState('unable'));
    look();
    window.addEventListener('focus', look);
    return () => window.removeEventListener('focus', look);
  }, [isVisible]);

  return { state, setState };
}

/** Turns notifications on this device on and off. Only pressing the button requests the browser's permission. */
function PushChoice() {
  const config = useServiceConfig();
  const { state, setState } = usePushState();
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [isDismissed, setDismissed] = useState(false);

  async function change(wasOn: boolean, publicKey: string): Promise<void> {
    setBusy(true);
    setFailure(null);
    setDismissed(false);
    try {
      if (wasOn) await turnPushOff();
      const next = wasOn ? 'off' : await turnPushOn(publicKey);
      setDismissed(!wasOn && next === 'off');
      setState(next);
    } catch (error) {
      setFailure({
        wasOn,
        text:
          error instanceof ApiError
            ? error.message
            : t`Your browser refused. This doesn't work in private windows; otherwise please try again later.`,
      });
    }
    setBusy(false);
  }

  const isOn = state === 'on';
  return (
    <Part
      title={t`On this device`}
      tag={
        state !== null && (
          <Tag tone={isOn ? 'positive' : 'quiet'}>
            {isOn ? t({ message: 'On', context: 'notifications' }) : t({ message: 'Off', context: 'notifications' })}
          </Tag>
        )
      }
    >
      <Stack gap="0.6rem" align="flex-start">
        <Hint role="status">
          {state !== null && t(stateWords[state])}{' '}
          {isDismissed && t`Your browser didn't allow it, so notifications stay off.`}
        </Hint>
        {failure !== null && (
          <Notice kind="error">
            {failure.wasOn
              ? t`Couldn't turn this off: ${{ error: failure.text }}`
              : t`Couldn't turn this on: ${{ error: failure.text }}`}
          </Notice>
        )}
        {(isOn || state === 'off') && config !== undefined && (
          <BusyButton
            variant={isOn ? 'default' : 'filled'}
            isBusy={isBusy}
            busyText={isOn ? t`Turning off...` : t`Turning on...`}
            onClick={() => void change(isOn, config.pushPublicKey)}
          >
            {isOn ? t`Turn off for this device` : t`Turn on for this device`}
          </BusyButton>
        )}
      </Stack>
    </Part>
  );
}

import { IconChevronDown } from '@tabler/icons-react';
import { useEffect, useId, useRef } from 'react';
import { useLocation } from 'react-router';
import {
  type MailTime,
  mailTimes,
  type NotificationChoice,
  type NotificationKind,
  notificationKinds,
  type NotificationSettings as Settings,
} from '#contract/notifications.ts';
import { Notice } from '../../ui/feedback/Notice.tsx';
import { QueryStates, Skeleton } from '../../ui/feedback/PageStates.tsx';
import { Switch } from '../../ui/form/Switch.tsx';
import { t } from '../../ui/text/text.ts';
import mailClasses from './MailChoice.module.css';
import classes from './NotificationSettings.module.css';
import { PushChoice } from './PushChoice.tsx';
import { useChangeSettings, useNotificationSettings } from './queries.ts';

const kindWords: Record<NotificationKind, { name: string; about: string }> = {
  message: { name: 'Messages', about: 'A match wrote to you.' },
  match: { name: 'Matches', about: 'Someone you like likes you back.' },
  like: { name: 'Likes', about: 'Someone likes you.' },
  report: { name: 'Updates on my reports', about: 'Our team answered, or your report is settled.' },
};

const timeWords: Record<MailTime, string> = { now: 'At once', daily: 'Daily', weekly: 'Weekly', never: 'Never' };

interface MailChoiceProps {
  labelledBy: string;
  value: MailTime;
  onChange: (value: MailTime) => void;
}

/** How often a kind is sent by e-mail. */
function MailChoice({ labelledBy, value, onChange }: MailChoiceProps) {
  return (
    <span className={mailClasses.choice}>
      <select
        aria-labelledby={labelledBy}
        value={value}
        onChange={(event) => {
          const chosen = mailTimes.find((time) => time === event.currentTarget.value);
          if (chosen !== undefined) onChange(chosen);
        }}
      >
        {mailTimes.map((time) => (
          <option key={time} value={time}>
            {t(timeWords[time])}
          </option>
        ))}
      </select>
      <IconChevronDown size={18} stroke={1.75} aria-hidden="true" />
    </span>
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
      <th scope="row" className={classes.kind}>
        <span id={id} className={classes.name}>
          {t(name)}
        </span>
        <span className={classes.about}>{t(about)}</span>
      </th>
      <td data-label={t('By mail')}>
        <MailChoice
          labelledBy={`${id} ${mailId}`}
          value={choice.mail}
          onChange={(mail: MailTime) => onChoose({ ...choice, mail })}
        />
      </td>
      <td data-label={t('On my devices')}>
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
  return (
    <>
      <table className={classes.table} aria-label={t('What I want to be notified of')}>
        <thead>
          <tr>
            <th scope="col">{t('News')}</th>
            <th scope="col" id={mailId}>
              {t('By mail')}
            </th>
            <th scope="col" id={pushId}>
              {t('On my devices')}
            </th>
          </tr>
        </thead>
        <tbody>
          {notificationKinds.map((kind) => (
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
        {isSaved && t('Saved.')}
      </div>
      {error !== null && <Notice kind="error">{t('This could not be changed: {error}', { error: t(error) })}</Notice>}
    </>
  );
}

/** The e-mails that cannot be switched off. */
function AlwaysMailed() {
  return (
    <div className={classes.part}>
      <h3 className={classes.title}>{t('Always by mail')}</h3>
      <ul className={classes.mails}>
        <li>{t('Your account: codes, new addresses and passwords.')}</li>
        <li>{t('Your reports: that they arrived.')}</li>
        <li>{t('Your pictures: when one cannot be shown, and why.')}</li>
        <li>{t('Your premium: when it starts, and when a payment fails.')}</li>
      </ul>
      <p className={classes.lead}>{t('These belong to your safety and cannot be switched off.')}</p>
    </div>
  );
}

function OwnChoices() {
  const query = useNotificationSettings();
  return (
    <>
      <QueryStates
        query={query}
        loadingText={t('Loading your settings...')}
        skeleton={<Skeleton height="18rem" />}
        errorText={(error) => t('Your settings could not be loaded: {error}', { error })}
      >
        {(settings) => <Choices initial={settings} />}
      </QueryStates>
      <PushChoice />
    </>
  );
}

/** What the user is notified of, by e-mail and on devices. Staff can't change anything. */
export function NotificationSettings({ isStaff }: { isStaff: boolean }) {
  const place = useRef<HTMLDivElement>(null);
  const { hash } = useLocation();

  useEffect(() => {
    if (hash === '#notifications') place.current?.scrollIntoView();
  }, [hash]);

  return (
    <div ref={place} className={classes.parts}>
      {!isStaff && <OwnChoices />}
      <AlwaysMailed />
    </div>
  );
}

import { useEffect, useId, useRef } from 'react';
import { useLocation } from 'react-router';
import {
  type MailTime,
  type NotificationChoice,
  type NotificationKind,
  notificationKinds,
  type NotificationSettings as Settings,
} from '#contract/notifications.ts';
import { Notice } from '../../ui/feedback/Notice.tsx';
import { Bone, QueryStates } from '../../ui/feedback/PageStates.tsx';
import { Switch } from '../../ui/form/Switch.tsx';
import { useText } from '../../ui/text/text.ts';
import { MailChoice } from './MailChoice.tsx';
import classes from './NotificationSettings.module.css';
import { PushChoice } from './PushChoice.tsx';
import { useChoices, useSettings } from './use-settings.ts';

const kindWords: Record<NotificationKind, { name: string; about: string }> = {
  message: { name: 'Messages', about: 'Somebody you matched with wrote to you.' },
  match: { name: 'Matches', about: 'Somebody you liked likes you, too.' },
  like: { name: 'Likes', about: 'Somebody likes you.' },
  report: { name: 'News on my reports', about: 'Our team answered, or your report is settled.' },
};

interface KindRowProps {
  kind: NotificationKind;
  choice: NotificationChoice;
  mailId: string;
  pushId: string;
  onChoose: (choice: NotificationChoice) => void;
}

function KindRow({ kind, choice, mailId, pushId, onChoose }: KindRowProps) {
  const t = useText();
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
  const t = useText();
  const id = useId();
  const { shown, choose, error, isSaved } = useChoices(initial);
  const [mailId, pushId] = [`${id}-mail`, `${id}-push`];
  return (
    <>
      <table className={classes.table} aria-label={t('What I want to be told of')}>
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

/** The mails that always come: they belong to the safety of the account. */
function AlwaysMailed() {
  const t = useText();
  return (
    <div className={classes.part}>
      <h3 className={classes.title}>{t('Always by mail')}</h3>
      <ul className={classes.mails}>
        <li>{t('Your account: codes, new addresses and passwords.')}</li>
        <li>{t('Your reports: that they arrived.')}</li>
        <li>{t('Your pictures: when one cannot be shown, and why.')}</li>
        <li>{t('Your premium: that it has begun, and when a payment failed.')}</li>
      </ul>
      <p className={classes.lead}>{t('These belong to your safety and cannot be switched off.')}</p>
    </div>
  );
}

function OwnChoices() {
  const t = useText();
  const query = useSettings();
  return (
    <>
      <QueryStates
        query={query}
        loadingText={t('Loading your settings...')}
        skeleton={<Bone height="18rem" />}
        errorText={(error) => t('Your settings could not be loaded: {error}', { error })}
      >
        {(settings) => <Choices initial={settings} />}
      </QueryStates>
      <PushChoice />
    </>
  );
}

/** What one is told of, by mail and on devices; staff, who meet nobody, have nothing to choose. */
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

import { IconEye, IconUserCheck, IconUserOff } from '@tabler/icons-react';
import { memo } from 'react';
import type { ListedUser } from '#contract/user.ts';
import { Avatar } from '../../ui/Avatar.tsx';
import { formatDate, formatExactTime, lastActiveText } from '../../ui/format.ts';
import { personName } from '../../ui/person.ts';
import { Tag } from '../../ui/Tag.tsx';
import { useLocale, useText } from '../../ui/text.ts';
import { shortUserId, statusTones, statusWord } from './user-words.ts';
import classes from './UsersTable.module.css';

export interface RowActions {
  onView: (user: ListedUser) => void;
  onActivate: (user: ListedUser) => void;
  onDeactivate: (user: ListedUser) => void;
}

interface RowProps extends RowActions {
  user: ListedUser;
  /** The time now, for last-active. */
  now: number;
}

/** View, activate, deactivate; the last two only for whom the server lets change users. */
export function UserActions({ user, onView, onActivate, onDeactivate }: Omit<RowProps, 'now'>) {
  const t = useText();
  const name = personName(user) ?? t('Unknown');
  const isProtected = user.isActive && !user.can.deactivate && !user.can.activate;
  return (
    <span className={classes.actions}>
      <button
        type="button"
        className={classes.action}
        aria-label={t('View {name}', { name })}
        title={t('View')}
        onClick={() => onView(user)}
      >
        <IconEye size={18} stroke={1.75} aria-hidden="true" />
        <span className={classes.actionText}>{t('View')}</span>
      </button>
      {user.can.edit && (
        <>
          <button
            type="button"
            className={classes.action}
            data-tone="positive"
            disabled={user.isActive}
            aria-label={t('Activate {name}', { name })}
            title={t('Activate')}
            onClick={() => onActivate(user)}
          >
            <IconUserCheck size={18} stroke={1.75} aria-hidden="true" />
            <span className={classes.actionText}>{t('Activate')}</span>
          </button>
          <button
            type="button"
            className={classes.action}
            data-tone="accent"
            disabled={!user.isActive || isProtected}
            aria-label={t('Deactivate {name}', { name })}
            title={isProtected ? t('You cannot deactivate this account') : t('Deactivate')}
            onClick={() => onDeactivate(user)}
          >
            <IconUserOff size={18} stroke={1.75} aria-hidden="true" />
            <span className={classes.actionText}>{t('Deactivate')}</span>
          </button>
        </>
      )}
    </span>
  );
}

/** Whether the e-mail address is proven. */
export function VerifiedTag({ isEmailVerified }: Pick<ListedUser, 'isEmailVerified'>) {
  const t = useText();
  return isEmailVerified ? <Tag tone="info">{t('Verified')}</Tag> : <Tag tone="quiet">{t('Unverified')}</Tag>;
}

/** Inactive, online or offline. */
export function StatusTag({ user }: { user: Pick<ListedUser, 'isActive' | 'isOnline'> }) {
  const t = useText();
  const word = statusWord(user);
  return (
    <Tag tone={statusTones[word]} hasDot>
      {t(word)}
    </Tag>
  );
}

/** Premium or free. */
export function SubscriptionTag({ isVIP }: Pick<ListedUser, 'isVIP'>) {
  const t = useText();
  return isVIP ? <Tag tone="attention">{t('Premium')}</Tag> : <Tag tone="quiet">{t('Free')}</Tag>;
}

/** Last-active in the spec's words; the exact time is its title. */
export function LastActive({ time, now }: { time: string | null; now: number }) {
  const t = useText();
  const locale = useLocale();
  const { text, values } = lastActiveText(time, now, locale);
  if (time === null) return <>{t(text)}</>;
  return (
    <time dateTime={time} title={formatExactTime(time, locale)}>
      {t(text, values)}
    </time>
  );
}

interface TableRowProps extends RowProps {
  /** The row's place among all rows, the head included, from 1. */
  ariaRowIndex: number;
}

/** One user as a table row; drawn anew only when the user or the minute changes. */
export const UserRow = memo(function UserRow({ user, now, ariaRowIndex, ...actions }: TableRowProps) {
  const t = useText();
  const locale = useLocale();
  const name = personName(user) ?? t('Unknown');
  const city = user.location?.city;
  return (
    <tr aria-rowindex={ariaRowIndex} className={classes.row}>
      <td>
        <div className={classes.person}>
          <Avatar id={user._id} name={personName(user)} picture={user.profilePicture} size={36} />
          <div className={classes.lines}>
            <span className={classes.name} title={name}>
              {name}
            </span>
            <span className={classes.under}>
              <code className={classes.id} title={user._id}>
                {shortUserId(user._id)}
              </code>
              <VerifiedTag isEmailVerified={user.isEmailVerified} />
            </span>
          </div>
        </div>
      </td>
      <td>
        <div className={classes.lines}>
          <span className={classes.cut} title={user.email}>
            {user.email}
          </span>
          <span className={classes.soft} title={city ?? undefined}>
            {city ?? '—'}
          </span>
        </div>
      </td>
      <td>
        <time dateTime={user.createdAt} title={formatExactTime(user.createdAt, locale)}>
          {formatDate(user.createdAt, locale)}
        </time>
      </td>
      <td>
        <LastActive time={user.lastActive} now={now} />
      </td>
      <td>
        <StatusTag user={user} />
      </td>
      <td>
        <SubscriptionTag isVIP={user.isVIP} />
      </td>
      <td>
        <UserActions user={user} {...actions} />
      </td>
    </tr>
  );
});

/** One user as a card, for narrow screens. */
export const UserCard = memo(function UserCard({ user, now, ...actions }: RowProps) {
  const t = useText();
  const locale = useLocale();
  const name = personName(user) ?? t('Unknown');
  const city = user.location?.city;
  return (
    <div className={classes.card}>
      <div className={classes.person}>
        <Avatar id={user._id} name={personName(user)} picture={user.profilePicture} />
        <div className={classes.lines}>
          <span className={classes.name} title={name}>
            {name}
          </span>
          <span className={classes.cut} title={user.email}>
            {user.email}
          </span>
        </div>
      </div>
      <div className={classes.tags}>
        <StatusTag user={user} />
        <SubscriptionTag isVIP={user.isVIP} />
        <VerifiedTag isEmailVerified={user.isEmailVerified} />
      </div>
      <dl className={classes.facts}>
        <div>
          <dt>{t('City')}</dt>
          <dd>{city ?? '—'}</dd>
        </div>
        <div>
          <dt>{t('Id')}</dt>
          <dd>
            <code className={classes.id} title={user._id}>
              {shortUserId(user._id)}
            </code>
          </dd>
        </div>
        <div>
          <dt>{t('Join Date')}</dt>
          <dd>
            <time dateTime={user.createdAt} title={formatExactTime(user.createdAt, locale)}>
              {formatDate(user.createdAt, locale)}
            </time>
          </dd>
        </div>
        <div>
          <dt>{t('Last Active')}</dt>
          <dd>
            <LastActive time={user.lastActive} now={now} />
          </dd>
        </div>
      </dl>
      <UserActions user={user} {...actions} />
    </div>
  );
});

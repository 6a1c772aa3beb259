import { memo } from 'react';
import type { ListedUser } from '#contract/profiles/user.ts';
import { Avatar } from '../../../../ui/data/Avatar.tsx';
import { formatDate, formatExactTime } from '../../../../ui/text/format.ts';
import { personName } from '../../../../ui/text/person.ts';
import { useLocale, useText } from '../../../../ui/text/text.ts';
import { shortUserId } from './user-words.ts';
import { type RowActions, UserActions } from './UserActions.tsx';
import { LastActive, StatusTag, SubscriptionTag, VerifiedTag } from './UserMarks.tsx';
import classes from './UsersTable.module.css';

interface UserRowProps extends RowActions {
  user: ListedUser;
  /** The time now, for last-active. */
  now: number;
  /** The row's place among all rows, the head included, from 1. */
  ariaRowIndex: number;
}

/** One user as a table row; drawn anew only when the user or the minute changes. */
export const UserRow = memo(function UserRow({ user, now, ariaRowIndex, ...actions }: UserRowProps) {
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
            <span className={classes.name} title={name} dir="auto">
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
          <span className={classes.cut} title={user.email} dir="auto">
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

import { memo } from 'react';
import type { ListedUser } from '#contract/profiles/user.ts';
import { Avatar } from '../../../../ui/data/Avatar.tsx';
import { formatDate, formatExactTime } from '../../../../ui/text/format.ts';
import { personName } from '../../../../ui/text/person.ts';
import { useLocale, useText } from '../../../../ui/text/text.ts';
import { shortUserId } from './user-words.ts';
import { type RowActions, UserActions } from './UserActions.tsx';
import { LastActive, StatusTag, SubscriptionTag, VerifiedTag } from './UserMarks.tsx';
import cardClasses from './UserCards.module.css';
import classes from './UsersTable.module.css';

interface UserCardProps extends RowActions {
  user: ListedUser;
  /** The time now, for last-active. */
  now: number;
}

/** One user as a card, for narrow screens. */
export const UserCard = memo(function UserCard({ user, now, ...actions }: UserCardProps) {
  const t = useText();
  const locale = useLocale();
  const name = personName(user) ?? t('Unknown');
  const city = user.location?.city;
  return (
    <div className={cardClasses.card} data-card>
      <div className={classes.person}>
        <Avatar id={user._id} name={personName(user)} picture={user.profilePicture} />
        <div className={classes.lines}>
          <span className={classes.name} title={name} dir="auto">
            {name}
          </span>
          <span className={classes.cut} title={user.email} dir="auto">
            {user.email}
          </span>
        </div>
      </div>
      <div className={cardClasses.tags}>
        <StatusTag user={user} />
        <SubscriptionTag isVIP={user.isVIP} />
        <VerifiedTag isEmailVerified={user.isEmailVerified} />
      </div>
      <dl className={cardClasses.facts}>
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

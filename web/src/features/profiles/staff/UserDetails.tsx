import type { ReactNode } from 'react';
import type { ListedUser } from '#contract/profiles/user.ts';
import { Avatar } from '../../../ui/data/Avatar.tsx';
import { Tag } from '../../../ui/data/Tag.tsx';
import { formatDate, formatExactTime, formatNumber } from '../../../ui/text/format.ts';
import { personName } from '../../../ui/text/person.ts';
import { t } from '../../../ui/text/text.ts';
import { genderWord, placeText } from '../person-words.ts';
import { LastActive, roleWords, StatusTag, SubscriptionTag, VerifiedTag } from './UserMarks.tsx';
import classes from './users.module.css';

/** What both the list and the full view know of a user. */
export type ShownUser = Omit<ListedUser, 'can'>;

/** One named fact of a list of facts. */
export function Fact({ name, children, isWide = false }: { name: string; children: ReactNode; isWide?: boolean }) {
  return (
    <div className={classes.fact} data-wide={isWide || undefined}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** Picture, name (unless the page's heading shows it) and account status. */
export function UserHead({ user, isNamed = true }: { user: ShownUser; isNamed?: boolean }) {
  const name = personName(user);
  return (
    <div className={classes.head}>
      <Avatar id={user._id} name={name} picture={user.profilePicture} size={64} />
      <div className={classes.headText}>
        {isNamed && <p className={classes.userDetailsName}>{name ?? t('Unknown')}</p>}
        <p className={classes.userDetailsTags}>
          <StatusTag user={user} />
          <SubscriptionTag isVIP={user.isVIP} />
          <VerifiedTag isEmailVerified={user.isEmailVerified} />
          {user.staffRole !== null && <Tag tone="accent">{t(roleWords[user.staffRole])}</Tag>}
        </p>
      </div>
    </div>
  );
}

/** The facts of the spec's detail view. */
export function UserFacts({ user, now, children }: { user: ShownUser; now: number; children?: ReactNode }) {
  const missing = t('N/A');
  const gender = genderWord(user);
  return (
    <dl className={classes.userDetailsFacts}>
      <Fact name={t('Email')}>{user.email}</Fact>
      <Fact name={t('User ID')}>
        <code className={classes.userDetailsId}>{user._id}</code>
      </Fact>
      <Fact name={t('Join Date')}>
        <time dateTime={user.createdAt} title={formatExactTime(user.createdAt)}>
          {formatDate(user.createdAt)}
        </time>
      </Fact>
      <Fact name={t('Last Active')}>
        <LastActive time={user.lastActive} now={now} />
      </Fact>
      <Fact name={t('Age')}>{user.age === null ? missing : formatNumber(user.age)}</Fact>
      <Fact name={t('Gender')}>{gender === null ? missing : t(gender)}</Fact>
      <Fact name={t('Location')}>{placeText(user.location) ?? missing}</Fact>
      <Fact name={t('Profile Complete')}>{user.profileComplete ? t('Yes') : t('No')}</Fact>
      <Fact name={t('Bio')} isWide>
        <span className={classes.bio}>{user.bio || missing}</span>
      </Fact>
      {children}
    </dl>
  );
}

import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { PublicUser } from '#contract/profiles/user.ts';
import { Avatar } from '../../ui/data/Avatar.tsx';
import { formatDate, formatExactTime, formatNumber } from '../../ui/text/format.ts';
import { memberName } from '../../ui/text/person.ts';
import { useLocale, useText } from '../../ui/text/text.ts';
import classes from './PersonList.module.css';

interface PersonRowProps {
  user: PublicUser;
  /** When it came to it, and the words for that; `{date}` is filled in. */
  at: string;
  atText: string;
  /** Notes and what they are on. */
  children?: ReactNode;
  actions: ReactNode;
}

/** Somebody in a list, with the way to their profile. */
export function PersonRow({ user, at, atText, children, actions }: PersonRowProps) {
  const t = useText();
  const locale = useLocale();
  const name = memberName(user, t);
  const heading = user.age === null ? name : t('{name}, {age}', { name, age: formatNumber(user.age, locale) });
  return (
    <li className={classes.person}>
      <Avatar id={user._id} name={name} picture={user.profilePicture} size={72} />
      <div className={classes.text}>
        <p className={classes.name}>
          <Link to={`/app/members/${user._id}`}>
            <bdi>{heading}</bdi>
          </Link>
        </p>
        <p className={classes.facts}>
          {user.location?.city && (
            <>
              <bdi>{user.location.city}</bdi>
              {' · '}
            </>
          )}
          <time dateTime={at} title={formatExactTime(at, locale)}>
            {t(atText, { date: formatDate(at, locale) })}
          </time>
        </p>
        {children}
      </div>
      <div className={classes.actions}>{actions}</div>
    </li>
  );
}

/** What somebody wrote with a like, and who it was. */
export function NoteLine({ by, note }: { by: string; note: string | null }) {
  if (note === null) return null;
  return (
    <blockquote className={classes.note}>
      <span className={classes.by}>{by}</span>
      <span dir="auto">{note}</span>
    </blockquote>
  );
}

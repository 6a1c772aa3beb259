import { type ComponentProps, type ReactNode, useEffect, useEffectEvent } from 'react';
import { Link } from 'react-router';
import type { PublicUser } from '#contract/profiles/user.ts';
import { Avatar } from '../../ui/data/Avatar.tsx';
import { InfiniteList } from '../../ui/data/InfiniteList.tsx';
import { formatDate, formatExactTime, formatNumber } from '../../ui/text/format.ts';
import { memberName } from '../../ui/text/person.ts';
import { t } from '../../ui/text/text.ts';
import classes from './likes.module.css';

interface PersonRowProps {
  user: PublicUser;
  /** When it happened, and a text that says so; `{date}` is filled in. */
  at: string;
  atText: string;
  /** Notes and what they are about. */
  children?: ReactNode;
  actions: ReactNode;
}

/** A person in a list, with a link to their profile. */
export function PersonRow({ user, at, atText, children, actions }: PersonRowProps) {
  const name = memberName(user);
  const heading = user.age === null ? name : t('{name}, {age}', { name, age: formatNumber(user.age) });
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
          <time dateTime={at} title={formatExactTime(at)}>
            {t(atText, { date: formatDate(at) })}
          </time>
        </p>
        {children}
      </div>
      <div className={classes.actions}>{actions}</div>
    </li>
  );
}

/** A note that was sent with a like, and its sender. */
export function NoteLine({ by, note }: { by: string; note: string | null }) {
  if (note === null) return null;
  return (
    <blockquote className={classes.note}>
      <span className={classes.by}>{by}</span>
      <span dir="auto">{note}</span>
    </blockquote>
  );
}

interface PersonListProps {
  label: string;
  query: ComponentProps<typeof InfiniteList>['query'];
  /** The rows. */
  children: ReactNode;
}

/** A list of people that grows page by page. */
export function PersonList({ label, query, children }: PersonListProps) {
  return (
    <InfiniteList query={query}>
      <ul className={classes.list} aria-label={label}>
        {children}
      </ul>
    </InfiniteList>
  );
}

/** Calls `onShown` each time the list was read and is on the screen. */
export function useShown({ dataUpdatedAt }: { dataUpdatedAt: number }, onShown: () => void): void {
  const shown = useEffectEvent(onShown);
  useEffect(() => {
    if (dataUpdatedAt > 0) shown();
  }, [dataUpdatedAt]);
}

import { t } from '@lingui/core/macro';
import { Box, Group, Paper, Stack } from '@mantine/core';
import { type ComponentProps, type ReactNode, type Ref, useEffect, useEffectEvent } from 'react';
import { Link } from 'react-router';
import type { Person } from '#contract/profiles/user.ts';
import { useHiddenWordFinder } from '../../api/hidden-words.ts';
import { Avatar } from '../../ui/data/Avatar.tsx';
import { Covered } from '../../ui/data/Covered.tsx';
import { InfiniteList } from '../../ui/data/InfiniteList.tsx';
import { Notice } from '../../ui/feedback/Notice.tsx';
import { ignoreRepeat } from '../../ui/form/double-click.ts';
import { Hint, Quote } from '../../ui/layout/text-blocks.tsx';
import { daysAgo, formatDate, formatExactTime } from '../../ui/text/format.ts';
import { memberName, nameAndAge } from '../../ui/text/person.ts';
import { cityIn, locale } from '../../ui/text/text.ts';
import classes from './likes.module.css';

interface PersonRowProps {
  user: Person;
  /** The list that the profile's back link leads to. */
  from: 'likes' | 'sent' | 'matches' | 'bookmarks';
  /** The time of the event, and a sentence about it. */
  at: string;
  atText: (when: string) => string;
  /** Notes, and what they are about. */
  children?: ReactNode;
  actions: ReactNode;
}

/** From this number of days on, the date is shown. */
const weekDays = 7;

/** The day of a time as text: today, yesterday, 3 days ago, or "on" a date. */
function dayWords(at: string, now: number): string {
  const days = daysAgo(at, now);
  return days >= 0 && days < weekDays
    ? new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }).format(-days, 'day')
    : t`on ${{ date: formatDate(at) }}`;
}

/** A person in a list, with a link to their profile. */
export function PersonRow({ user, from, at, atText, children, actions }: PersonRowProps) {
  const name = memberName(user);
  const date = formatDate(at);
  const when = dayWords(at, Date.now());
  return (
    <Paper component="li" py="1rem" px="var(--hw-gutter)">
      <Group gap="0.75rem var(--hw-gutter)" align="flex-start">
        <Box flex="1 1 12rem" miw={0}>
          <Group gap="0.5rem var(--hw-gutter)" pos="relative">
            <Avatar id={user._id} name={name} picture={user.profilePicture} size={72} />
            <Box flex="1 1 8rem" miw={0}>
              <p className={classes.name}>
                <Link to={`/app/members/${user._id}?from=${from}`} viewTransition>
                  {nameAndAge(user)}
                </Link>
              </p>
              <Hint>
                {user.location?.city && (
                  <>
                    <bdi>{cityIn(user.location)}</bdi>
                    {' · '}
                  </>
                )}
                <time dateTime={at} title={formatExactTime(at)}>
                  {atText(when)}
                  {!when.includes(date) && <span className="visually-hidden"> ({date})</span>}
                </time>
              </Hint>
            </Box>
          </Group>
          {children}
        </Box>
        <div className={classes.actions}>{actions}</div>
      </Group>
    </Paper>
  );
}

/** Renders the link to report someone, or the note of their like. */
export interface ReportsNotes {
  reportOf: (user: Person, note?: string, isInMenu?: boolean) => ReactNode;
}

interface NoteLineProps {
  by: string;
  note: string | null;
  isOwn?: boolean;
  children?: ReactNode;
}

/** A note sent with a like, and its sender; `children` are its actions. */
export function NoteLine({ by, note, isOwn = false, children }: NoteLineProps) {
  const isHidden = useHiddenWordFinder();
  if (note === null) return null;
  return (
    <Quote mt="0.5rem">
      <Hint component="span">{by}</Hint>
      <span dir="auto">
        <Covered isHidden={!isOwn && isHidden(note)}>{note}</Covered>
      </span>
      {children}
    </Quote>
  );
}

interface PersonListProps {
  label: string;
  query: ComponentProps<typeof InfiniteList>['query'];
  children: ReactNode;
}

/** A list of people that grows page by page. */
export function PersonList({ label, query, children }: PersonListProps) {
  return (
    <InfiniteList query={query}>
      <Stack component="ul" gap="0.75rem" aria-label={label} onClickCapture={ignoreRepeat}>
        {children}
      </Stack>
    </InfiniteList>
  );
}

interface ListPlaceProps {
  ref: Ref<HTMLDivElement>;
  /** Text about what has just happened to a person in the list. */
  status?: string | null;
  children: ReactNode;
}

/** Wraps a list and takes the focus when a person is removed from it. */
export function ListPlace({ ref, status = null, children }: ListPlaceProps) {
  return (
    <div ref={ref} tabIndex={-1}>
      {status !== null && (
        <Notice mb="1rem" kind="success">
          {status}
        </Notice>
      )}
      {children}
    </div>
  );
}

/** Calls `onShown` each time the list has been loaded and is on the screen. */
export function useShown({ dataUpdatedAt }: { dataUpdatedAt: number }, onShown: () => void): void {
  const shown = useEffectEvent(onShown);
  useEffect(() => {
    if (dataUpdatedAt > 0) shown();
  }, [dataUpdatedAt]);
}

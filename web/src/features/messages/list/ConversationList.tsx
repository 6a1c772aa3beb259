import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { ConversationView } from '#contract/messages.ts';
import { Avatar } from '../../../ui/data/Avatar.tsx';
import { CountBadge } from '../../../ui/data/Tag.tsx';
import { InfiniteList, ListStates, type Refusal } from '../../../ui/data/InfiniteList.tsx';
import { useNow } from '../../../ui/data/Time.tsx';
import { EmptyState, Skeleton } from '../../../ui/feedback/PageStates.tsx';
import { formatDate, formatExactTime } from '../../../ui/text/format.ts';
import { memberName } from '../../../ui/text/person.ts';
import { t } from '../../../ui/text/text.ts';
import { shortTime } from '../conversation/message-times.ts';
import type { useConversations } from '../queries.ts';
import classes from './list.module.css';

const minuteMs = 60_000;
const pictureSize = 52;

/** What was said last, in one line. */
function lastLine({ lastMessage, user }: ConversationView): string {
  if (lastMessage?.text == null) return t('Message deleted');
  return lastMessage.from === user._id ? lastMessage.text : t('You: {text}', { text: lastMessage.text });
}

interface ConversationRowProps {
  conversation: ConversationView;
  isOpen: boolean;
  now: number;
}

/** One conversation in the list: who, what was said last and when, and how much is unread. */
function ConversationRow({ conversation, isOpen, now }: ConversationRowProps) {
  const { _id, user, lastMessage, matchedAt, unread } = conversation;
  const name = memberName(user);
  const at = lastMessage?.sentAt ?? matchedAt;
  return (
    <li>
      <Link
        to={`/app/messages/${_id}`}
        className={classes.listRow}
        aria-current={isOpen ? 'page' : undefined}
        data-unread={unread > 0 || undefined}
      >
        <Avatar id={user._id} name={name} picture={user.profilePicture} size={pictureSize} />
        <span className={classes.top}>
          <bdi className={classes.name}>{name}</bdi>
          <time className={classes.time} dateTime={at} title={formatExactTime(at)}>
            {shortTime(at, now)}
          </time>
        </span>
        <span className={classes.foot}>
          <span
            className={classes.listLine}
            dir="auto"
            data-quiet={lastMessage === null || lastMessage.text === null || undefined}
          >
            {lastLine(conversation)}
          </span>
          {unread === 0 && lastMessage?.from === user._id && <span className={classes.turn}>{t('Your turn')}</span>}
          <CountBadge
            count={unread}
            text={t('{count, plural, one {# unread message} other {# unread messages}}', { count: unread })}
          />
        </span>
      </Link>
    </li>
  );
}

const newPictureSize = 76;

/** The people who matched and have not written yet, as a row of photos. */
function NewMatches({ matches }: { matches: readonly ConversationView[] }) {
  if (matches.length === 0) return null;
  return (
    <section className={classes.newMatches}>
      <h2 className={classes.listTitle}>{t('New matches')}</h2>
      <ul className={classes.newList} aria-label={t('New matches')}>
        {matches.map(({ _id, user, matchedAt }) => {
          const name = memberName(user);
          return (
            <li key={_id}>
              <Link
                to={`/app/messages/${_id}`}
                className={classes.newMatch}
                title={t('You matched on {date}', { date: formatDate(matchedAt) })}
              >
                <Avatar id={user._id} name={name} picture={user.profilePicture} size={newPictureSize} />
                <bdi>{name}</bdi>
              </Link>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

interface ConversationListProps {
  conversations: ReturnType<typeof useConversations>;
  /** The conversation that is open next to the list. */
  openId: string | undefined;
  /** Shown instead of the list to members who have something to do first. */
  notYet: (error: Refusal) => ReactNode;
}

function NoConversations() {
  return (
    <div className={classes.none}>
      <EmptyState
        isFramed
        text={t('You have no messages yet.')}
        hint={t('When you and another member like each other, you can write to each other here.')}
        action={
          <Button component={Link} to="/app/discover">
            {t('Discover people')}
          </Button>
        }
      />
    </div>
  );
}

function LoadingSkeleton() {
  return (
    <div className={classes.skeleton}>
      <Skeleton height="4.5rem" />
      <Skeleton height="4.5rem" />
      <Skeleton height="4.5rem" />
    </div>
  );
}

/** The people the member can write to, those written to last first. */
export function ConversationList({ conversations: query, openId, notYet }: ConversationListProps) {
  const now = useNow(minuteMs);
  return (
    <ListStates
      notYet={notYet}
      query={query}
      loadingText={t('Loading your messages...')}
      skeleton={<LoadingSkeleton />}
      errorText="Couldn't load your messages: {error}"
    >
      {(conversations) => {
        if (conversations.length === 0) return <NoConversations />;
        const written = conversations.filter(({ lastMessage }) => lastMessage !== null);
        return (
          <InfiniteList query={query} margin="0.75rem 0.7rem 0">
            <NewMatches matches={conversations.filter(({ lastMessage }) => lastMessage === null)} />
            {written.length === 0 ? (
              <EmptyState text={t('No conversations yet')} hint={t('Open a new match and say hello.')} />
            ) : (
              <ul className={classes.listList} aria-label={t('Conversations')}>
                {written.map((conversation) => (
                  <ConversationRow
                    key={conversation._id}
                    conversation={conversation}
                    isOpen={conversation._id === openId}
                    now={now}
                  />
                ))}
              </ul>
            )}
          </InfiniteList>
        );
      }}
    </ListStates>
  );
}

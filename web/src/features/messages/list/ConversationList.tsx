import { plural, t } from '@lingui/core/macro';
import { Box, Button, Group, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { ConversationView } from '#contract/messages/messages.ts';
import { useHiddenWordFinder } from '../../../api/hidden-words.ts';
import { Avatar } from '../../../ui/data/Avatar.tsx';
import { CountBadge } from '../../../ui/data/Tag.tsx';
import { InfiniteList, ListStates, type Refusal } from '../../../ui/data/InfiniteList.tsx';
import { useNow } from '../../../ui/data/Time.tsx';
import { EmptyState, Skeleton } from '../../../ui/feedback/PageStates.tsx';
import { lazyPart } from '../../../ui/loading/LazyBoundary.tsx';
import { RowLink } from '../../../ui/layout/Rows.tsx';
import { formatDate, formatExactTime } from '../../../ui/text/format.ts';
import { memberName } from '../../../ui/text/person.ts';
import { shortTime } from '../conversation/message-times.ts';
import { directionOfLine, lastLineOf } from '../line-of.ts';
import type { useConversations } from '../queries.ts';
import classes from './list.module.css';

const [EmptyPlace] = lazyPart(
  async () => (await import('../../../ui/feedback/EmptyPlace.tsx')).EmptyPlace,
  <Skeleton height="18rem" />,
);

const minuteMs = 60_000;
const pictureSize = 52;

interface ConversationRowProps {
  conversation: ConversationView;
  isOpen: boolean;
  isHidden: (text: string) => boolean;
  now: number;
}

/** One conversation in the list: the person, the last message with its time, and the number of unread messages. */
function ConversationRow({ conversation, isOpen, isHidden, now }: ConversationRowProps) {
  const { _id, user, lastMessage, matchedAt, unread, snoozedUntil, isEnded = false } = conversation;
  const name = memberName(user);
  const at = lastMessage?.sentAt ?? matchedAt;
  const isUnread = unread > 0;
  return (
    <li>
      <RowLink
        to={`/app/messages/${_id}${snoozedUntil === undefined ? '' : '?snoozed'}`}
        aria-current={isOpen ? 'page' : undefined}
      >
        <Avatar id={user._id} name={name} picture={user.profilePicture} size={pictureSize} />
        <Stack component="span" gap={0} flex={1} className={classes.words}>
          <Group component="span" gap="0 0.6rem" justify="space-between" align="baseline" className={classes.top}>
            <Text component="bdi" truncate fw={isUnread ? 650 : 500}>
              {name}
            </Text>
            <Text component="time" flex="none" c="dimmed" fz="0.8rem" dateTime={at} title={formatExactTime(at)}>
              {shortTime(at, now)}
            </Text>
          </Group>
          <Group component="span" gap="0.6rem" justify="space-between" wrap="nowrap">
            <Text
              component="span"
              dir={directionOfLine(conversation)}
              truncate
              c={isUnread ? 'var(--hw-ink)' : 'dimmed'}
              fz="note"
              fs={(lastMessage?.text ?? null) === null ? 'italic' : 'normal'}
              fw={isUnread ? 650 : 400}
            >
              {lastLineOf(conversation, isHidden)}
            </Text>
            {isEnded && <span className={classes.ended}>{t({ message: 'Ended', context: 'conversation' })}</span>}
            {!isEnded && unread === 0 && lastMessage?.from === user._id && (
              <span className={classes.turn}>{t`Your turn`}</span>
            )}
            <CountBadge
              count={unread}
              text={t`${plural({ count: unread }, { one: '# unread message', other: '# unread messages' })}`}
            />
          </Group>
        </Stack>
      </RowLink>
    </li>
  );
}

const newPictureSize = 76;

/** The people who have matched and not written yet, as a row of pictures. */
function NewMatches({ matches }: { matches: readonly ConversationView[] }) {
  if (matches.length === 0) return null;
  return (
    <Box component="section" mb="1rem">
      <Title order={2} mb="0.6rem" mx="0.7rem" fz="lead">
        {t`New matches`}
      </Title>
      <ul className={classes.newList} aria-label={t`New matches`}>
        {matches.map(({ _id, user, matchedAt }) => {
          const name = memberName(user);
          return (
            <li key={_id}>
              <Link
                to={`/app/messages/${_id}`}
                className={classes.newMatch}
                title={t`You matched on ${{ date: formatDate(matchedAt) }}`}
              >
                <Avatar id={user._id} name={name} picture={user.profilePicture} size={newPictureSize} />
                <Text component="bdi" truncate maw="100%">
                  {name}
                </Text>
              </Link>
            </li>
          );
        })}
      </ul>
    </Box>
  );
}

interface ConversationListProps {
  conversations: ReturnType<typeof useConversations>;
  /** These are the snoozed ones. */
  isSnoozed?: boolean;
  /** The conversation that is open next to the list. */
  openId: string | undefined;
  /** Shown instead of the list to members with a missing step. */
  notYet: (error: Refusal) => ReactNode;
}

function NoConversations() {
  return (
    <Box mx="0.7rem">
      <EmptyPlace
        text={t`You have no messages yet.`}
        hint={t`When you and another member like each other, you can write to each other here.`}
        action={
          <Button component={Link} to="/app/discover">
            {t`Discover people`}
          </Button>
        }
      />
    </Box>
  );
}

function LoadingSkeleton() {
  return (
    <Stack gap="0.6rem">
      <Skeleton height="4.5rem" />
      <Skeleton height="4.5rem" />
      <Skeleton height="4.5rem" />
    </Stack>
  );
}

/** The member's conversations, the one with the newest message first. */
export function ConversationList({ conversations: query, isSnoozed = false, openId, notYet }: ConversationListProps) {
  const now = useNow(minuteMs);
  const isHidden = useHiddenWordFinder();
  return (
    <ListStates
      notYet={notYet}
      query={query}
      loadingText={t`Loading your messages...`}
      skeleton={<LoadingSkeleton />}
      errorText={(error) => t`Couldn't load your messages: ${error}`}
    >
      {(conversations) => {
        if (conversations.length === 0)
          return isSnoozed ? <EmptyState text={t`No snoozed conversations.`} /> : <NoConversations />;
        const written = conversations.filter(({ lastMessage }) => lastMessage !== null);
        return (
          <InfiniteList query={query} margin="0.75rem 0.7rem 0">
            <NewMatches matches={conversations.filter(({ lastMessage }) => lastMessage === null)} />
            {written.length === 0 ? (
              <EmptyPlace text={t`No conversations yet`} hint={t`Open a new match and say hello.`} />
            ) : (
              <Stack component="ul" gap="0.15rem" aria-label={t`Conversations`}>
                {written.map((conversation) => (
                  <ConversationRow
                    key={conversation._id}
                    conversation={conversation}
                    isOpen={conversation._id === openId}
                    isHidden={isHidden}
                    now={now}
                  />
                ))}
              </Stack>
            )}
          </InfiniteList>
        );
      }}
    </ListStates>
  );
}

import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { Bone, EmptyState } from '../../../ui/feedback/PageStates.tsx';
import { useText } from '../../../ui/text/text.ts';
import { useNow } from '../../../ui/data/use-now.ts';
import { ListStates, type Refusal } from '../../../ui/data/ListStates.tsx';
import classes from './ConversationList.module.css';
import { ConversationRow } from './ConversationRow.tsx';
import type { useConversations } from './use-conversations.ts';

const minuteMs = 60_000;

interface ConversationListProps {
  conversations: ReturnType<typeof useConversations>;
  /** The one that is open beside the list. */
  openId: string | undefined;
  /** What stands there for members who have something to do first. */
  notYet: (error: Refusal) => ReactNode;
}

function NoConversations() {
  const t = useText();
  return (
    <>
      <EmptyState
        isFramed
        text={t('You have no messages yet.')}
        hint={t('When you and somebody like each other, you can write to each other here.')}
      />
      <p>
        <Button component={Link} to="/app/discover">
          {t('Go on looking')}
        </Button>
      </p>
    </>
  );
}

function Skeleton() {
  return (
    <div className={classes.skeleton}>
      <Bone height="4.5rem" />
      <Bone height="4.5rem" />
      <Bone height="4.5rem" />
    </div>
  );
}

/** The people the member can write to, those written to last first. */
export function ConversationList({ conversations: { query, more, isBusy }, openId, notYet }: ConversationListProps) {
  const t = useText();
  const now = useNow(minuteMs);
  return (
    <ListStates
      notYet={notYet}
      query={query}
      loadingText={t('Loading your messages...')}
      skeleton={<Skeleton />}
      errorText={(error) => t('Your messages could not be loaded: {error}', { error })}
    >
      {({ conversations, nextCursor }) => {
        if (conversations.length === 0) return <NoConversations />;
        return (
          <>
            <ul className={classes.list} aria-label={t('Conversations')}>
              {conversations.map((conversation) => (
                <ConversationRow
                  key={conversation._id}
                  conversation={conversation}
                  isOpen={conversation._id === openId}
                  now={now}
                />
              ))}
            </ul>
            {nextCursor !== null && (
              <Button
                className={classes.more ?? ''}
                variant="default"
                aria-disabled={isBusy || undefined}
                onClick={more}
              >
                {t('Show more')}
              </Button>
            )}
          </>
        );
      }}
    </ListStates>
  );
}

import { t } from '@lingui/core/macro';
import { Group, Text, Title } from '@mantine/core';
import { useEffect } from 'react';
import { Link, useParams, useSearchParams } from 'react-router';
import { ConversationList } from '../../features/messages/list/ConversationList.tsx';
import { useConversations } from '../../features/messages/queries.ts';
import { PageHeading } from '../../ui/layout/Page.tsx';
import { lazyPart } from '../../ui/loading/LazyBoundary.tsx';
import { MembersOnly } from '../layout/NarrowPage.tsx';
import { NotYet } from '../sign-in/NotYet.tsx';
import classes from '../members.module.css';

const [ConversationPane, preloadConversationPane] = lazyPart(
  async () => (await import('./ConversationPane.tsx')).ConversationPane,
);

const titleLook = { mx: '0.5rem', mb: '0.75rem', fz: 'min(1.6rem, 11vw)' } as const;

function Messages({ matchId }: { matchId: string | undefined }) {
  const isSnoozed = useSearchParams()[0].has('snoozed');
  const conversations = useConversations(isSnoozed);
  const listed = conversations.data ?? [];
  useEffect(preloadConversationPane, []);
  return (
    <div className={classes.messagesPage} data-open={matchId !== undefined || undefined}>
      <section className={classes.list} aria-label={t`Conversations`}>
        <Group gap="0 1rem" justify="space-between" align="baseline" px="0.2rem 0.7rem">
          {matchId === undefined ? (
            <PageHeading {...titleLook}>{t`Messages`}</PageHeading>
          ) : (
            <Title order={2} {...titleLook}>
              {t`Messages`}
            </Title>
          )}
          <Group gap="0 1rem" ms="0.5rem" pb="0.75rem">
            <Link to={isSnoozed ? '/app/messages' : '/app/messages?snoozed'}>
              {isSnoozed ? t`All messages` : t`Snoozed`}
            </Link>
            <Link to="/app/matches">{t`All matches`}</Link>
          </Group>
        </Group>
        <ConversationList
          conversations={conversations}
          isSnoozed={isSnoozed}
          openId={matchId}
          notYet={(error) => <NotYet error={error} />}
        />
      </section>
      <section className={classes.conversation} data-fills aria-label={t`Conversation`}>
        {matchId !== undefined ? (
          <ConversationPane key={matchId} matchId={matchId} known={listed.find(({ _id }) => _id === matchId)} />
        ) : (
          listed.length > 0 && (
            <Text m="auto" p="2rem" c="dimmed">
              {t`Choose a conversation to start writing.`}
            </Text>
          )
        )}
      </section>
    </div>
  );
}

/** The member's conversations with the open one next to them; on narrow screens one at a time. */
export function MessagesPage() {
  const { matchId } = useParams();
  return (
    <MembersOnly title={t`Messages`}>
      <Messages matchId={matchId} />
    </MembersOnly>
  );
}

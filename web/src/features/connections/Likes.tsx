import { t } from '@lingui/core/macro';
import { Button, Text } from '@mantine/core';
import { IconHeart, IconX } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { Link } from 'react-router';
import type { ReceivedLike, SentLike } from '#contract/connections.ts';
import { type ListProps, ListStates } from '../../ui/data/InfiniteList.tsx';
import { EmptyPlace } from '../../ui/feedback/EmptyPlace.tsx';
import { Hint } from '../../ui/layout/text-blocks.tsx';
import { Buttons } from '../../ui/layout/Rows.tsx';
import { memberName } from '../../ui/text/person.ts';
import { promptText } from '../../ui/text/interest-words.ts';
import { Count, HiddenLikes, type HiddenLikesProps, waitWords } from './HiddenLikes.tsx';
import { ListPlace, NoteLine, PersonList, PersonRow, type ReportsNotes, useShown } from './PersonList.tsx';
import { decide, withdraw } from './decide.ts';
import { type DecisionKind, useDecidedIds } from './decisions.ts';
import { likesReceivedQuery, likesSentQuery } from './queries.ts';

/** For members without premium: how many like them, and two ways to find out who. */
function Hidden(likes: HiddenLikesProps) {
  return (
    <>
      <HiddenLikes {...likes} />
      <Buttons ofForm mt="1.25rem">
        <Button component={Link} to="/app/premium">
          {t`See who likes you`}
        </Button>
        <Button component={Link} to="/app/discover" variant="default">
          {t`Discover people`}
        </Button>
      </Buttons>
    </>
  );
}

interface RowProps extends ReportsNotes {
  like: ReceivedLike;
  onDecide: (kind: DecisionKind) => void;
}

function Row({ like: { user, note, on, likedAt }, onDecide, reportOf }: RowProps) {
  const name = memberName(user);
  return (
    <PersonRow
      from="likes"
      user={user}
      at={likedAt}
      atText={(when) => t`Liked you ${when}`}
      actions={
        <>
          <Button
            variant="default"
            aria-label={t`Pass on ${name}`}
            leftSection={<IconX size={18} stroke={2} aria-hidden="true" />}
            onClick={() => onDecide('pass')}
          >
            {t`Pass`}
          </Button>
          <Button
            aria-label={t`Like back ${name}`}
            leftSection={<IconHeart size={18} stroke={2} aria-hidden="true" />}
            onClick={() => onDecide('like')}
          >
            {t`Like back`}
          </Button>
        </>
      }
    >
      {on !== null && (
        <Hint mt="0.5rem">
          {on.kind === 'picture'
            ? t`Liked one of your pictures`
            : t`Liked your answer to “${{ beginning: promptText(on.prompt) }} …”`}
        </Hint>
      )}
      <NoteLine by={t`${name} wrote:`} note={note}>
        {note !== null && reportOf(user, note)}
      </NoteLine>
    </PersonRow>
  );
}

/**
 * The likes that the member has received: with premium the people who are waiting for an answer, otherwise only their
 * number.
 */
export function LikesReceived({ notYet, onShown, reportOf }: ListProps & ReportsNotes & { onShown: () => void }) {
  const place = useRef<HTMLDivElement>(null);
  const decidedIds = useDecidedIds();
  const query = useInfiniteQuery(likesReceivedQuery);
  useShown(query, onShown);

  function answer({ user }: ReceivedLike, kind: DecisionKind) {
    place.current?.focus();
    decide(user, kind);
  }

  return (
    <ListPlace ref={place}>
      <ListStates
        notYet={notYet}
        query={query}
        loadingText={t`Loading who likes you...`}
        skeleton="18rem"
        errorText={(error) => t`Couldn't load who likes you: ${error}`}
      >
        {({ pages }) => {
          const { count = 0, patterns = [] } = pages.at(-1) ?? {};
          if (patterns.length > 0) return <Hidden count={count} patterns={patterns} />;
          const likes = pages.flatMap((page) => page.likes);
          const open = likes.filter(({ user }) => !decidedIds.has(user._id));
          if (open.length === 0 && !query.hasNextPage)
            return (
              <NoLikes
                text={t`No new likes right now.`}
                hint={t`People who like you appear here. It helps to send a few likes first.`}
              />
            );
          return (
            <>
              <Count count={count - (likes.length - open.length)} words={waitWords} />
              <PersonList label={t`Who likes you`} query={query}>
                {open.map((like) => (
                  <Row key={like.user._id} like={like} onDecide={(kind) => answer(like, kind)} reportOf={reportOf} />
                ))}
              </PersonList>
            </>
          );
        }}
      </ListStates>
    </ListPlace>
  );
}

/** An empty list with a link to the deck. */
function NoLikes({ text, hint }: { text: string; hint: string }) {
  return (
    <EmptyPlace
      text={text}
      hint={hint}
      action={
        <Button component={Link} to="/app/discover">
          {t`Discover people`}
        </Button>
      }
    />
  );
}

/** The member's likes that have not been answered yet; each can be withdrawn. */
export function LikesSent({ notYet }: ListProps) {
  const place = useRef<HTMLDivElement>(null);
  const [gone, setGone] = useState<readonly string[]>([]);
  const [status, setStatus] = useState<string | null>(null);
  const query = useInfiniteQuery(likesSentQuery);

  async function takeBack({ user }: SentLike) {
    place.current?.focus();
    setStatus(null);
    setGone((before) => [...before, user._id]);
    if (await withdraw(user)) setStatus(t`You no longer like ${{ name: memberName(user) }}.`);
    else setGone((before) => before.filter((id) => id !== user._id));
  }

  return (
    <ListPlace ref={place} status={status}>
      <ListStates
        notYet={notYet}
        query={query}
        loadingText={t`Loading your likes...`}
        skeleton="18rem"
        errorText={(error) => t`Couldn't load your likes: ${error}`}
      >
        {({ pages }) => {
          const likes = pages.flatMap((page) => page.likes).filter(({ user }) => !gone.includes(user._id));
          if (likes.length === 0 && !query.hasNextPage)
            return (
              <NoLikes
                text={t`No unanswered likes right now.`}
                hint={t`People you like appear here until they answer.`}
              />
            );
          return (
            <>
              <Text mb="1rem" c="dimmed">
                {t`They haven't answered yet. We don't tell them that you're waiting.`}
              </Text>
              <PersonList label={t`Your likes`} query={query}>
                {likes.map((like) => (
                  <PersonRow
                    key={like.user._id}
                    from="sent"
                    user={like.user}
                    at={like.likedAt}
                    atText={(when) => t`Liked ${when}`}
                    actions={
                      <Button
                        variant="default"
                        aria-label={t`Withdraw your like for ${{ name: memberName(like.user) }}`}
                        onClick={() => void takeBack(like)}
                      >
                        {t`Withdraw`}
                      </Button>
                    }
                  >
                    <NoteLine by={t`You wrote:`} isOwn note={like.note} />
                  </PersonRow>
                ))}
              </PersonList>
            </>
          );
        }}
      </ListStates>
    </ListPlace>
  );
}

import { fill } from '../../ui/text/i18n.ts';
import { msg, t } from '@lingui/core/macro';
import { Button, Text } from '@mantine/core';
import { IconHeart, IconX } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { Link } from 'react-router';
import type { ReceivedLike, SentLike } from '#contract/connections.ts';
import { prompts as beginnings } from '#contract/profiles/prompts.ts';
import { type ListProps, ListStates } from '../../ui/data/InfiniteList.tsx';
import { EmptyState } from '../../ui/feedback/PageStates.tsx';
import { Hint } from '../../ui/layout/text-blocks.tsx';
import { Buttons } from '../../ui/layout/Rows.tsx';
import { memberName } from '../../ui/text/person.ts';
import { ListPlace, NoteLine, PersonList, PersonRow, type ReportsNotes, useShown } from './PersonList.tsx';
import { decide, withdraw } from './decide.ts';
import { type DecisionKind, useDecidedIds } from './decisions.ts';
import classes from './likes.module.css';
import { likesReceivedQuery, likesSentQuery } from './queries.ts';

/** The server stops counting at this number. */
const countedMost = 1000;

/** For members with premium: how many people are waiting for an answer. */
const waitWords = {
  counted: msg({
    message:
      '{count, plural, one {One person likes you and is waiting} other {# people like you and are waiting}} for your answer.',
  }),
  more: msg({ message: 'More than {count} people like you and are waiting for your answer.' }),
};

/**
 * The number of people who like the member, including those the member has decided on, so that it reveals nothing about
 * any one person.
 */
const likeWords = {
  counted: msg({ message: '{count, plural, one {One person likes you.} other {# people like you.}}' }),
  more: msg({ message: 'More than {count} people like you.' }),
};

function Count({ count, words: { counted, more } }: { count: number; words: typeof waitWords }) {
  const words = count >= countedMost ? more : counted;
  return (
    <Text mb="1rem" c="dimmed">
      {fill(words, { count: Math.min(count, countedMost - 1) })}
    </Text>
  );
}

/** For members without premium: the number of likes, and patterns that identify no one. */
function Hidden({ count, patterns }: { count: number; patterns: readonly number[] }) {
  const hasMore = count > patterns.length;
  return (
    <>
      <Count count={count} words={likeWords} />
      <div className={classes.patterns}>
        {patterns.slice(0, hasMore ? -1 : undefined).map((seed) => (
          <LikePattern key={seed} seed={seed} />
        ))}
        {hasMore && (
          <p className={classes.more}>
            {count >= countedMost ? t`and many more` : t`and ${{ count: count - patterns.length + 1 }} more`}
          </p>
        )}
      </div>
      <Text maw="36rem" my="1rem">
        {t`These patterns are random and don't identify anyone. With premium, you see who it is.`}{' '}
        {t`Without it, you find out when you like one of them back: then it's a match.`}
      </Text>
      <Buttons>
        <Button component={Link} to="/app/premium">
          {t`What premium adds`}
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
            : t`Liked your answer to “${{ beginning: t(beginnings[on.prompt]) }} …”`}
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

const rings = 5;
const points = 48;
/** The number of chart colours in use. */
const hues = 4;

/** Returns pseudo-random numbers in [0, 1) from a seed (mulberry32). */
function numbersFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** The wavy outline of one ring with radius `size`. */
function ringPath(size: number, next: () => number): string {
  const [waves, depth, turn] = [2 + Math.floor(next() * 5), 0.02 + next() * 0.05, next() * 2 * Math.PI];
  const path = Array.from({ length: points }, (_, index) => {
    const angle = (index / points) * 2 * Math.PI;
    const reach = size * (1 + depth * Math.sin(waves * angle + turn));
    return `${(Math.cos(angle) * reach).toFixed(1)} ${(Math.sin(angle) * reach).toFixed(1)}`;
  });
  return `M${path.join('L')}Z`;
}

/** Draws a number as the rings of a tree trunk. The shape is random and identifies no one. */
function LikePattern({ seed }: { seed: number }) {
  const next = numbersFrom(seed);
  const hue = 1 + Math.floor(next() * hues);
  const color = `var(--hw-chart-${hue})`;
  const paths = Array.from({ length: rings }, (_, index) => ringPath(((index + 1) / rings) * 42, next));
  return (
    <svg
      className={classes.pattern}
      data-hue={hue}
      style={{ color }}
      viewBox="-50 -50 100 100"
      aria-hidden="true"
      focusable="false"
    >
      {paths.map((path) => (
        <path key={path} d={path} fill="none" stroke="currentColor" strokeWidth={1.8} />
      ))}
    </svg>
  );
}

/** An empty list with a link to the deck. */
function NoLikes({ text, hint }: { text: string; hint: string }) {
  return (
    <EmptyState
      isFramed
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

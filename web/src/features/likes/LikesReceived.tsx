import { Button } from '@mantine/core';
import { IconHeart, IconX } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { Link } from 'react-router';
import type { ReceivedLike } from '#contract/connections/likes.ts';
import { prompts as beginnings } from '#contract/profiles/profile-details.ts';
import { EmptyState, Skeleton } from '../../ui/feedback/PageStates.tsx';
import { memberName } from '../../ui/text/person.ts';
import { t } from '../../ui/text/text.ts';
import { useDecide, useDecisions, type Way } from './decisions.ts';
import { LikePattern } from './LikePattern.tsx';
import classes from './LikesReceived.module.css';
import { type ListProps, ListStates } from '../../ui/data/ListStates.tsx';
import list from './PersonList.module.css';
import { NoteLine, PersonList, PersonRow, useShown } from './PersonList.tsx';
import { likesReceivedQuery } from './queries.ts';

/** The server counts no further. */
const countedMost = 1000;

/** For members with premium: the people who wait for an answer. */
const waitWords = {
  counted: '{count, plural, one {One person likes you and waits} other {# people like you and wait}} for your answer.',
  more: 'More than {count} people like you and wait for your answer.',
};

/** Counts everyone who likes the member, whatever the member decided, so that the number reveals nothing about one person. */
const likeWords = {
  counted: '{count, plural, one {One person likes you.} other {# people like you.}}',
  more: 'More than {count} people like you.',
};

function Count({ count, words: { counted, more } }: { count: number; words: typeof waitWords }) {
  const words = count >= countedMost ? more : counted;
  return <p className={list.count}>{t(words, { count: Math.min(count, countedMost - 1) })}</p>;
}

/** For members without premium: the number, and patterns that identify no one. */
function Hidden({ count, patterns }: { count: number; patterns: readonly number[] }) {
  return (
    <>
      <Count count={count} words={likeWords} />
      <div className={classes.patterns}>
        {patterns.map((seed) => (
          <LikePattern key={seed} seed={seed} />
        ))}
      </div>
      <p className={classes.words}>
        {t('These patterns are random and show no one. Premium shows who it is.')}{' '}
        {t("Without it, you find out when you like one of them back: then it's a match.")}
      </p>
      <div className={classes.ways}>
        <Button component={Link} to="/app/premium">
          {t('What premium adds')}
        </Button>
        <Button component={Link} to="/app/discover" variant="default">
          {t('Discover people')}
        </Button>
      </div>
    </>
  );
}

function Row({ like: { user, note, on, likedAt }, onDecide }: { like: ReceivedLike; onDecide: (way: Way) => void }) {
  const name = memberName(user);
  return (
    <PersonRow
      user={user}
      at={likedAt}
      atText="Liked you on {date}"
      actions={
        <>
          <Button
            variant="default"
            aria-label={t('Pass on {name}', { name })}
            leftSection={<IconX size={18} stroke={2} aria-hidden="true" />}
            onClick={() => onDecide('pass')}
          >
            {t('Pass')}
          </Button>
          <Button
            aria-label={t('Like back {name}', { name })}
            leftSection={<IconHeart size={18} stroke={2} aria-hidden="true" />}
            onClick={() => onDecide('like')}
          >
            {t('Like back')}
          </Button>
        </>
      }
    >
      {on !== null && (
        <p className={list.on}>
          {on.kind === 'picture'
            ? t('It is about one of your pictures.')
            : t('It is about your words: “{beginning} …”', { beginning: t(beginnings[on.prompt]) })}
        </p>
      )}
      <NoteLine by={t('{name} wrote:', { name })} note={note} />
    </PersonRow>
  );
}

/** Who likes the member: with premium the people who wait for an answer, without it how many there are. */
export function LikesReceived({ notYet, onShown }: ListProps & { onShown: () => void }) {
  const place = useRef<HTMLDivElement>(null);
  const decided = useDecisions((state) => state.decided);
  const decide = useDecide();
  const query = useInfiniteQuery(likesReceivedQuery);
  useShown(query, onShown);

  function answer({ user }: ReceivedLike, way: Way) {
    place.current?.focus();
    decide(user, way);
  }

  return (
    <div ref={place} tabIndex={-1} className={list.place}>
      <ListStates
        notYet={notYet}
        query={query}
        loadingText={t('Loading who likes you...')}
        skeleton={<Skeleton height="18rem" />}
        errorText={(error) => t("Couldn't load who likes you: {error}", { error })}
      >
        {({ pages }) => {
          const { count = 0, patterns = [] } = pages.at(-1) ?? {};
          if (patterns.length > 0) return <Hidden count={count} patterns={patterns} />;
          const likes = pages.flatMap((page) => page.likes);
          const isAnswered = ({ user }: ReceivedLike) => decided.some((one) => one.user._id === user._id);
          const open = likes.filter((like) => !isAnswered(like));
          if (open.length === 0 && !query.hasNextPage)
            return (
              <EmptyState
                isFramed
                text={t('No one is waiting for your answer.')}
                hint={t('People who like you appear here.')}
              />
            );
          return (
            <>
              <Count count={count - (likes.length - open.length)} words={waitWords} />
              <PersonList label={t('Who likes you')} query={query}>
                {open.map((like) => (
                  <Row key={like.user._id} like={like} onDecide={(way) => answer(like, way)} />
                ))}
              </PersonList>
            </>
          );
        }}
      </ListStates>
    </div>
  );
}

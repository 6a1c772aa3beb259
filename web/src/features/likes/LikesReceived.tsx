import { Button } from '@mantine/core';
import { IconHeart, IconX } from '@tabler/icons-react';
import { useRef } from 'react';
import { Link } from 'react-router';
import { likesReceived, type ReceivedLike } from '#contract/connections/likes.ts';
import { prompts as beginnings } from '#contract/profiles/profile-details.ts';
import { call } from '../../api/call.ts';
import { Bone, EmptyState } from '../../ui/feedback/PageStates.tsx';
import { memberName } from '../../ui/text/person.ts';
import { useText } from '../../ui/text/text.ts';
import { decide } from './decide.ts';
import { useDecisions, type Way } from './decisions.ts';
import { LikePattern } from './LikePattern.tsx';
import classes from './LikesReceived.module.css';
import { type ListProps, ListStates } from '../../ui/data/ListStates.tsx';
import list from './PersonList.module.css';
import { NoteLine, PersonRow } from './PersonRow.tsx';
import { pageSize, type ToldProps, usePages } from './use-pages.ts';

/** The server counts no further. */
const countedMost = 1000;

/** Who waits for an answer, for members with premium. */
const waitWords = {
  counted: '{count, plural, one {One person likes you and waits} other {# people like you and wait}} for your answer.',
  more: 'More than {count} people like you and wait for your answer.',
};

/** Everybody who likes the member, whatever the member decided: so that the number tells of nobody. */
const likeWords = {
  counted: '{count, plural, one {One person likes you.} other {# people like you.}}',
  more: 'More than {count} people like you.',
};

function Count({ count, words: { counted, more } }: { count: number; words: typeof waitWords }) {
  const t = useText();
  const words = count >= countedMost ? more : counted;
  return <p className={list.count}>{t(words, { count: Math.min(count, countedMost - 1) })}</p>;
}

/** For members without premium: how many, and patterns that lead to nobody. */
function Hidden({ count, patterns }: { count: number; patterns: readonly number[] }) {
  const t = useText();
  return (
    <>
      <Count count={count} words={likeWords} />
      <div className={classes.patterns}>
        {patterns.map((seed) => (
          <LikePattern key={seed} seed={seed} />
        ))}
      </div>
      <p className={classes.words}>
        {t('These patterns are drawn from chance and show nobody. Premium shows who it is.')}{' '}
        {t('Without it you find out the usual way: when you like one of them back, it is a match.')}
      </p>
      <div className={classes.ways}>
        <Button component={Link} to="/app/premium">
          {t('What premium adds')}
        </Button>
        <Button component={Link} to="/app/discover" variant="default">
          {t('Go on looking')}
        </Button>
      </div>
    </>
  );
}

function Row({ like: { user, note, on, likedAt }, onDecide }: { like: ReceivedLike; onDecide: (way: Way) => void }) {
  const t = useText();
  const name = memberName(user, t);
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
export function LikesReceived({ notYet, ...told }: ListProps & ToldProps) {
  const t = useText();
  const place = useRef<HTMLDivElement>(null);
  const decided = useDecisions((state) => state.decided);
  const { query, hasMore, more, isBusy } = usePages(
    'received',
    async (page, signal) => (await call(likesReceived, { query: { page, limit: pageSize }, signal })).data,
    told,
  );

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
        skeleton={<Bone height="18rem" />}
        errorText={(error) => t('Who likes you could not be loaded: {error}', { error })}
      >
        {(pages) => {
          const { count = 0, patterns = [] } = pages.at(-1) ?? {};
          if (patterns.length > 0) return <Hidden count={count} patterns={patterns} />;
          const likes = pages.flatMap((page) => page.likes);
          const isAnswered = ({ user }: ReceivedLike) => decided.some((one) => one.user._id === user._id);
          const open = likes.filter((like) => !isAnswered(like));
          if (open.length === 0 && !hasMore)
            return (
              <EmptyState
                isFramed
                text={t('Nobody is waiting for your answer.')}
                hint={t('Whoever likes you stands here until you have decided.')}
              />
            );
          return (
            <>
              <Count count={count - (likes.length - open.length)} words={waitWords} />
              <ul className={list.list} aria-label={t('Who likes you')}>
                {open.map((like) => (
                  <Row key={like.user._id} like={like} onDecide={(way) => answer(like, way)} />
                ))}
              </ul>
              {hasMore && (
                <Button
                  className={list.more ?? ''}
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
    </div>
  );
}

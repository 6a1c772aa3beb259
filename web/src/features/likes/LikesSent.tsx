import { Button } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { Link } from 'react-router';
import type { SentLike } from '#contract/connections/likes.ts';
import { Notice } from '../../ui/feedback/Notice.tsx';
import { EmptyState } from '../../ui/feedback/PageStates.tsx';
import { memberName } from '../../ui/text/person.ts';
import { t } from '../../ui/text/text.ts';
import { useWithdraw } from './decisions.ts';
import { type ListProps, ListStates } from '../../ui/data/ListStates.tsx';
import list from './likes.module.css';
import { NoteLine, PersonList, PersonRow } from './PersonList.tsx';
import { likesSentQuery } from './queries.ts';

function Nobody() {
  return (
    <>
      <EmptyState
        isFramed
        text={t('None of your likes is waiting for an answer.')}
        hint={t('Find people to like on Discover.')}
      />
      <p>
        <Button component={Link} to="/app/discover" variant="default">
          {t('Discover people')}
        </Button>
      </p>
    </>
  );
}

/** The member's likes that have no answer yet; each can be withdrawn. */
export function LikesSent({ notYet }: ListProps) {
  const place = useRef<HTMLDivElement>(null);
  const [gone, setGone] = useState<readonly string[]>([]);
  const [status, setStatus] = useState<string | null>(null);
  const withdraw = useWithdraw();
  const query = useInfiniteQuery(likesSentQuery);

  async function takeBack({ user }: SentLike) {
    place.current?.focus();
    setStatus(null);
    setGone((before) => [...before, user._id]);
    if (await withdraw(user)) setStatus(t('You no longer like {name}.', { name: memberName(user) }));
    else setGone((before) => before.filter((id) => id !== user._id));
  }

  return (
    <div ref={place} tabIndex={-1} className={list.place}>
      {status !== null && (
        <div className={list.notice}>
          <Notice kind="success">{status}</Notice>
        </div>
      )}
      <ListStates
        notYet={notYet}
        query={query}
        loadingText={t('Loading your likes...')}
        skeleton="18rem"
        errorText="Couldn't load your likes: {error}"
      >
        {({ pages }) => {
          const likes = pages.flatMap((page) => page.likes).filter(({ user }) => !gone.includes(user._id));
          if (likes.length === 0 && !query.hasNextPage) return <Nobody />;
          return (
            <>
              <p className={list.count}>{t("They haven't answered yet. We don't tell them that you're waiting.")}</p>
              <PersonList label={t('Your likes')} query={query}>
                {likes.map((like) => (
                  <PersonRow
                    key={like.user._id}
                    user={like.user}
                    at={like.likedAt}
                    atText="Liked on {date}"
                    actions={
                      <Button
                        variant="default"
                        aria-label={t('Withdraw your like of {name}', { name: memberName(like.user) })}
                        onClick={() => void takeBack(like)}
                      >
                        {t('Withdraw')}
                      </Button>
                    }
                  >
                    <NoteLine by={t('You wrote:')} note={like.note} />
                  </PersonRow>
                ))}
              </PersonList>
            </>
          );
        }}
      </ListStates>
    </div>
  );
}

import { Button } from '@mantine/core';
import { useRef, useState } from 'react';
import { Link } from 'react-router';
import { likesSent, type SentLike } from '#contract/connections/likes.ts';
import { call } from '../../api/call.ts';
import { Notice } from '../../ui/feedback/Notice.tsx';
import { Bone, EmptyState } from '../../ui/feedback/PageStates.tsx';
import { memberName } from '../../ui/text/person.ts';
import { useText } from '../../ui/text/text.ts';
import { withdraw } from './decide.ts';
import { type ListProps, ListStates } from '../../ui/data/ListStates.tsx';
import list from './PersonList.module.css';
import { NoteLine, PersonRow } from './PersonRow.tsx';
import { pageSize, usePages } from './use-pages.ts';

function Nobody() {
  const t = useText();
  return (
    <>
      <EmptyState
        isFramed
        text={t('No like of yours is waiting for an answer.')}
        hint={t('You find people to like under Discover.')}
      />
      <p>
        <Button component={Link} to="/app/discover" variant="default">
          {t('Go on looking')}
        </Button>
      </p>
    </>
  );
}

/** Whom the member likes and who has not answered; each like can be withdrawn. */
export function LikesSent({ notYet }: ListProps) {
  const t = useText();
  const place = useRef<HTMLDivElement>(null);
  const [gone, setGone] = useState<readonly string[]>([]);
  const [news, setNews] = useState<string | null>(null);
  const { query, hasMore, more, isBusy } = usePages('sent', async (page, signal) => {
    return (await call(likesSent, { query: { page, limit: pageSize }, signal })).data;
  });

  async function takeBack({ user }: SentLike) {
    place.current?.focus();
    setNews(null);
    setGone((before) => [...before, user._id]);
    if (await withdraw(user)) setNews(t('You no longer like {name}.', { name: memberName(user, t) }));
    else setGone((before) => before.filter((id) => id !== user._id));
  }

  return (
    <div ref={place} tabIndex={-1} className={list.place}>
      {news !== null && (
        <div className={list.notice}>
          <Notice kind="success">{news}</Notice>
        </div>
      )}
      <ListStates
        notYet={notYet}
        query={query}
        loadingText={t('Loading whom you like...')}
        skeleton={<Bone height="18rem" />}
        errorText={(error) => t('Whom you like could not be loaded: {error}', { error })}
      >
        {(pages) => {
          const likes = pages.flatMap((page) => page.likes).filter(({ user }) => !gone.includes(user._id));
          if (likes.length === 0 && !hasMore) return <Nobody />;
          return (
            <>
              <p className={list.count}>{t('They have not answered yet. They are not told that you wait.')}</p>
              <ul className={list.list} aria-label={t('Whom you like')}>
                {likes.map((like) => (
                  <PersonRow
                    key={like.user._id}
                    user={like.user}
                    at={like.likedAt}
                    atText="Liked on {date}"
                    actions={
                      <Button
                        variant="default"
                        aria-label={t('Withdraw your like of {name}', { name: memberName(like.user, t) })}
                        onClick={() => void takeBack(like)}
                      >
                        {t('Withdraw')}
                      </Button>
                    }
                  >
                    <NoteLine by={t('You wrote:')} note={like.note} />
                  </PersonRow>
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

import { Button } from '@mantine/core';
import { type ReactNode, useRef, useState } from 'react';
import { Link } from 'react-router';
import { listMatches, type MatchView, unmatchUser } from '#contract/connections/likes.ts';
import type { PublicUser } from '#contract/profiles/user.ts';
import { ApiError } from '../../api/api-error.ts';
import { call } from '../../api/call.ts';
import { Notice } from '../../ui/feedback/Notice.tsx';
import { Bone, EmptyState } from '../../ui/feedback/PageStates.tsx';
import { memberName } from '../../ui/text/person.ts';
import { useText } from '../../ui/text/text.ts';
import { type ListProps, ListStates } from '../../ui/data/ListStates.tsx';
import list from './PersonList.module.css';
import { NoteLine, PersonRow } from './PersonRow.tsx';
import { UnmatchDialog } from './UnmatchDialog.tsx';
import { pageSize, type ToldProps, usePages } from './use-pages.ts';

interface MatchListProps extends ListProps, ToldProps {
  /** The way to report somebody. */
  reportOf: (user: PublicUser) => ReactNode;
}

function NoMatches() {
  const t = useText();
  return (
    <>
      <EmptyState
        isFramed
        text={t('You have no matches yet.')}
        hint={t('When you and somebody like each other, they stand here.')}
      />
      <p>
        <Button component={Link} to="/app/discover">
          {t('Go on looking')}
        </Button>
      </p>
    </>
  );
}

/** The member's matches, newest first, each with the ways to the profile, to write, to report, and to end it. */
export function MatchList({ reportOf, notYet, ...told }: MatchListProps) {
  const t = useText();
  const place = useRef<HTMLDivElement>(null);
  const [ended, setEnded] = useState<readonly string[]>([]);
  const [ending, setEnding] = useState<MatchView | null>(null);
  const [news, setNews] = useState<string | null>(null);
  const { query, hasMore, more, isBusy } = usePages(
    'matches',
    async (page, signal) => (await call(listMatches, { query: { page, limit: pageSize }, signal })).data,
    told,
  );

  async function end({ _id, user }: MatchView) {
    await call(unmatchUser, { params: { id: _id } }).catch((error: unknown) => {
      // The other one was first.
      if (!(error instanceof ApiError && error.status === 404)) throw error;
    });
    setEnded((before) => [...before, _id]);
    setEnding(null);
    setNews(t('You and {name} are no longer a match.', { name: memberName(user, t) }));
    place.current?.focus();
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
        loadingText={t('Loading your matches...')}
        skeleton={<Bone height="18rem" />}
        errorText={(error) => t('Your matches could not be loaded: {error}', { error })}
      >
        {(pages) => {
          const matches = pages.flatMap((page) => page.matches).filter(({ _id }) => !ended.includes(_id));
          if (matches.length === 0 && !hasMore) return <NoMatches />;
          return (
            <>
              <ul className={list.list} aria-label={t('Your matches')}>
                {matches.map((match) => (
                  <PersonRow
                    key={match._id}
                    user={match.user}
                    at={match.matchedAt}
                    atText="A match since {date}"
                    actions={
                      <>
                        <Button
                          component={Link}
                          to={`/app/messages/${match._id}`}
                          aria-label={t('Message {name}', { name: memberName(match.user, t) })}
                        >
                          {t('Message')}
                        </Button>
                        {reportOf(match.user)}
                        <Button
                          variant="default"
                          aria-label={t('Unmatch {name}', { name: memberName(match.user, t) })}
                          onClick={() => {
                            setNews(null);
                            setEnding(match);
                          }}
                        >
                          {t('Unmatch')}
                        </Button>
                      </>
                    }
                  >
                    <NoteLine by={t('{name} wrote:', { name: memberName(match.user, t) })} note={match.theirNote} />
                    <NoteLine by={t('You wrote:')} note={match.myNote} />
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
      {ending !== null && (
        <UnmatchDialog match={ending} onUnmatch={() => end(ending)} onClose={() => setEnding(null)} />
      )}
    </div>
  );
}

import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { IconHeartBroken } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { Link } from 'react-router';
import type { MatchView } from '#contract/connections.ts';
import { EmptyPlace } from '../../ui/feedback/EmptyPlace.tsx';
import { MoreActions } from '../../ui/layout/MoreActions.tsx';
import { memberName } from '../../ui/text/person.ts';
import { type ListProps, ListStates } from '../../ui/data/InfiniteList.tsx';
import { ListPlace, NoteLine, PersonList, PersonRow, type ReportsNotes, useShown } from './PersonList.tsx';
import { matchesQuery } from './queries.ts';
import { UnmatchDialog } from './UnmatchDialog.tsx';

interface MatchListProps extends ListProps, ReportsNotes {
  onShown: () => void;
}

function NoMatches() {
  return (
    <EmptyPlace
      text={t`You have no matches yet.`}
      hint={t`When you and another member like each other, they appear here.`}
      action={
        <Button component={Link} to="/app/discover">
          {t`Discover people`}
        </Button>
      }
    />
  );
}

interface MatchRowProps extends ReportsNotes {
  match: MatchView;
  onUnmatch: () => void;
}

function MatchRow({ match, reportOf, onUnmatch }: MatchRowProps) {
  const name = memberName(match.user);
  return (
    <PersonRow
      from="matches"
      user={match.user}
      at={match.matchedAt}
      atText={(when) => t`You matched ${when}`}
      actions={
        <>
          <Button component={Link} to={`/app/messages/${match._id}`} aria-label={t`Message ${name}`}>
            {t({ message: 'Message', context: 'verb' })}
          </Button>
          <MoreActions label={t`More about ${name}`}>
            {reportOf(match.user)}
            {match.theirNote !== null && reportOf(match.user, match.theirNote, true)}
            <Button
              variant="default"
              leftSection={<IconHeartBroken size={17} stroke={1.75} aria-hidden="true" />}
              aria-label={t`Unmatch ${name}`}
              onClick={onUnmatch}
            >
              {t`Unmatch`}
            </Button>
          </MoreActions>
        </>
      }
    >
      <NoteLine by={t`${name} wrote:`} note={match.theirNote} />
      <NoteLine by={t`You wrote:`} isOwn note={match.myNote} />
    </PersonRow>
  );
}

/** The member's matches, newest first, with links to message, report and unmatch each person. */
export function MatchList({ reportOf, notYet, onShown }: MatchListProps) {
  const place = useRef<HTMLDivElement>(null);
  const [ended, setEnded] = useState<readonly string[]>([]);
  const [ending, setEnding] = useState<MatchView | null>(null);
  const [status, setStatus] = useState<string | null>(null);
  const query = useInfiniteQuery(matchesQuery);
  useShown(query, onShown);

  function confirmEnd({ _id, user }: MatchView) {
    setEnded((before) => [...before, _id]);
    setEnding(null);
    setStatus(t`You and ${{ name: memberName(user) }} are no longer a match.`);
    place.current?.focus();
  }

  return (
    <ListPlace ref={place} status={status}>
      <ListStates
        notYet={notYet}
        query={query}
        loadingText={t`Loading your matches...`}
        skeleton="18rem"
        errorText={(error) => t`Couldn't load your matches: ${error}`}
      >
        {({ pages }) => {
          const matches = pages.flatMap((page) => page.matches).filter(({ _id }) => !ended.includes(_id));
          if (matches.length === 0 && !query.hasNextPage) return <NoMatches />;
          return (
            <PersonList label={t`Your matches`} query={query}>
              {matches.map((match) => (
                <MatchRow
                  key={match._id}
                  match={match}
                  reportOf={reportOf}
                  onUnmatch={() => {
                    setStatus(null);
                    setEnding(match);
                  }}
                />
              ))}
            </PersonList>
          );
        }}
      </ListStates>
      {ending !== null && (
        <UnmatchDialog
          matchId={ending._id}
          user={ending.user}
          onEnded={() => confirmEnd(ending)}
          onClose={() => setEnding(null)}
        />
      )}
    </ListPlace>
  );
}

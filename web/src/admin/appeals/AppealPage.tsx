import { t } from '@lingui/core/macro';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useLocation, useNavigate, useParams } from 'react-router';
import { appealViews, getAppeal, listAppeals } from '#contract/moderation/appeals.ts';
import { endpointPages, useEndpoint } from '../../api/endpoint-query.ts';
import { useSession } from '../../features/auth/session/session.ts';
import { AppealFile } from '../../features/moderation/appeals/AppealFile.tsx';
import { appealKeys } from '../../features/moderation/appeals/appeal-words.ts';
import { DeskOptions } from '../../features/moderation/queue/DeskOptions.tsx';
import { usePlace } from '../../features/moderation/queue/use-place.ts';
import { personWord } from '../../features/moderation/reports/report-words.ts';
import { KeysButton } from '../../ui/feedback/KeysButton.tsx';
import { FloatingNotice } from '../../ui/feedback/Notice.tsx';
import { useFlag, usePageActions } from '../../ui/keyboard/shortcuts.tsx';
import { DetailScreen } from '../DetailScreen.tsx';

/** The appeals before and after one in the list from which it was opened. */
function useNeighbours(id: string, from: string | undefined) {
  const view = appealViews.find((one) => from?.endsWith(`=${one}`)) ?? 'open';
  const { data, hasNextPage, isFetching, isFetchNextPageError, fetchNextPage } = useInfiniteQuery({
    ...endpointPages(listAppeals, { query: { view } }),
    enabled: from !== undefined,
  });
  const lines = data?.pages.flatMap(({ appeals }) => appeals) ?? [];
  const { index, place } = usePlace(lines, id);
  const needsMore = place !== -1 && place + 2 >= lines.length && hasNextPage && !isFetching && !isFetchNextPageError;
  useEffect(() => {
    if (needsMore) void fetchNextPage();
  }, [needsMore, fetchNextPage]);
  return place === -1 ? {} : { next: lines[index === -1 ? place : place + 1], previous: lines[place - 1] };
}

/** One appeal, with everything needed to decide it. */
export function AppealPage() {
  const { id = '' } = useParams();
  const { from } = (useLocation().state as { from?: string } | null) ?? {};
  /** The last decision, made here or before this appeal was opened. */
  const [done, setDone] = useState<string | null>(null);
  const navigate = useNavigate();
  const goesOn = useFlag('next-case');
  const { next, previous } = useNeighbours(id, from);
  const viewerId = useSession((session) => session.user?._id);
  // Opening it is recorded, so it is not loaded again without need.
  const query = useEndpoint(getAppeal, { params: { id } }, { staleTime: 60_000, refetchOnWindowFocus: false });
  const name = query.data && personWord(query.data.person);
  const open = (to: string, said: string | null = null) => {
    setDone(said);
    void navigate(`/appeals/${to}`, { replace: true, state: { from } });
  };
  const notice = done !== null && <FloatingNotice onClose={() => setDone(null)}>{done}</FloatingNotice>;
  usePageActions([
    ...(next ? [{ key: 'j', text: t`Next appeal`, run: () => open(next._id) }] : []),
    ...(previous ? [{ key: 'k', text: t`Previous appeal`, run: () => open(previous._id) }] : []),
  ]);
  return (
    <DetailScreen
      back={{ to: from ?? '/appeals', children: t`All appeals` }}
      title={name === undefined ? t`Appeal` : t`Appeal in the case about ${name}`}
      missingTitle={t`Appeal not found`}
      missing={{ text: t`Appeal not found.` }}
      actions={
        <>
          <KeysButton keys={appealKeys} />
          <DeskOptions />
        </>
      }
      notice={notice}
      query={query}
      loadingText={t`Loading appeal...`}
      skeleton="26rem"
      errorText={(error) => t`Error loading appeal: ${error}`}
    >
      {(file) => (
        <AppealFile
          key={file.appeal._id}
          file={file}
          viewerId={viewerId}
          notice={notice}
          onDecided={() => {
            const said = t`Decided: the appeal in the case about ${{ name: personWord(file.person) }}.`;
            if (goesOn && next) open(next._id, said);
            else setDone(said);
          }}
        />
      )}
    </DetailScreen>
  );
}

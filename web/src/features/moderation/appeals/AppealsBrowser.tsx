import { useInfiniteQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { Link, useNavigate, useSearchParams } from 'react-router';
import { type AppealLine, type AppealView, appealViews } from '#contract/moderation/appeals.ts';
import { InfiniteList } from '../../../ui/data/InfiniteList.tsx';
import { CutText } from '../../../ui/data/table/cells.tsx';
import { DataTable } from '../../../ui/data/table/DataTable.tsx';
import { ListCaption, ListSkeleton, MoreRows } from '../../../ui/data/table/ListParts.tsx';
import type { TableColumn } from '../../../ui/data/table/rows.ts';
import { LastUpdated } from '../../../ui/feedback/LastUpdated.tsx';
import { EmptyState, QueryStates } from '../../../ui/feedback/PageStates.tsx';
import { t } from '../../../ui/text/text.ts';
import { HolderMark, ViewLinks } from '../cases/CaseMarks.tsx';
import classes from '../cases/queue.module.css';
import { personWord } from '../reports/report-words.ts';
import { linkId, useCurrentRow, useRowKeys } from '../reports/use-list-rows.ts';
import { appealViewWords, decisionSummary, partyWords } from './appeal-words.ts';
import { AppealTag, AppealTime } from './AppealMarks.tsx';
import { appealsQuery } from './queries.ts';

const addressOf = (view: AppealView) => (view === 'open' ? '/appeals' : `/appeals?view=${view}`);

function columnsFor(view: AppealView): TableColumn<AppealLine>[] {
  return [
    {
      id: 'appellant',
      header: 'Appeal by',
      card: 'head',
      cell: ({ _id, appellant, party }) => (
        <span className={classes.person}>
          <Link
            id={linkId(_id)}
            to={`/appeals/${_id}`}
            state={{ from: addressOf(view) }}
            className={classes.link}
            dir="auto"
          >
            {personWord(appellant)}
          </Link>
          <CutText text={t(partyWords[party])} isSoft />
        </span>
      ),
    },
    {
      id: 'decision',
      header: 'Against',
      card: 'body',
      cell: (line) => (
        <span className={classes.what}>
          {decisionSummary(line)}
          <CutText text={t('by {name}', { name: line.decidedBy })} isSoft />
        </span>
      ),
    },
    {
      id: 'state',
      header: 'State',
      card: 'tags',
      width: ['11rem', '9rem'],
      cell: ({ state }) => <AppealTag state={state} />,
    },
    {
      id: 'due',
      header: view === 'decided' ? 'Decided' : 'Time left',
      card: 'tags',
      width: ['13rem', '11rem'],
      cell: (line) => <AppealTime appeal={line} />,
    },
    {
      id: 'reviewer',
      header: 'Reviewed by',
      width: ['11rem', '8rem'],
      cell: ({ reviewer }) => <HolderMark holder={reviewer && { ...reviewer, until: null }} />,
    },
  ];
}

const appealId = ({ _id }: AppealLine) => _id;
const noLines: readonly AppealLine[] = [];

/** The queue of appeals, the least time left first. */
export function AppealsBrowser() {
  const [params] = useSearchParams();
  const navigate = useNavigate();
  const view = appealViews.find((one) => one === params.get('view')) ?? 'open';
  const query = useInfiniteQuery(appealsQuery(view));
  const lines = useMemo(() => query.data?.pages.flatMap(({ appeals }) => appeals) ?? noLines, [query.data]);
  const ids = useMemo(() => lines.map(appealId), [lines]);
  const rows = useCurrentRow(ids, view);
  const columns = useMemo(() => columnsFor(view), [view]);

  useRowKeys(rows, (id) => void navigate(`/appeals/${id}`, { state: { from: addressOf(view) } }));

  return (
    <>
      <ViewLinks
        label={t('Lists of appeals')}
        views={appealViews}
        words={appealViewWords}
        current={view}
        counts={query.data?.pages[0]?.counts ?? {}}
        addressOf={addressOf}
      />
      <QueryStates
        query={query}
        loadingText={t('Loading appeals...')}
        skeleton={<ListSkeleton rowHeight="4.1rem" />}
        errorText="Error loading appeals: {error}"
      >
        {() => (
          <>
            <ListCaption
              isTextHidden={lines.length === 0}
              text={t('{count, plural, one {# appeal shown} other {# appeals shown}}', { count: lines.length })}
              hint={lines.length > 0 && view !== 'decided' && t('Least time left first')}
              end={<LastUpdated query={query} />}
            />
            {lines.length === 0 ? (
              <EmptyState
                text={t('No appeals here.')}
                hint={t('Members can appeal a decision for 183 days. Someone who did not make it decides.')}
                isFramed
              />
            ) : (
              <InfiniteList query={query}>
                <DataTable
                  label={t('Appeals')}
                  rows={lines}
                  rowId={appealId}
                  columns={columns}
                  currentId={rows.currentId}
                  onRowFocus={rows.choose}
                  minWidth="56rem"
                  tabletMinWidth="50rem"
                  hasRowLinks
                />
              </InfiniteList>
            )}
            {query.isFetchNextPageError && (
              <MoreRows query={query} loadingText="" errorText="Error loading appeals: {error}" />
            )}
          </>
        )}
      </QueryStates>
    </>
  );
}

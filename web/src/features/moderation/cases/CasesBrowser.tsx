import { msg, plural, t } from '@lingui/core/macro';
import { useInfiniteQuery } from '@tanstack/react-query';
import { lazy, type ReactNode, useMemo, useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import type { ListedCase } from '#contract/moderation/case-list.ts';
import { ApiError } from '../../../api/api-error.ts';
import { useMay } from '../../../api/session/permission.ts';
import { ListScreen } from '../../../ui/data/table/ListScreen.tsx';
import { useCurrentRow, useRowKeys } from '../../../ui/data/table/use-row-keys.ts';
import { EmptyState, Skeleton } from '../../../ui/feedback/PageStates.tsx';
import { LazyBoundary, lazyPart } from '../../../ui/loading/LazyBoundary.tsx';
import { personWord } from '../reports/report-words.ts';
import { emptyViewHints } from './case-words.ts';
import type { BulkStep } from './CaseBulk.tsx';
import { BulkBar, useCaseSelection } from './CaseSelection.tsx';
import { CaseLists } from './CaseLists.tsx';
import { CaseTimesSummary, useCaseTimes } from './CaseTimesSummary.tsx';
import { decidedColumns, openColumns } from './case-columns.tsx';
import { LoneReviewer } from './CaseWarnings.tsx';
import { OwnCases, useOwnCases } from './OwnCases.tsx';
import { addressIn, casesQuery, hasDecidedFilter, isClosedList, listNamed, readList } from './queries.ts';

const [CaseBulk] = lazyPart(async () => (await import('./CaseBulk.tsx')).CaseBulk);
const DecidedListHead = lazy(async () => ({ default: (await import('./DecidedFilterBar.tsx')).DecidedListHead }));
const selectLabel = ({ person }: ListedCase) => t`Select the case about ${{ name: personWord(person) }}`;
const noLines: readonly ListedCase[] = [];

/** The figures below the list, all at the same time and after the list, so that none of them moves. */
function Figures() {
  const [times, own] = [useCaseTimes(), useOwnCases()];
  if (times.isLoading || own.isLoading) return null;
  return (
    <>
      <CaseTimesSummary />
      <OwnCases />
    </>
  );
}

interface CasesBrowserProps {
  /** Renders a search for a user to filter by, which calls back with the user's id. */
  userPicker: (onPick: (userId: string) => void) => ReactNode;
}

/** The queue: one list of cases, the most urgent first; or the closed ones, which are searched by their decisions. */
export function CasesBrowser({ userPicker }: CasesBrowserProps) {
  const navigate = useNavigate();
  const [params] = useSearchParams();
  const address = addressIn(readList(params));
  // The same object as long as the address stays the same.
  const list = useMemo(() => readList(new URLSearchParams(address.split('?')[1])), [address]);
  const isClosed = isClosedList(list.view);
  const query = useInfiniteQuery(casesQuery(list));
  const isFiltered = list.priority !== undefined || list.type !== undefined || hasDecidedFilter(list);
  const isGone = query.error instanceof ApiError && query.error.status === 404;
  const lines = useMemo(() => query.data?.pages.flatMap(({ cases }) => cases) ?? noLines, [query.data]);
  const rows = useCurrentRow(lines, address);
  const [bulk, setBulk] = useState<{ step: BulkStep; cases: readonly ListedCase[] } | null>(null);
  const maySelect = useMay('cases.handle') && !isClosed;
  const selection = useCaseSelection(lines, rows.currentId, maySelect);
  const { selected, toggle, chosen } = selection;
  const columns = isClosed ? decidedColumns(list) : openColumns(list);

  useRowKeys(rows, (id) => void navigate(addressIn(list, id)));

  return (
    <>
      <CaseLists list={list} counts={query.data?.pages[0]?.counts} />
      <LazyBoundary key={String(isClosed)} fallback={<Skeleton height="40rem" />}>
        {isClosed && <DecidedListHead list={list} lines={lines} userPicker={userPicker} />}
        {isGone ? (
          <EmptyState
            text={t`This list no longer exists.`}
            hint={t`It was deleted, or it belongs to someone else.`}
            isFramed
          />
        ) : (
          <ListScreen
            query={query}
            label={t`Cases`}
            rows={lines}
            columns={columns}
            growth={isClosed ? 'inView' : 'button'}
            texts={{
              loading: msg`Loading cases...`,
              error: msg({ message: 'Error loading cases: {error}' }),
              empty: msg`No cases here.`,
              emptyHint: emptyViewHints[listNamed(list.view) ?? 'open'],
              more: msg`Loading more cases...`,
            }}
            onClear={isFiltered ? () => void navigate(addressIn({ view: list.view })) : undefined}
            caption={{ text: t`${plural({ count: lines.length }, { one: '# case shown', other: '# cases shown' })}` }}
            current={rows}
            selection={maySelect ? { ids: selected, toggle, labelOf: selectLabel } : undefined}
            table={{ minWidth: '62rem', tabletMinWidth: '56rem', hasRowLinks: true }}
            above={
              <>
                {query.data?.pages[0]?.hasSecondReviewer === false && <LoneReviewer />}
                {chosen.length > 0 && (
                  <BulkBar
                    list={list}
                    cases={chosen}
                    onStep={(step) => setBulk({ step, cases: chosen })}
                    onClear={selection.clear}
                  />
                )}
              </>
            }
          />
        )}
      </LazyBoundary>
      {!query.isPending && <Figures />}
      {bulk !== null && (
        <CaseBulk
          {...bulk}
          onClose={(hasRun) => {
            setBulk(null);
            if (hasRun) selection.clear();
          }}
        />
      )}
    </>
  );
}

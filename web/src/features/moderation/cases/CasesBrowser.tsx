import { Stack } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { lazy, useMemo, useState } from 'react';
import { Link, useNavigate, useSearchParams } from 'react-router';
import type { CaseLine } from '#contract/moderation/cases.ts';
import { readableAddress } from '#contract/text.ts';
import { ApiError } from '../../../api/api-error.ts';
import { useMay } from '../../../api/session/permission.ts';
import { CutText } from '../../../ui/data/table/cells.tsx';
import { ListScreen } from '../../../ui/data/table/ListScreen.tsx';
import type { TableColumn } from '../../../ui/data/table/rows.ts';
import { linkId, useCurrentRow, useRowKeys } from '../../../ui/data/table/use-row-keys.ts';
import { EmptyState } from '../../../ui/feedback/PageStates.tsx';
import { LazyBoundary } from '../../../ui/loading/LazyBoundary.tsx';
import { formatNumber } from '../../../ui/text/format.ts';
import { t } from '../../../ui/text/text.ts';
import { PriorityTag } from '../reports/ReportMarks.tsx';
import { personWord } from '../reports/report-words.ts';
import { emptyViewHints } from './case-words.ts';
import type { BulkStep } from './CaseBulk.tsx';
import { BulkBar, useCaseSelection } from './CaseSelection.tsx';
import { CaseLists } from './CaseLists.tsx';
import { CaseTimesSummary } from './CaseTimesSummary.tsx';
import { CriticalMark, HolderMark, StageTag, TimeLeft } from './CaseMarks.tsx';
import { LoneReviewer } from './CaseWarnings.tsx';
import { addressIn, type CaseList, casesQuery, isOpenList, listNamed, readList } from './queries.ts';
import classes from './queue.module.css';

function columnsFor(list: CaseList): TableColumn<CaseLine>[] {
  return [
    {
      id: 'person',
      header: 'Person',
      card: 'head',
      cell: ({ _id, person }) => (
        <Stack component="span" gap="0.2rem" align="start">
          <Link id={linkId(_id)} to={addressIn(list, _id)} className={classes.link} dir="auto">
            {personWord(person)}
          </Link>
          {person.email !== null && <CutText text={readableAddress(person.email)} isSoft />}
        </Stack>
      ),
    },
    {
      id: 'what',
      header: 'Reported for',
      card: 'body',
      cell: ({ types, criticalBecause, openLinks }) => (
        <Stack component="span" gap="0.2rem" align="start">
          {types.map((type) => t(type)).join(', ') || (openLinks === 0 && '—')}
          {openLinks > 0 && <span>{t('May be a banned person who came back')}</span>}
          <CriticalMark because={criticalBecause} />
        </Stack>
      ),
    },
    {
      id: 'priority',
      header: 'Priority',
      card: 'tags',
      width: ['7rem', '6.3rem'],
      cell: ({ priority }) => <PriorityTag priority={priority} />,
    },
    {
      id: 'stage',
      header: 'Stage',
      card: 'tags',
      width: ['13rem', '9rem'],
      cell: ({ stage }) => <StageTag stage={stage} />,
    },
    { id: 'due', header: 'Time left', card: 'tags', width: ['13rem', '11rem'], cell: (line) => <TimeLeft of={line} /> },
    {
      id: 'holder',
      header: 'Handled by',
      width: ['10rem', '7.5rem'],
      cell: ({ holder }) => <HolderMark holder={holder} />,
    },
    {
      id: 'reports',
      header: 'Reports',
      width: ['5.6rem', '5rem'],
      isNumber: true,
      cell: ({ reportCount, openReports }) =>
        t('{open} of {count}', { open: formatNumber(openReports), count: formatNumber(reportCount) }),
    },
  ];
}

const caseId = ({ _id }: CaseLine) => _id;
const CaseBulk = lazy(async () => ({ default: (await import('./CaseBulk.tsx')).CaseBulk }));
const selectLabel = ({ person }: CaseLine) => t('Select the case about {name}', { name: personWord(person) });
const noLines: readonly CaseLine[] = [];

/** The queue: one list of cases, the most urgent first. */
export function CasesBrowser() {
  const navigate = useNavigate();
  const [params] = useSearchParams();
  const address = addressIn(readList(params));
  // The same object as long as the address stays the same.
  const list = useMemo(() => readList(new URLSearchParams(address.split('?')[1])), [address]);
  const isOpen = isOpenList(list.view) || listNamed(list.view) === undefined;
  const query = useInfiniteQuery(casesQuery(list));
  const isFiltered = list.priority !== undefined || list.type !== undefined;
  const isGone = query.error instanceof ApiError && query.error.status === 404;
  const lines = useMemo(() => query.data?.pages.flatMap(({ cases }) => cases) ?? noLines, [query.data]);
  const rows = useCurrentRow(lines.map(caseId), address);
  const [bulk, setBulk] = useState<{ step: BulkStep; cases: readonly CaseLine[] } | null>(null);
  const maySelect = useMay('cases.handle') && isOpen;
  const selection = useCaseSelection(lines, rows.currentId, maySelect);
  const { selected, toggle, chosen } = selection;
  const columns = columnsFor(list);

  useRowKeys(rows, (id) => void navigate(addressIn(list, id)));

  return (
    <>
      <CaseLists list={list} counts={query.data?.pages[0]?.counts} />
      {query.data?.pages[0]?.hasSecondReviewer === false && <LoneReviewer />}
      <CaseTimesSummary />
      {isGone ? (
        <EmptyState
          text={t('This list no longer exists.')}
          hint={t('It was deleted, or it belongs to someone else.')}
          isFramed
        />
      ) : (
        <ListScreen
          query={query}
          label={t('Cases')}
          rows={lines}
          rowId={caseId}
          columns={columns}
          texts={{
            loading: 'Loading cases...',
            error: 'Error loading cases: {error}',
            empty: 'No cases here.',
            emptyHint: emptyViewHints[listNamed(list.view) ?? 'open'],
          }}
          onClear={isFiltered ? () => void navigate(addressIn({ view: list.view })) : undefined}
          caption={{ text: t('{count, plural, one {# case shown} other {# cases shown}}', { count: lines.length }) }}
          current={rows}
          selection={maySelect ? { ids: selected, toggle, labelOf: selectLabel } : undefined}
          table={{ minWidth: '62rem', tabletMinWidth: '56rem', hasRowLinks: true }}
          above={
            chosen.length > 0 && (
              <BulkBar
                list={list}
                cases={chosen}
                onStep={(step) => setBulk({ step, cases: chosen })}
                onClear={selection.clear}
              />
            )
          }
        />
      )}
      <LazyBoundary onClose={() => setBulk(null)}>
        {bulk !== null && (
          <CaseBulk
            {...bulk}
            onClose={(hasRun) => {
              setBulk(null);
              if (hasRun) selection.clear();
            }}
          />
        )}
      </LazyBoundary>
    </>
  );
}

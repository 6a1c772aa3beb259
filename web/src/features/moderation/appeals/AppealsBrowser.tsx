import { msg, plural, t } from '@lingui/core/macro';
import { Group } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { Link, useNavigate, useSearchParams } from 'react-router';
import { type AppealLine, type AppealView, appealViews, listAppeals } from '#contract/moderation/appeals.ts';
import { endpointPages } from '../../../api/endpoint-query.ts';
import { CutText } from '../../../ui/data/table/cells.tsx';
import { ListScreen } from '../../../ui/data/table/ListScreen.tsx';
import type { TableColumn } from '../../../ui/data/table/rows.ts';
import { linkId, useCurrentRow, useRowKeys } from '../../../ui/data/table/use-row-keys.ts';
import { HolderMark } from '../cases/CaseMarks.tsx';
import { QueueLinks } from '../cases/QueueLinks.tsx';
import classes from '../cases/queue.module.css';
import { personWord } from '../reports/report-words.ts';
import { appealViewWords, decisionSummary, partyWords } from './appeal-words.ts';
import { AppealTag, AppealTime } from './AppealMarks.tsx';

const listEveryMs = 15_000;

const addressOf = (view: AppealView) => (view === 'open' ? '/appeals' : `/appeals?view=${view}`);

function columnsFor(view: AppealView): TableColumn<AppealLine>[] {
  return [
    {
      id: 'appellant',
      header: () => t`Appeal by`,
      card: 'head',
      cell: ({ _id, appellant, party }) => (
        <Group component="span" gap="0.2rem 0.6rem">
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
        </Group>
      ),
    },
    {
      id: 'decision',
      header: () => t`Against`,
      card: 'body',
      cell: (line) => (
        <Group component="span" gap="0.2rem 0.6rem">
          {decisionSummary(line)}
          <CutText text={t`by ${{ name: line.decidedBy }}`} isSoft />
        </Group>
      ),
    },
    {
      id: 'state',
      header: () => t`State`,
      card: 'tags',
      width: ['11rem', '9rem'],
      cell: ({ state }) => <AppealTag state={state} />,
    },
    {
      id: 'due',
      header: () => (view === 'decided' ? t`Decided` : t`Time left`),
      card: 'tags',
      width: ['13rem', '11rem'],
      cell: (line) => <AppealTime appeal={line} />,
    },
    {
      id: 'reviewer',
      header: () => t`Reviewed by`,
      card: 'tags',
      width: ['11rem', '8rem'],
      cell: ({ reviewer }) => <HolderMark holder={reviewer && { ...reviewer, until: null }} label={t`Reviewed by`} />,
    },
  ];
}

const noLines: readonly AppealLine[] = [];
const texts = {
  loading: msg`Loading appeals...`,
  error: msg({ message: 'Error loading appeals: {error}' }),
  empty: msg`No appeals here.`,
  emptyHint: msg`Members can appeal a decision for 183 days. Someone who did not make it decides.`,
};

/** The list of appeals, the most urgent first. */
export function AppealsBrowser() {
  const [params] = useSearchParams();
  const navigate = useNavigate();
  const view = appealViews.find((one) => one === params.get('view')) ?? 'open';
  const query = useInfiniteQuery({
    ...endpointPages(listAppeals, { query: { view } }),
    // The remaining time changes by itself.
    refetchInterval: listEveryMs,
  });
  const lines = useMemo(() => query.data?.pages.flatMap(({ appeals }) => appeals) ?? noLines, [query.data]);
  const rows = useCurrentRow(lines, view);
  const columns = useMemo(() => columnsFor(view), [view]);

  useRowKeys(rows, (id) => void navigate(`/appeals/${id}`, { state: { from: addressOf(view) } }));

  return (
    <>
      <QueueLinks
        label={t`Lists of appeals`}
        views={appealViews}
        words={appealViewWords}
        current={view}
        counts={query.data?.pages[0]?.counts ?? {}}
        addressOf={addressOf}
      />
      <ListScreen
        query={query}
        label={t`Appeals`}
        rows={lines}
        columns={columns}
        texts={texts}
        caption={{
          text: t`${plural({ count: lines.length }, { one: '# appeal shown', other: '# appeals shown' })}`,
          hint: lines.length > 0 && view !== 'decided' && t`Least time left first`,
        }}
        current={rows}
        table={{ minWidth: '56rem', tabletMinWidth: '50rem', hasRowLinks: true }}
      />
    </>
  );
}

import { msg, plural, t } from '@lingui/core/macro';
import { useInfiniteQuery } from '@tanstack/react-query';
import { type ReactNode, useMemo } from 'react';
import { useSearchParams } from 'react-router';
import { auditActions, type AuditEventView, auditFilters, exportAudit, listAudit } from '#contract/moderation/audit.ts';
import { callForFile } from '../../../api/call.ts';
import { completedPagination } from '../../../api/completed.ts';
import { endpointPages } from '../../../api/endpoint-query.ts';
import { useExport } from '../acts/use-export.tsx';
import { addressFilters } from '../../../ui/data/table/use-list-address.ts';
import {
  optionsOf,
  FilterBar,
  FilterChip,
  FilterFields,
  type ListFilter,
} from '../../../ui/data/table/ListFilters.tsx';
import { ListScreen } from '../../../ui/data/table/ListScreen.tsx';
import { formatNumber } from '../../../ui/text/format.ts';
import { shortReportId } from '../reports/report-words.ts';
import { auditColumns } from './audit-columns.tsx';
import { actionNames } from './audit-words.ts';
import classes from './audit.module.css';

const eventsPerAnswer = 50;

const address = addressFilters(auditFilters);

type AuditFilters = ReturnType<typeof address.read>;

/**
 * The matching events, newest first, page by page. Reading them is recorded, so they are not loaded again without need.
 */
const auditQuery = (filters: AuditFilters) => ({
  ...endpointPages(listAudit, { query: { ...filters, limit: eventsPerAnswer } }),
  refetchOnWindowFocus: false,
});

const shownIdLength = 8;

const actionFilter: ListFilter<AuditFilters> = {
  name: 'action',
  label: msg`Action`,
  choices: [['', msg`All actions`], ...optionsOf(auditActions, actionNames)],
};
const dayFilters: readonly ListFilter<AuditFilters>[] = [
  { name: 'from', label: msg`From (UTC)` },
  { name: 'to', label: msg`Until (UTC)` },
];

const texts = {
  loading: msg`Loading audit trail...`,
  error: msg({ message: 'Error loading audit trail: {error}' }),
  empty: msg`No events found matching your criteria`,
  emptyHint: msg`Actions by staff are recorded here.`,
  more: msg`Loading more events...`,
};

const noEvents: readonly AuditEventView[] = [];

interface ChosenProps {
  filters: AuditFilters;
  events: readonly AuditEventView[];
  onChange: (changed: Partial<AuditFilters>) => void;
}

/** The user and the actor to which the events are limited, each with a button to remove the filter. */
function Chosen({ filters: { targetId, actorId }, events, onChange }: ChosenProps) {
  const isReport = events.some(({ target }) => target.type === 'report' && target.id === targetId);
  const actor = events.find(({ actor: { _id } }) => _id === actorId)?.actor;
  return (
    <>
      {targetId !== '' && (
        <FilterChip
          text={
            isReport
              ? t`Report ${{ id: shortReportId(targetId) }}`
              : t`User ${{ id: targetId.slice(0, shownIdLength) }}`
          }
          onRemove={() => onChange({ targetId: '' })}
        />
      )}
      {actorId !== '' && (
        <FilterChip
          text={t`By ${{ name: actor?.name ?? actorId.slice(0, shownIdLength) }}`}
          onRemove={() => onChange({ actorId: '' })}
        />
      )}
    </>
  );
}

interface AuditBrowserProps {
  /** Renders a search for a user to filter by, which calls back with the user's id. */
  userPicker: (onPick: (userId: string) => void) => ReactNode;
}

/** The audit trail with its filters, all of them in the address. */
export function AuditBrowser({ userPicker }: AuditBrowserProps) {
  const [params, setParams] = useSearchParams();
  const filters = address.read(params);
  const query = useInfiniteQuery(auditQuery(filters));
  const change = (changed: Partial<AuditFilters>) =>
    setParams(address.change(params, changed), { preventScrollReset: true });
  const exporting = useExport({
    title: t`Export events`,
    text: t`One row for each event in the list, as you see it.`,
    fileName: 'audit.csv',
    request: (reason) => callForFile(exportAudit, { query: { ...filters, reason } }),
  });
  const onOnlyActor = (actorId: string) => change({ actorId });
  const columns = auditColumns(onOnlyActor);
  const events = useMemo(() => query.data?.pages.flatMap((page) => page.events) ?? noEvents, [query.data]);
  const first = query.data?.pages[0];
  const { total, totalIsExact } = completedPagination(first?.pagination, first?.events.length ?? 0);
  const shown = `${formatNumber(total)}${totalIsExact === false ? '+' : ''}`;

  return (
    <>
      <FilterBar onSubmit={() => undefined}>
        <FilterFields of={[actionFilter]} filters={filters} onChoose={change} />
        <div className={classes.user}>{userPicker((targetId) => change({ targetId }))}</div>
        <FilterFields of={dayFilters} filters={filters} onChoose={change} />
        {exporting.button}
      </FilterBar>
      <ListScreen
        query={query}
        label={t`Audit trail`}
        rows={events}
        columns={columns}
        texts={texts}
        rowHeight="3.4rem"
        growth="inView"
        onClear={address.isFiltered(filters) ? () => setParams({}) : undefined}
        caption={{
          text: t`${plural({ count: total }, { one: `${shown} event`, other: `${shown} events` })}`,
          isTextHidden: false,
          children: <Chosen filters={filters} events={events} onChange={change} />,
        }}
        table={{ minWidth: '42rem' }}
      />
      {exporting.dialog}
    </>
  );
}

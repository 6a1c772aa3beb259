import { Button } from '@mantine/core';
import { infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useEffectEvent, useRef } from 'react';
import { useSearchParams } from 'react-router';
import { type AuditAction, auditActions, listAudit } from '#contract/moderation/audit.ts';
import { call } from '../../../api/call.ts';
import { completedPagination } from '../../../api/completed.ts';
import { staffKeys } from '../../../api/staff-keys.ts';
import { LastUpdated } from '../../../ui/feedback/LastUpdated.tsx';
import {
  FilterBar,
  FilterChip,
  FilterSelect,
  ListCaption,
  ListSkeleton,
  MoreRows,
} from '../../../ui/data/table/ListParts.tsx';
import { EmptyState, QueryStates } from '../../../ui/feedback/PageStates.tsx';
import { formatNumber } from '../../../ui/text/format.ts';
import { t } from '../../../ui/text/text.ts';
import { shortReportId } from '../reports/report-words.ts';
import { AuditTable } from './AuditTable.tsx';
import { actionNames } from './audit-words.ts';
import classes from './audit.module.css';

/** The filters of the audit trail; '' is none. */
export interface AuditFilters {
  action: AuditAction | '';
  targetId: string;
  actorId: string;
}

const eventsPerAnswer = 50;

/** The filters in an address; an unknown action counts as none. */
export function readAuditFilters(params: URLSearchParams): AuditFilters {
  return {
    action: auditActions.find((action) => action === params.get('action')) ?? '',
    targetId: params.get('targetId') ?? '',
    actorId: params.get('actorId') ?? '',
  };
}

/**
 * The matching events, newest first, continued by cursor. Reading them is recorded, so it is not repeated without
 * need.
 */
export function auditQuery(filters: AuditFilters) {
  return infiniteQueryOptions({
    queryKey: staffKeys.audit(filters),
    queryFn: async ({ pageParam: cursor, signal }) => {
      const { data } = await call(listAudit, { query: { ...filters, cursor, limit: eventsPerAnswer }, signal });
      return { ...data, pagination: completedPagination(data.pagination, data.events.length) };
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ pagination }) => pagination.nextCursor ?? null,
    refetchOnWindowFocus: false,
  });
}

const shownIdLength = 8;

const actions: [AuditFilters['action'], string][] = [
  ['', 'All actions'],
  ...auditActions.map((action) => [action, actionNames[action]] as [AuditAction, string]),
];

const errorText = 'Error loading audit trail: {error}';

/** Loads more when it comes into view; pressing it does the same. */
function LoadMore({ query }: { query: { isFetchingNextPage: boolean; fetchNextPage: () => unknown } }) {
  const place = useRef<HTMLDivElement>(null);
  function loadMore() {
    if (!query.isFetchingNextPage) query.fetchNextPage();
  }
  const load = useEffectEvent(loadMore);
  useEffect(() => {
    if (!place.current || !('IntersectionObserver' in window)) return;
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && load(), { rootMargin: '400px' });
    observer.observe(place.current);
    return () => observer.disconnect();
  }, []);
  return (
    <div ref={place} className={classes.more}>
      <Button variant="default" onClick={loadMore}>
        {query.isFetchingNextPage ? t('Loading more events...') : t('Load more')}
      </Button>
    </div>
  );
}

interface AuditBrowserProps {
  /** Finds a user to filter by, and calls back with the id. */
  userPicker: (onPick: (userId: string) => void) => ReactNode;
}

/** The audit trail with its filters, all of them in the address. */
export function AuditBrowser({ userPicker }: AuditBrowserProps) {
  const [params, setParams] = useSearchParams();
  const filters = readAuditFilters(params);
  const query = useInfiniteQuery(auditQuery(filters));
  const hasFilters = Object.values(filters).some((value) => value !== '');

  function change(changed: Partial<AuditFilters>) {
    const next = Object.entries({ ...filters, ...changed }).filter(([, value]) => value !== '');
    setParams(Object.fromEntries(next), { preventScrollReset: true });
  }

  const onOnlyActor = (actorId: string) => change({ actorId });

  return (
    <>
      <FilterBar onSubmit={() => undefined}>
        <FilterSelect
          label={t('Action')}
          value={filters.action}
          choices={actions}
          isWide
          onChoose={(action) => change({ action })}
        />
        <div className={classes.user}>{userPicker((targetId) => change({ targetId }))}</div>
      </FilterBar>
      <QueryStates
        query={query}
        loadingText={t('Loading audit trail...')}
        skeleton={<ListSkeleton rowHeight="3.4rem" />}
        errorText={errorText}
      >
        {({ pages }) => {
          const events = pages.flatMap((page) => page.events);
          const pagination = pages[0]?.pagination;
          const total = pagination?.total ?? 0;
          return (
            <>
              <ListCaption
                text={t('{count, plural, one {{shown} event} other {{shown} events}}', {
                  count: total,
                  shown: `${formatNumber(total)}${pagination?.totalIsExact === false ? '+' : ''}`,
                })}
                end={<LastUpdated query={query} />}
              >
                {filters.targetId !== '' && (
                  <FilterChip
                    text={
                      events.some(({ target }) => target.type === 'report' && target.id === filters.targetId)
                        ? t('Report {id}', { id: shortReportId(filters.targetId) })
                        : t('User {id}', { id: filters.targetId.slice(0, shownIdLength) })
                    }
                    onRemove={() => change({ targetId: '' })}
                  />
                )}
                {filters.actorId !== '' && (
                  <FilterChip
                    text={t('By {name}', {
                      name:
                        events.find(({ actor }) => actor._id === filters.actorId)?.actor.name ??
                        filters.actorId.slice(0, shownIdLength),
                    })}
                    onRemove={() => change({ actorId: '' })}
                  />
                )}
              </ListCaption>
              {events.length === 0 ? (
                <EmptyState
                  text={t('No events found matching your criteria')}
                  hint={t('Actions by staff are recorded here.')}
                  onClearFilters={hasFilters ? () => setParams({}) : undefined}
                  isFramed
                />
              ) : (
                <AuditTable events={events} onOnlyActor={onOnlyActor} />
              )}
              {query.isFetchNextPageError && <MoreRows query={query} loadingText="" errorText={errorText} />}
              {query.hasNextPage && <LoadMore query={query} />}
            </>
          );
        }}
      </QueryStates>
    </>
  );
}

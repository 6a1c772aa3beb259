import { infiniteQueryOptions } from '@tanstack/react-query';
import { type AuditAction, auditActions, listAudit } from '#contract/moderation/audit.ts';
import { call } from '../../../api/call.ts';
import { keys } from '../../../api/keys.ts';

/** What narrows the audit trail; '' is nothing. */
export interface AuditFilters {
  action: AuditAction | '';
  targetId: string;
  actorId: string;
}

const eventsPerAnswer = 50;

/** The filters an address holds; an unknown action counts as none. */
export function readAuditFilters(params: URLSearchParams): AuditFilters {
  return {
    action: auditActions.find((action) => action === params.get('action')) ?? '',
    targetId: params.get('targetId') ?? '',
    actorId: params.get('actorId') ?? '',
  };
}

/** The events that fit, newest first, on by cursor. Reading them is an event itself, so it is not repeated without need. */
export function auditQuery(filters: AuditFilters) {
  return infiniteQueryOptions({
    queryKey: keys.audit(filters),
    queryFn: async ({ pageParam: cursor, signal }) =>
      (await call(listAudit, { query: { ...filters, cursor, limit: eventsPerAnswer }, signal })).data,
    initialPageParam: null as string | null,
    getNextPageParam: ({ pagination }) => pagination.nextCursor ?? null,
    refetchOnWindowFocus: false,
  });
}

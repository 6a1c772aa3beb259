import { type BulkAct, type BulkKind, getBulkAct, previewBulk } from '#contract/moderation/bulk.ts';
import { endpointQuery } from '../../../../api/endpoint-query.ts';
import { completeListed } from '../../complete-user.ts';
import type { Selection } from './use-user-selection.ts';

const progressEveryMs = 1000;

/** The people an act would affect, requested each time it is opened. */
export const previewQuery = (selection: Selection, kind: BulkKind, tagId: string) =>
  endpointQuery(
    previewBulk,
    { body: { selection, kind, ...(tagId !== '' && { tagId }) } },
    { select: (data) => ({ ...data, examples: data.examples.map(completeListed) }), gcTime: 0, staleTime: 0 },
  );

/** The progress of an act, requested every second until it ends. */
export const progressQuery = (id: string) =>
  endpointQuery(
    getBulkAct,
    { params: { id } },
    {
      select: ({ act }) => act,
      refetchInterval: ({ state }) => (state.data?.act.state === 'running' ? progressEveryMs : false),
    },
  );

export interface BulkValues {
  tagId: string;
  text: string;
  reason: string;
}

/** The act with its input. */
export function actOf(kind: BulkKind, { tagId, text }: BulkValues): BulkAct {
  if (kind === 'endSessions' || kind === 'takeBack') return { kind };
  return kind === 'tag' || kind === 'untag' ? { kind, tagId } : { kind, text };
}

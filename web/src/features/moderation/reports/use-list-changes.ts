import { useMutationState } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { StaffReport } from '#contract/moderation/staff-reports.ts';
import { commandKey } from './report-data.ts';

const nothing: ReadonlySet<string> = new Set();
const shownMs = 3000;

/** The ids of reports that the viewer has changed recently. */
function useOwnIds(): ReadonlySet<string> {
  const ids = useMutationState({
    filters: { mutationKey: commandKey },
    select: ({ state }) => (state.variables as { id: string }).id,
  });
  return new Set(ids);
}

/**
 * The rows of the current page that colleagues have just added or changed, for three seconds, and the time of that
 * change.
 */
export function useListChanges(listKey: string, reports: readonly StaffReport[] | undefined) {
  const ownIds = useOwnIds();
  const own = useRef(ownIds);
  const seen = useRef<{ listKey: string; times: Map<string, string> } | null>(null);
  const [changed, setChanged] = useState<{ ids: ReadonlySet<string>; at: number | null }>({ ids: nothing, at: null });

  useEffect(() => {
    own.current = ownIds;
  });

  useEffect(() => {
    if (reports === undefined) return;
    const before = seen.current;
    const times = new Map(reports.map(({ _id, updatedAt }) => [_id, updatedAt]));
    seen.current = { listKey, times };
    if (before?.listKey !== listKey) return;
    const isByOthers = (id: string) => !own.current.has(id);
    const ids = [...times.keys()].filter((id) => isByOthers(id) && before.times.get(id) !== times.get(id));
    const hasLostRows = [...before.times.keys()].some((id) => isByOthers(id) && !times.has(id));
    if (ids.length > 0 || hasLostRows) setChanged({ ids: new Set(ids), at: Date.now() });
  }, [listKey, reports]);

  useEffect(() => {
    if (changed.ids.size === 0) return;
    const timer = setTimeout(() => setChanged(({ at }) => ({ ids: nothing, at })), shownMs);
    return () => clearTimeout(timer);
  }, [changed.ids]);

  return changed;
}

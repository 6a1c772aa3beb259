import { useMutationState } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { StaffReport } from '#contract/moderation/report.ts';
import { commandKey } from '../report-cache.ts';

const nothing: ReadonlySet<string> = new Set();
const shownMs = 3000;

/** The reports that one's own commands touched lately. */
function useOwnIds(): ReadonlySet<string> {
  const ids = useMutationState({
    filters: { mutationKey: commandKey },
    select: ({ state }) => (state.variables as { id: string }).id,
  });
  return new Set(ids);
}

/**
 * What others changed on the page of the list that is looked at, for a moment after an answer brought it: the reports that
 * came or changed, and when that was.
 */
export function useListNews(listKey: string, reports: readonly StaffReport[] | undefined) {
  const ownIds = useOwnIds();
  const own = useRef(ownIds);
  const seen = useRef<{ listKey: string; times: Map<string, string> } | null>(null);
  const [news, setNews] = useState<{ ids: ReadonlySet<string>; at: number | null }>({ ids: nothing, at: null });

  useEffect(() => {
    own.current = ownIds;
  });

  useEffect(() => {
    if (reports === undefined) return;
    const before = seen.current;
    const times = new Map(reports.map(({ _id, updatedAt }) => [_id, updatedAt]));
    seen.current = { listKey, times };
    if (before?.listKey !== listKey) return;
    const isOthers = (id: string) => !own.current.has(id);
    const came = [...times.keys()].filter((id) => isOthers(id) && before.times.get(id) !== times.get(id));
    const hasLost = [...before.times.keys()].some((id) => isOthers(id) && !times.has(id));
    if (came.length > 0 || hasLost) setNews({ ids: new Set(came), at: Date.now() });
  }, [listKey, reports]);

  useEffect(() => {
    if (news.ids.size === 0) return;
    const timer = setTimeout(() => setNews(({ at }) => ({ ids: nothing, at })), shownMs);
    return () => clearTimeout(timer);
  }, [news.ids]);

  return news;
}

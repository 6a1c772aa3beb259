import { useEffect } from 'react';
import { keys } from '../../api/keys.ts';
import { queryClient } from '../../api/query-client.ts';
import { holdRealtime, onMissed, onRealtime } from '../../api/realtime/realtime.ts';

/** Minimum time between reloads, however many changes arrive. */
const restMs = 2000;

const changedBy = {
  statistics: [keys.statistics],
  reports: [keys.allReports, keys.reportStatistics],
} as const;
type Changed = keyof typeof changedBy;

/** Reloads visible statistics and reports when the server announces a change. */
export function useLiveFigures(): void {
  useEffect(() => {
    const waiting = new Set<Changed>();
    let timer: ReturnType<typeof setTimeout> | undefined;

    function askAnew(): void {
      timer = waiting.size === 0 ? undefined : setTimeout(askAnew, restMs);
      for (const changed of waiting)
        for (const queryKey of changedBy[changed]) void queryClient.invalidateQueries({ queryKey });
      waiting.clear();
    }
    function note(changed: Changed): void {
      waiting.add(changed);
      if (timer === undefined) askAnew();
    }

    const stops = [
      holdRealtime(),
      onRealtime(({ kind }) => {
        if (kind === 'statistics' || kind === 'reports') note(kind);
      }),
      onMissed(() => {
        note('statistics');
        note('reports');
      }),
    ];
    return () => {
      clearTimeout(timer);
      for (const stop of stops) stop();
    };
  }, []);
}

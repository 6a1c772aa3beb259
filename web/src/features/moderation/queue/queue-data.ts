import { getQueue, queueCountMost, queueKindNames, queueKinds } from '#contract/moderation/queue.ts';
import { may } from '#contract/roles.ts';
import { useEndpoint } from '../../../api/endpoint-query.ts';
import { useOwnRole } from '../../../api/session/permission.ts';
import { formatNumber } from '../../../ui/text/format.ts';

const countEveryMs = 60_000;
/** Each page of the queue counts again when it is opened, so that its tab agrees with its list. */
const freshMs = 3_000;

/** The kinds of work that the viewer's role handles, and how many items of each wait once it is known, counted every minute. */
export function useQueue() {
  const role = useOwnRole();
  const kinds = queueKindNames.filter((kind) => may(role, queueKinds[kind].list));
  const { data, isError } = useEndpoint(
    getQueue,
    {},
    { enabled: kinds.length > 0, refetchInterval: countEveryMs, staleTime: freshMs },
  );
  return { kinds, counts: data?.counts, isError };
}

/** How many items wait that the viewer may decide, and the number as text, with a plus if there may be more. */
export function useWaiting() {
  const role = useOwnRole();
  const { kinds, counts: known } = useQueue();
  const counts = kinds.flatMap((kind) => (may(role, queueKinds[kind].decide) ? (known?.[kind] ?? []) : []));
  const count = counts.reduce((sum, one) => sum + one, 0);
  return { count, shown: `${formatNumber(count)}${counts.some((one) => one >= queueCountMost) ? '+' : ''}` };
}

import { msg } from '@lingui/core/macro';
import type { MessageDescriptor } from '@lingui/core';
import { getQueue, queueActs, queueCountMost, type QueueKind, queueKinds } from '#contract/moderation/queue.ts';
import { may } from '#contract/roles.ts';
import { useEndpoint } from '../../../api/endpoint-query.ts';
import { useOwnRole } from '../../../api/session/permission.ts';
import { formatNumber } from '../../../ui/text/format.ts';

const countEveryMs = 60_000;
/** Each page of the queue counts again when it is opened, so that its tab agrees with its list. */
const freshMs = 3_000;

/** The page of each kind of work, in the order of the tabs. */
export const queuePlaces: Record<QueueKind, { path: string; text: MessageDescriptor }> = {
  cases: { path: '/cases', text: msg`Cases` },
  appeals: { path: '/appeals', text: msg`Appeals` },
  pictures: { path: '/queue/pictures', text: msg`Pictures` },
  verification: { path: '/queue/verification', text: msg`Verification` },
  notices: { path: '/cases/notices', text: msg`Notices` },
  secondLooks: { path: '/second-looks', text: msg`Second looks` },
};

/** The kinds of work that the viewer's role handles, and how many items of each wait once it is known, counted every minute. */
export function useQueue() {
  const role = useOwnRole();
  const kinds = (Object.keys(queuePlaces) as QueueKind[]).filter((kind) => may(role, queueKinds[kind]));
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
  const counts = kinds.flatMap((kind) => (may(role, queueActs[kind]) ? (known?.[kind] ?? []) : []));
  const count = counts.reduce((sum, one) => sum + one, 0);
  return { count, shown: `${formatNumber(count)}${counts.some((one) => one >= queueCountMost) ? '+' : ''}` };
}

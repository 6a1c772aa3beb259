import type { RawBuilder } from 'kysely';
import { queueCountMost, type QueueKind, queueKindNames, queueKinds } from '#contract/moderation/queue.ts';
import { may } from '#contract/roles.ts';
import { countEach, type Db } from '#platform/db/db.ts';
import { type Staff, withHidden } from '#platform/session/access.ts';
import { waitingPictures } from '../media/public.ts';
import { waitingAppeals, waitingCases, waitingOutsiderReports, waitingSecondLooks } from '../moderation/public.ts';
import { waitingSelfies } from '../selfies/public.ts';

/** The waiting rows of each kind, without those hidden from this colleague. */
const waiting: Record<QueueKind, (staff: Staff, now: Date) => RawBuilder<unknown>> = {
  cases: waitingCases,
  appeals: waitingAppeals,
  pictures: waitingPictures,
  verification: waitingSelfies,
  notices: waitingOutsiderReports,
  secondLooks: waitingSecondLooks,
};

/**
 * How many items of each kind wait that the role of `staff` may list, counted up to `queueCountMost`; for second looks only whether there
 * are any, because reading a case would change their number and so reveal that its decision was drawn.
 */
export async function countWaiting(db: Db, staff: Staff, now: Date): Promise<Partial<Record<QueueKind, number>>> {
  const seer = await withHidden(db, staff, 'case', 'decision', 'reach');
  const kinds = queueKindNames.filter((kind) => may(staff.staffRole, queueKinds[kind].list));
  const counts = await countEach(
    db,
    kinds.map((kind) => [waiting[kind](seer, now), kind === 'secondLooks' ? 1 : queueCountMost] as const),
  );
  return Object.fromEntries(kinds.map((kind, index) => [kind, counts[index] ?? 0]));
}

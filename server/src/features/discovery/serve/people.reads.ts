import type { CandidateRow } from '../deck/candidates.reads.ts';
import { statedOf } from '../deck/codes.ts';
import { expectedReads, replyRate } from '../score/inbox.ts';
import type { Candidate } from '../deck/rows.ts';

const dayMs = 86_400_000;
const monthDays = 28;

const daysSince = (at: Date, now: Date) => Math.max(0, (now.getTime() - at.getTime()) / dayMs);

/** A person as the score needs them, without the fit of their answers. */
export function candidateOf(row: CandidateRow, now: Date): Candidate {
  const joinedDays = daysSince(row.joined_at, now);
  return {
    ...statedOf(row, now),
    id: row.account_id,
    standing: { appeal: row.appeal ?? 0, selectivity: row.selectivity ?? 0 },
    distanceKm: row.km,
    answers: null,
    likesViewer: row.likes_viewer,
    pendingLikes: row.pending,
    readsWeekly: expectedReads(row.cards_decided, Math.min(monthDays, joinedDays)),
    replyRate: replyRate(row.answered ?? 0, row.received ?? 0),
    impressionsInWeek: row.impressions,
    decisionsReceived: row.decisions_received,
    joinedDays,
    lastActiveDays: daysSince(new Date(`${row.last_active_on}T00:00:00Z`), now),
    isVip: row.is_vip,
  };
}

import { sql, type RawBuilder } from 'kysely';
import type { StatedRow } from './codes.ts';
import { isBefore, kmBetween } from '../score/fit.ts';

/** A person who may become a card, with everything the score needs. */
export interface CandidateRow extends StatedRow {
  km: number | null;
  likes_viewer: boolean;
  height_cm: number | null;
  is_vip: boolean;
  joined_at: Date;
  last_active_on: string;
  pending: number;
  decisions_received: number;
  impressions: number;
  cards_decided: number;
  appeal: number | null;
  selectivity: number | null;
  /** First messages they received and how many they answered; both decay. */
  received: number | null;
  answered: number | null;
}

/**
 * Whether the candidate has a pending like for the viewer from before today (UTC). An order that followed each like at once would
 * reveal its sender. Not `exists`, which the planner may answer by reading all pending likes into memory.
 */
const likesTheViewer = (day: string): RawBuilder<boolean> => sql<boolean>`coalesce((
  select l.is_pending and ${isBefore(sql.ref('l'), day)}
  from decision l where l.viewer_id = t.account_id and l.target_id = v.account_id), false)`;

/** The columns the score needs of candidate `t` for viewer `v` on a day (`YYYY-MM-DD`, UTC). */
export const candidateColumns = (day: string): RawBuilder<unknown> => sql`
  t.account_id, t.gender, t.seeking, t.birth_date, t.latitude, t.longitude, t.shows_activity, t.age_min, t.age_max,
  t.age_required, t.max_km, t.distance_required, t.height_cm, t.goal, t.children, t.smoking, t.drinking, t.exercise, t.interests,
  t.languages, t.is_vip, t.joined_at, t.last_active_on, t.pending, t.decisions_received, t.impressions, t.cards_decided,
  ${kmBetween(sql.ref('v'), sql.ref('t'))} as km, ${likesTheViewer(day)} as likes_viewer,
  standing.appeal, standing.selectivity, replies.received, replies.answered`;

/** Columns of the above: the learned values of candidate `t` towards the gender of `v`, and how often `t` replies. */
export const learnedOfCandidate = sql`
  left join standing on standing.account_id = t.account_id and standing.gender = v.gender
  left join reply_count replies on replies.account_id = t.account_id`;

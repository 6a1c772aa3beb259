import { sql, type RawBuilder } from 'kysely';
import type { StatedRow } from './codes.ts';
import { isBefore, kmBetween } from '../score/fit.ts';

/** Somebody who may become a card, with what the score asks for. */
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
  /** First messages to them, and how many of these they answered; fading. */
  received: number | null;
  answered: number | null;
}

/**
 * Whether the candidate likes the viewer and waits, since before today (UTC): an order that followed each like at once would
 * tell who it came from. Not `exists`, which the planner may answer by reading everybody's likes that wait into memory.
 */
const likesTheViewer = (day: string): RawBuilder<boolean> => sql<boolean>`coalesce((
  select l.is_pending and ${isBefore(sql.ref('l'), day)}
  from decision l where l.viewer_id = t.account_id and l.target_id = v.account_id), false)`;

/** What the score asks for of the candidate `t` of the viewer `v` on a day (`YYYY-MM-DD`, UTC). */
export const candidateColumns = (day: string): RawBuilder<unknown> => sql`
  t.account_id, t.gender, t.seeking, t.birth_date, t.latitude, t.longitude, t.shows_activity, t.age_min, t.age_max,
  t.age_required, t.max_km, t.distance_required, t.height_cm, t.goal, t.children, t.smoking, t.drinking, t.exercise, t.interests,
  t.languages, t.is_vip, t.joined_at, t.last_active_on, t.pending, t.decisions_received, t.impressions, t.cards_decided,
  ${kmBetween(sql.ref('v'), sql.ref('t'))} as km, ${likesTheViewer(day)} as likes_viewer,
  standing.appeal, standing.selectivity, replies.received, replies.answered`;

/** What was learned of the candidate `t` towards people of the gender of `v`, and how often `t` answers: columns of the above. */
export const learnedOfCandidate = sql`
  left join standing on standing.account_id = t.account_id and standing.gender = v.gender
  left join reply_count replies on replies.account_id = t.account_id`;

import type { Gender, ProfileDetails } from '#contract/profiles/profile-details.ts';
import { ageOn } from '#platform/process/clock.ts';
import type { Candidate, Stated, Viewer } from '../score/people.ts';
import { sql } from 'kysely';
import type { DeckOrder } from '#contract/discovery.ts';
import type { Db } from '#platform/db/db.ts';
import type { KeptPreferences } from '#platform/db/json.ts';
import { kmBetween } from '../../compatibility/public.ts';
import { decidedDays } from '../learn/learning.ts';
import { expectedReads, replyRate } from '../score/score.ts';

/** Must equal `logic.gender_bit` in `server/sql/discovery.sql`. */
const genderBits: Record<Gender, number> = { woman: 1, man: 2, 'non-binary': 4 };
const genderOrder = Object.keys(genderBits) as Gender[];

/** The bit of a gender in `discovery_row`. */
export const bitOf = (gender: Gender): number => genderBits[gender];

/** The genders whose bits are set. */
export const gendersOf = (mask: number): Gender[] => genderOrder.filter((gender) => (mask & genderBits[gender]) !== 0);

/** A row of `discovery_row` as returned by the database. */
export interface StatedRow extends Pick<
  ProfileDetails,
  'goal' | 'children' | 'smoking' | 'drinking' | 'exercise' | 'interests' | 'languages'
> {
  account_id: string;
  gender: number;
  seeking: number;
  birth_date: string;
  shows_activity: boolean;
  age_min: number | null;
  age_max: number | null;
  age_required: boolean;
  max_km: number | null;
  distance_required: boolean;
}

/** The place where a member searches and appears: the centre of a place cell, if known. */
export interface PlacedRow {
  latitude: number | null;
  longitude: number | null;
}

/** A member's stated facts, from their row. */
export function statedOf(row: StatedRow, now: Date): Stated {
  const { age_min, age_max, max_km } = row;
  return {
    gender: gendersOf(row.gender)[0] ?? 'non-binary',
    seeking: gendersOf(row.seeking),
    age: ageOn(row.birth_date, now),
    agePreference:
      age_min === null || age_max === null ? null : { min: age_min, max: age_max, required: row.age_required },
    distancePreference: max_km === null ? null : { maxKm: max_km, required: row.distance_required },
    showsLastActive: row.shows_activity,
    goal: row.goal,
    children: row.children,
    smoking: row.smoking,
    drinking: row.drinking,
    exercise: row.exercise,
    interests: row.interests,
    languages: row.languages,
  };
}

/** The viewer's row with learned values and preferences. */
export interface ViewerRow extends StatedRow, PlacedRow {
  is_vip: boolean;
  /** For each gender: its number, and the viewer's appeal to and selectivity towards people of that gender. */
  memberScores: [number, number, number][];
  wanted_order: DeckOrder | null;
  wishes: KeptPreferences | null;
  /** The version of everything the deck depends on. */
  deck_changes: number;
}

/** The columns of viewer `r` that `viewerOf` needs, and where they search. */
export const viewerColumns = sql`
  r.account_id, r.gender, r.seeking, r.birth_date, r.shows_activity, r.age_min, r.age_max, r.age_required, r.max_km, r.distance_required,
  r.goal, r.children, r.smoking, r.drinking, r.exercise, r.interests, r.languages, r.latitude, r.longitude, r.is_vip,
  array(select jsonb_build_array(s.gender, s.appeal, s.selectivity) from standing s where s.account_id = r.account_id) as "memberScores"`;

/** The viewer as discovery needs them, in one query; undefined for members outside discovery. */
export async function viewerRow(db: Db, accountId: string): Promise<ViewerRow | undefined> {
  const { rows } = await sql<ViewerRow>`
    select ${viewerColumns}, p.wishes ->> 'order' as wanted_order, p.wishes, coalesce(d.changes, 0) as deck_changes
    from discovery_row r
      left join preference p on p.account_id = r.account_id
      left join deck d on d.viewer_id = r.account_id
    where r.account_id = ${accountId}::uuid and r.gender > 0`.execute(db);
  return rows[0];
}

/** The viewer as the score needs them. */
export function viewerOf(row: StatedRow & Pick<ViewerRow, 'memberScores'>, now: Date): Viewer {
  const memberScore: Viewer['memberScore'] = {};
  for (const [gender, appeal, selectivity] of row.memberScores) {
    const [name] = gendersOf(gender);
    if (name !== undefined) memberScore[name] = { appeal, selectivity };
  }
  return { ...statedOf(row, now), memberScore };
}

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
  warmth: number | null;
  selectivity: number | null;
  /** How many first messages they received and how many they answered; both decay. */
  received: number | null;
  answered: number | null;
}

/** The columns of candidate `t` that are the same for all viewers of one gender. */
export const ownColumns = sql`
  t.account_id, t.gender, t.seeking, t.birth_date, t.shows_activity, t.age_min, t.age_max,
  t.age_required, t.max_km, t.distance_required, t.height_cm, t.goal, t.children, t.smoking, t.drinking, t.exercise, t.interests,
  t.languages, t.is_vip, t.joined_at, t.last_active_on, t.pending, t.decisions_received, t.impressions, t.cards_decided,
  standing.appeal, standing.selectivity, standing.warmth, replies.received, replies.answered`;

/** The columns of candidate `t` that the score needs for viewer `v`, except `likes_viewer`. */
export const candidateColumns = sql`${ownColumns}, ${kmBetween(sql.ref('v'), sql.ref('t'))} as km`;

/** Some of the columns above: the learned values of candidate `t` towards the gender of `v`, and how often `t` replies. */
export const learnedOfCandidate = sql`
  left join standing on standing.account_id = t.account_id and standing.gender = v.gender
  left join reply_count replies on replies.account_id = t.account_id`;

const dayMs = 86_400_000;

const daysSince = (at: Date, now: Date) => Math.max(0, (now.getTime() - at.getTime()) / dayMs);

/** Days since the day of the last visit; members who never visited have `-infinity` in that column. */
const daysSinceVisit = (day: string, now: Date) =>
  day === '-infinity' ? Infinity : daysSince(new Date(`${day}T00:00:00Z`), now);

/** A person as the score needs them, without the fit of their answers. */
export function candidateOf(row: CandidateRow, now: Date): Candidate {
  const joinedDays = daysSince(row.joined_at, now);
  return {
    ...statedOf(row, now),
    id: row.account_id,
    memberScore: { appeal: row.appeal ?? 0, selectivity: row.selectivity ?? 0, warmth: row.warmth ?? 0 },
    distanceKm: row.km,
    answers: null,
    likesViewer: row.likes_viewer,
    pendingLikes: row.pending,
    readsWeekly: expectedReads(row.cards_decided, Math.min(decidedDays, joinedDays)),
    replyRate: replyRate(row.answered ?? 0, row.received ?? 0),
    impressionsInWeek: row.impressions,
    decisionsReceived: row.decisions_received,
    joinedDays,
    lastActiveDays: daysSinceVisit(row.last_active_on, now),
    isVip: row.is_vip,
  };
}

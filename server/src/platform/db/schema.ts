import type { ColumnType, Generated, GeneratedAlways } from 'kysely';
import type { Importance } from '#contract/compatibility/compatibility.ts';
import type { Preferences } from '#contract/discovery/discovery.ts';
import type { ProfileDetails } from '#contract/profiles/profile-details.ts';
import type { SandboxTables } from './schema-sandbox.ts';
import type { DiscoveryTables } from './schema-discovery.ts';
import type { FactorTables } from './schema-factors.ts';
import type { IdentityTables } from './schema-identities.ts';
import type { LikeTables } from './schema-likes.ts';
import type { MessageTables } from './schema-messages.ts';
import type { NotificationTables } from './schema-notifications.ts';
import type { PremiumTables } from './schema-premium.ts';
import type { SignInTables } from './schema-sign-in.ts';
import type { StoredPicture } from '../session/pictures.ts';

type Moment = ColumnType<Date, Date | string, Date | string>;

/** What somebody said to one question; all of it by question. */
export type KeptAnswer = [answer: string, accepted: string[], importance: Importance];
export type KeptAnswers = Record<string, KeptAnswer>;

/** What somebody wishes; another city with the place cell it lies in. */
export type KeptWishes = Partial<Omit<Preferences, 'seeking' | 'incognito' | 'elsewhere'>> & {
  elsewhere?: { city: string; country: string; latitude: number; longitude: number } | null;
};

export interface AccountTable {
  id: Generated<string>;
  email: string;
  password_hash: string | null;
  password_suits_staff: Generated<boolean>;
  created_at: Moment;
  email_verified_at: Moment | null;
  staff_role: 'admin' | 'moderator' | null;
  is_vip: Generated<boolean>;
  is_active: Generated<boolean>;
  deactivated_at: Moment | null;
  deactivation_reason: string | null;
  leaving_since: Moment | null;
  /** When the second factor goes by itself. */
  factor_removal_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
}

export interface ProfileTable {
  account_id: string;
  first_name: string | null;
  last_name: string | null;
  gender: 'woman' | 'man' | 'non-binary' | null;
  gender_text: string | null;
  /** `YYYY-MM-DD`. */
  birth_date: string | null;
  bio: string | null;
  seeking: Generated<('woman' | 'man' | 'non-binary')[]>;
  city: string | null;
  country: string | null;
  latitude: number | null;
  longitude: number | null;
  show_last_active: Generated<boolean>;
  /** Seen only by those one likes, while premium lasts. */
  incognito: Generated<boolean>;
  /** What of `ProfileDetails` was said; the rest is absent. */
  details: ColumnType<Partial<ProfileDetails>, string | undefined, string>;
  /** Written by the database alone. */
  pictures: ColumnType<StoredPicture[], string | undefined, never>;
  picture_count: ColumnType<number, number | undefined, never>;
  complete: GeneratedAlways<boolean>;
}

type ReportPriority = 'critical' | 'high' | 'medium' | 'other';
type ReportStatus = 'pending' | 'in_progress' | 'resolved' | 'closed' | 'rejected';

export interface ReportTable {
  id: Generated<string>;
  reporter_id: string | null;
  reported_id: string | null;
  reporter_alias: string | null;
  reported_alias: string | null;
  named_id: string | null;
  named_name: string | null;
  problem_type: string;
  description: string;
  may_be_minor: Generated<boolean>;
  first_priority: ReportPriority;
  priority: ReportPriority;
  priority_rank: GeneratedAlways<number>;
  status: Generated<ReportStatus>;
  created_at: Moment;
  updated_at: Moment;
  due_at: Moment;
  first_responded_at: Moment | null;
  /** `Infinity` (as the driver reads PostgreSQL's 'infinity') once somebody answered. */
  awaited_at: GeneratedAlways<Date | number>;
  awaits_staff: Generated<boolean>;
  reply_count: Generated<number>;
  unread_since: Moment | null;
  deleted_at: Moment | null;
  search_text: Generated<string>;
}

export interface PictureTable {
  id: Generated<string>;
  public_id: string;
  account_id: string;
  object_key: string;
  name: string;
  size: number;
  width: number;
  height: number;
  placeholder: string;
  sha256: Buffer;
  /** A signed bigint, as the driver reads and writes it. */
  dhash: string;
  state: 'unclaimed' | 'pending' | 'approved' | 'rejected';
  place: number | null;
  reason: string | null;
  uploaded_at: Moment;
  claimed_at: Moment | null;
  decided_at: Moment | null;
}

/** The database as Kysely sees it; `server/schema` is the truth. Read models kept by triggers are written by nobody else. */
export interface Database
  extends
    SandboxTables,
    PremiumTables,
    LikeTables,
    DiscoveryTables,
    MessageTables,
    NotificationTables,
    SignInTables,
    FactorTables,
    IdentityTables {
  picture: PictureTable;
  rejected_look: { dhash: string; bands: number[]; rejected_at: Moment };
  media_discard: { object_key: string; due_at: Moment };
  evidence_picture: { evidence_id: string; position: number; report_id: string; object_key: string };
  account: AccountTable;
  profile: ProfileTable;
  place: {
    id: GeneratedAlways<number>;
    name: string;
    country: string;
    latitude: number;
    longitude: number;
    population: number;
  };
  place_move: { account_id: string; moved_at: Moment };
  consent: { account_id: string; kind: string; version: string; accepted_at: Moment };
  secret: { name: string; value: string; created_at: Generated<Date> };
  installation: { name: string; value: unknown };
  mail: {
    id: Generated<string>;
    account_id: string | null;
    recipient: string;
    template: string;
    data: unknown;
    status: Generated<'waiting' | 'sent' | 'dead'>;
    attempts: Generated<number>;
    last_error: string | null;
    created_at: Moment;
    sent_at: Moment | null;
  };
  idempotency: {
    scope: string;
    key_hash: Buffer;
    body_hash: Buffer;
    status: number;
    /** Null while there is no answer yet. */
    sealed_answer: Buffer | null;
    created_at: Moment;
  };
  audit_event: {
    id: GeneratedAlways<string>;
    at: Moment;
    actor_id: string | null;
    actor_name: string;
    actor_role: string;
    action: string;
    target_type: string;
    target_id: string | null;
    reason: string | null;
    changes: unknown;
  };
  presence: {
    account_id: string;
    /** `-Infinity` (as the driver reads PostgreSQL's '-infinity') for never. */
    last_active_at: ColumnType<Date | number, Date | string, Date | string>;
    online: Generated<boolean>;
    is_active: Generated<boolean>;
    is_vip: Generated<boolean>;
    is_verified: Generated<boolean>;
  };
  directory: {
    account_id: string;
    created_at: Date;
    name_sort: string;
    search_text: string;
    is_active: boolean;
    is_vip: boolean;
    is_verified: boolean;
    is_complete: boolean;
    online: boolean;
    gender: string | null;
    birth_date: string | null;
    is_shown: boolean;
    shows_activity: boolean;
    first_name: string | null;
    city: string | null;
    country: string | null;
    latitude: number | null;
    longitude: number | null;
    interests: string[];
  };
  block: {
    blocker_id: string;
    blocked_id: string;
    created_at: Moment;
    /** False for what an unmatch hides, which is no block to be taken back. */
    is_listed: Generated<boolean>;
    by_unmatch: Generated<boolean>;
  };
  preference: {
    account_id: string;
    wishes: ColumnType<KeptWishes, string, string>;
    updated_at: Moment;
  };
  answer_sheet: {
    account_id: string;
    answers: ColumnType<KeptAnswers, string, string>;
    updated_at: Moment;
    /** What counts until the day after `counted_on`. */
    counted: ColumnType<KeptAnswers, string | undefined, string>;
    counted_on: ColumnType<Date | string, string | undefined, string>;
  };
  report: ReportTable;
  report_evidence: {
    id: Generated<string>;
    report_id: string;
    kind: 'profile' | 'picture' | 'message';
    captured_at: Moment;
    content: string;
    hash: Buffer;
  };
  report_reply: {
    id: Generated<string>;
    seq: GeneratedAlways<string>;
    report_id: string;
    message: string;
    is_internal: boolean;
    author_id: string | null;
    author_role: 'reporter' | 'admin' | 'moderator';
    author_name: string | null;
    created_at: Moment;
  };
  report_event: {
    id: GeneratedAlways<string>;
    report_id: string;
    at: Moment;
    kind: 'filed' | 'raised' | 'status' | 'undone' | 'priority' | 'reply' | 'note';
    actor_id: string | null;
    actor_role: 'reporter' | 'admin' | 'moderator' | 'system';
    actor_name: string | null;
    from_value: string | null;
    to_value: string | null;
    reason: string | null;
    was_first_response: Generated<boolean>;
    undone_at: Moment | null;
  };
  statistic: { kind: string; key: string; value: string };
  statistic_delta: { kind: string; key: string; delta: string };
}

import type { ColumnType, GeneratedAlways } from 'kysely';
import type { AgeState } from '#contract/age-check.ts';
import type { IdentityProvider } from '#contract/auth/identities.ts';
import type { DateState } from '#contract/constants.ts';
import type { FunnelStep } from '#contract/insights/cohorts.ts';
import type { Language } from '#contract/languages.ts';
import type { PictureState } from '#contract/media.ts';
import type { MessageMediaKind } from '#contract/messages/message-parts.ts';
import type { Caution, MeetingAnswer, ReactionEmoji } from '#contract/messages/messages.ts';
import type { HitOutcome, RuleActions } from '#contract/moderation/automatic-rules.ts';
import type { BulkAct, BulkKind, bulkStates } from '#contract/moderation/bulk.ts';
import type { caseEventKinds, CaseStage, CriticalReason, LinkKind, LinkStrength } from '#contract/moderation/cases.ts';
import type {
  AppealParty,
  AppealState,
  decisionKinds,
  DecisionOutcome,
  DecisionSource,
  SanctionKind,
} from '#contract/moderation/decisions.ts';
import type { EmergencyKind, PreservedCopyKind } from '#contract/moderation/emergencies.ts';
import type { HoldCause, HoldOutcome } from '#contract/moderation/holds.ts';
import type { OutsiderType } from '#contract/moderation/outsider-types.ts';
import type { StaffReadKind } from '#contract/moderation/own-file.ts';
import type { PictureLabel } from '#contract/moderation/picture-queue.ts';
import type { timelineKinds } from '#contract/moderation/report-file.ts';
import type { ReportPriority, ReportStatus, ReportType } from '#contract/moderation/reports.ts';
import type { RuleCondition, RuleFactValues } from '#contract/moderation/rule-words.ts';
import type { ViewScreen } from '#contract/moderation/saved-views.ts';
import type { ReportSource } from '#contract/moderation/staff-reports.ts';
import type { TemplateKind } from '#contract/moderation/templates.ts';
import type { FixedKind, MailTime, NotificationKind } from '#contract/notifications.ts';
import type { Pose, SelfieState } from '#contract/photo-verification.ts';
import type { approvalKinds, approvalVerdicts } from '#contract/profiles/approvals.ts';
import type { Gender, ProfileDetails } from '#contract/profiles/profile-details.ts';
import type { SavedFilter } from '#contract/saved-filters.ts';
import type { TextKind } from '#contract/service/text-kinds.ts';
import type { StaffRole } from '#contract/staff-roles.ts';
import type { Plan, SubscriptionStatus } from '#contract/subscriptions/plan.ts';
import type { InvoiceStatus } from '#contract/subscriptions/subscriptions.ts';
import type { exportStates } from '#contract/takeout.ts';
import type { StoredPicture } from '../session/pictures.ts';
import type { Generated } from './generated/tables.ts';
import type * as json from './json.ts';

/** One of the words of a list. */
type Word<List extends readonly string[]> = List[number];

/** Written as JSON text. */
type Json<T> = ColumnType<T, string, string>;

/** Never changed once its row is inserted. */
type Fixed<T, Insert = T> = ColumnType<T, Insert, never>;

/** An act in the ledger: what a restored backup must not undo. */
export type LedgerAct = 'left' | 'returned' | 'deactivated' | 'activated' | SanctionAct | keyof json.LedgerSubjects;
export type SanctionAct = 'sanctioned' | 'revoked';

/**
 * What the database and the names don't say about columns: the words a text can be, what is in JSON, timestamps that can be infinite (the
 * driver reads those as numbers), and columns that only the database writes. The types of all others are generated.
 */
export interface Columns {
  mail: {
    /** The recipient's, unless there is an account, which has its own. */
    language: Generated<Language>;
    status: Generated<'waiting' | 'sent' | 'dead'>;
  };
  audit_event: { id: GeneratedAlways<string> };

  account: { staff_role: StaffRole | null; language: Generated<Language> };
  presence: {
    /** `-Infinity` for never. */
    last_active_at: ColumnType<Date | number, Date | string, Date | string>;
  };
  verification: { purpose: 'join' | 'change'; asked_by: Generated<'join' | 'owner' | 'address'> };
  ledger_entry: {
    act: LedgerAct;
    sanction: Json<json.LedgerSanction> | null;
    subject: Json<json.LedgerSubjects[keyof json.LedgerSubjects]> | null;
  };
  sign_in_challenge: {
    /** The counter that the passkey reported, which has to be confirmed with the code. */
    passkey_counter: Fixed<string | null, number | null>;
  };
  identity: { provider: IdentityProvider };
  identity_claim: { purpose: 'link' | 'join'; provider: IdentityProvider };

  answer_sheet: {
    answers: Json<json.KeptAnswers>;
    /** The answers that count until the day after `counted_on`. */
    counted: Generated<Json<json.KeptAnswers>>;
  };

  subscription: {
    plan: Plan;
    pending_plan: Plan | null;
    status: SubscriptionStatus;
    /** The price of a period when it was requested, never what the provider reports. */
    price_minor: number;
    /** What a change to a plan was to charge immediately, in minor units. */
    asked_changes: Generated<Json<Partial<Record<Plan, number>>>>;
    /** The plans that the buyer asked to start at once, so that days used before a withdrawal are paid for. */
    starts_now: Generated<Plan[]>;
  };
  invoice: {
    status: InvoiceStatus;
    plan: Plan | null;
    /** Written with the first payment and never changed; null before, and for payments from before receipts existed. */
    receipt: Json<json.ReceiptFacts> | null;
  };
  premium_refund: { parts: Fixed<json.RefundPart[], string | undefined> };

  published_text: {
    kind: Fixed<TextKind>;
    language: Fixed<Language | null>;
    bodies: Fixed<Partial<Record<Language, string>>, string>;
  };

  profile: {
    gender: Gender | null;
    seeking: Generated<Gender[]>;
    /** The given parts of `ProfileDetails`; the others are absent. */
    details: Generated<Json<Partial<ProfileDetails>>>;
    /** Written only by the database. */
    pictures: Fixed<StoredPicture[], string | undefined>;
    picture_count: Fixed<number, number | undefined>;
    complete: GeneratedAlways<boolean>;
  };
  profile_change: { id: GeneratedAlways<string> };
  place: { id: GeneratedAlways<number> };
  age_check: { state: AgeState };
  approval: {
    kind: Word<typeof approvalKinds>;
    payload: Fixed<json.ApprovalPayload, string>;
    verdict: Word<typeof approvalVerdicts> | null;
  };
  listed_person: { address: 'newest' | 'further' | 'revealed' | null };
  pii_reveal: { id: GeneratedAlways<string> };

  picture: {
    /** The findings of our own check; `external_labels` are those of an external one. */
    labels: Generated<PictureLabel[]>;
    state: 'unclaimed' | PictureState;
  };

  decision: {
    /**
     * A like of a held account is `held`, and `dropped` once it can never be delivered; a like by a member that a stored address hides from
     * the target is `dropped` from the start. Only its sender sees either, so queries for others select `like`.
     */
    kind: 'like' | 'pass' | 'unmatch' | 'held' | 'dropped';
  };
  training_event: { id: GeneratedAlways<string> };
  like_count: {
    /** `-Infinity` for never. */
    undone_at: ColumnType<Date | number, Date | string | undefined, Date | string>;
  };

  message: {
    /** Null if it never had any, or none is left. */
    media: json.StoredMedia[] | null;
    /** The `seq` of the message that it answers; for a held message of its sender, that message's `n` with a minus sign. */
    reply_to: number | null;
    caution: Caution | null;
  };
  held_message: { media: json.StoredMedia[] | null };
  message_media: {
    kind: MessageMediaKind;
    /** A signed bigint, as the driver reads it. */
    dhash: string | null;
  };
  message_trace: { id: GeneratedAlways<string> };
  message_reaction: { emoji: ReactionEmoji };
  meeting_answer: { answer: MeetingAnswer };
  date_plan: { state: DateState };

  deck: { cards: Json<json.KeptCard[]> };
  saved_filters: { filters: Json<SavedFilter[]> };
  preference: { wishes: Json<json.KeptPreferences> };

  notification: { kind: NotificationKind | FixedKind };
  notification_choice: { kind: NotificationKind; mail: MailTime };

  report: {
    first_priority: ReportPriority;
    priority: ReportPriority;
    priority_rank: GeneratedAlways<number>;
    status: Generated<ReportStatus>;
    /** `Infinity` once staff have answered. */
    awaited_at: GeneratedAlways<Date | number>;
    source: Generated<ReportSource>;
    /** Whether staff see it in lists, searches and figures: not for a case that staff opened, nor for an unanswered message of the team. */
    is_listed: Generated<boolean>;
    /** The colleague who opened the case or wrote first; null for reports by members. */
    opened_by: Fixed<string | null>;
    opened_by_name: Fixed<string | null>;
  };
  report_reply: { seq: GeneratedAlways<string>; author_role: StaffRole | 'reporter' };
  report_event: {
    id: GeneratedAlways<string>;
    kind: Word<typeof timelineKinds>;
    actor_role: StaffRole | 'reporter' | 'system';
  };
  report_evidence: { kind: 'profile' | 'picture' | 'message' | 'note' | 'date' };
  outsider_notice: {
    type: OutsiderType;
    /** The author's language, for mails. */
    language: Generated<Language>;
    list: GeneratedAlways<'waiting' | 'unconfirmed' | 'done'>;
  };

  moderation_case: {
    stage: Generated<CaseStage>;
    priority: ReportPriority;
    critical_because: CriticalReason | null;
    /** `Infinity` while nothing is due. */
    queue_at: GeneratedAlways<Date | number>;
  };
  case_event: {
    id: GeneratedAlways<string>;
    kind: Word<typeof caseEventKinds>;
    actor_role: StaffRole | 'system' | 'member';
  };
  case_time: { what: 'response' | 'decision'; priority: ReportPriority };
  case_view: { screen: Generated<ViewScreen> };
  ban_trace: { kind: LinkKind };
  account_link: { kind: LinkKind; strength: LinkStrength };
  account_hold: { cause: HoldCause; outcome: HoldOutcome | null };
  legal_hold_copy: { kind: PreservedCopyKind };
  emergency: { kind: EmergencyKind };
  staff_read: { kind: StaffReadKind; shown_as: StaffReadKind | null };
  reply_template: { kind: Generated<TemplateKind>; language: Generated<Language> };

  case_decision: {
    kind: Word<typeof decisionKinds>;
    outcome: Fixed<DecisionOutcome | null>;
    source: DecisionSource;
    answer: Fixed<string | null>;
  };
  sanction: { kind: SanctionKind; content: Json<json.RemovedContent> | null };
  appeal: { party: AppealParty; state: Generated<AppealState> };
  golden_case: { problem_type: ReportType; outcome: DecisionOutcome };
  second_look: { outcome: DecisionOutcome | null };
  transparency_report: { statements_bytes: Fixed<string, number> };

  automatic_rule: {
    conditions: Json<RuleCondition[]>;
    actions: Json<RuleActions>;
    dry_run: Json<json.DryRunState> | null;
  };
  rule_fact: { facts: Json<RuleFactValues> };
  rule_hit: { outcome: HitOutcome | null };
  bulk_act: {
    kind: BulkKind;
    /** Without its text once it has ended. */
    payload: ColumnType<json.BulkPayload, string, BulkAct>;
    state: Generated<Word<typeof bulkStates>>;
  };
  bulk_act_item: { outcome: 'done' | 'failed' | null };

  selfie_check: { pose: Pose; state: Generated<SelfieState> };
  data_export: { state: Generated<Word<typeof exportStates>> };

  insight_cohort: {
    /** 'active' is the first visit in a calendar month. */
    step: FunnelStep | 'active';
  };
  milestone: { step: Exclude<FunnelStep, 'joined'> };
}

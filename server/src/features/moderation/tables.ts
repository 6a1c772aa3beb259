import type { Language } from '#contract/languages.ts';
import type { AppealParty, AppealState, DecisionOutcome, SanctionKind } from '#contract/moderation/decisions.ts';
import type { caseEventKinds, CriticalReason, LinkKind, LinkStrength } from '#contract/moderation/cases.ts';
import type { EmergencyKind, HoldCopyKind } from '#contract/moderation/emergencies.ts';
import type { HoldCause, HoldOutcome } from '#contract/moderation/holds.ts';
import type { StaffReadKind } from '#contract/moderation/own-file.ts';
import type { OutsiderType } from '#contract/moderation/outsider-types.ts';
import type { ReportType } from '#contract/moderation/reports.ts';
import type { ReportSource } from '#contract/moderation/staff-reports.ts';
import type { ViewScreen } from '#contract/moderation/saved-views.ts';
import type { TemplateKind } from '#contract/moderation/templates.ts';
import type { StaffRole } from '#contract/staff-roles.ts';
import type { ColumnType, Generated, GeneratedAlways, Selectable } from 'kysely';
import type { RemovedContent } from './decisions/content.ts';
import type { MaybeMoment, Moment } from '#platform/db/schema.ts';

type ReportPriority = 'critical' | 'high' | 'medium' | 'other';
type CaseStage = 'open' | 'claimed' | 'assigned' | 'escalated' | 'waiting_reporter' | 'waiting_authority' | 'decided';
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
  /** `Infinity` (as the driver reads PostgreSQL's 'infinity') once staff have answered. */
  awaited_at: GeneratedAlways<Date | number>;
  awaits_staff: Generated<boolean>;
  reply_count: Generated<number>;
  unread_since: Moment | null;
  deleted_at: Moment | null;
  search_text: Generated<string>;
  case_id: string | null;
  source: Generated<ReportSource>;
  /** Who of the staff opened the case or wrote first, and when; null for what a member filed. */
  opened_by: ColumnType<string | null, string | null | undefined, never>;
  opened_by_name: ColumnType<string | null, string | null | undefined, never>;
  opened_at: MaybeMoment;
  /** Staff see it in lists, searches and figures: not a case on one's own initiative, nor an unanswered message of the team. */
  is_listed: Generated<boolean>;
}

export interface CaseTable {
  id: Generated<string>;
  person_id: string | null;
  stage: Generated<CaseStage>;
  priority: ReportPriority;
  critical_because: ColumnType<CriticalReason | null, CriticalReason | null | undefined, CriticalReason | null>;
  holder_id: ColumnType<string | null, string | null | undefined, string | null>;
  holder_name: ColumnType<string | null, string | null | undefined, string | null>;
  lease_until: MaybeMoment;
  opened_at: Moment;
  updated_at: Moment;
  started_at: Moment;
  paused_at: MaybeMoment;
  paused_ms: ColumnType<string, number | string | undefined, number | string>;
  responded_at: MaybeMoment;
  decided_at: MaybeMoment;
  confirmed_at: MaybeMoment;
  due_at: MaybeMoment;
  /** `Infinity` (as the driver reads PostgreSQL's 'infinity') while nothing is due. */
  queue_at: GeneratedAlways<Date | number>;
  reminded_at: MaybeMoment;
  report_count: Generated<number>;
  open_reports: Generated<number>;
}

export interface AppealTable {
  id: Generated<string>;
  decision_id: string;
  case_id: string;
  party: AppealParty;
  account_id: string | null;
  state: Generated<AppealState>;
  plea: string;
  submitted_at: Moment;
  due_at: Moment;
  decided_by: string;
  /** Who opened the case of the decision on their own initiative: none of them reviews it. */
  openers: Generated<string[]>;
  reviewer_id: ColumnType<string | null, string | null | undefined, string | null>;
  reviewer_name: ColumnType<string | null, string | null | undefined, string | null>;
  answer: ColumnType<string | null, string | null | undefined, string | null>;
  answered_at: MaybeMoment;
  withdrawn_at: MaybeMoment;
  reminded_at: MaybeMoment;
}

/** What someone who is not a member told us. */
interface OutsiderNoticeTable {
  id: Generated<string>;
  type: OutsiderType;
  address: string | null;
  names_address: boolean;
  person: string | null;
  place: string | null;
  body: string;
  name: string | null;
  email: string | null;
  /** The author's, for mails. */
  language: Generated<Language>;
  digest: Buffer;
  at: Moment;
  times: Generated<number>;
  queue_at: Moment;
  checked_at: MaybeMoment;
  filing_due_since: MaybeMoment;
  answer_due_since: MaybeMoment;
  report_id: Generated<string | null>;
  receipt_at: MaybeMoment;
  confirmed_at: MaybeMoment;
  told_at: MaybeMoment;
  forgotten_at: MaybeMoment;
  closed_at: MaybeMoment;
  closed_by: Generated<string | null>;
  closed_by_name: Generated<string | null>;
  plea: Generated<string | null>;
  plea_at: MaybeMoment;
  plea_answer: Generated<string | null>;
  plea_answered_at: MaybeMoment;
  appeal_id: Generated<string | null>;
  list: GeneratedAlways<'waiting' | 'unconfirmed' | 'done'>;
}

export type OutsiderNotice = Selectable<OutsiderNoticeTable>;

declare module '#platform/db/schema.ts' {
  interface Database {
    outsider_notice: OutsiderNoticeTable;
    report: ReportTable;
    moderation_case: CaseTable;
    case_event: {
      id: GeneratedAlways<string>;
      case_id: string;
      at: Moment;
      kind: (typeof caseEventKinds)[number];
      actor_id: string | null;
      actor_role: StaffRole | 'system' | 'member';
      actor_name: string | null;
      to_value: string | null;
      reason: string | null;
    };
    case_time: {
      case_id: string;
      what: 'response' | 'decision';
      started_at: Moment;
      at: Moment;
      priority: ReportPriority;
      took_ms: ColumnType<string, number, number>;
    };
    // Saved lists of cases and users; a list without an owner belongs to the team.
    case_view: {
      id: Generated<string>;
      screen: Generated<ViewScreen>;
      owner_id: string | null;
      author_id: string | null;
      name: string;
      filters: ColumnType<unknown, string, string>;
      version: Generated<number>;
      created_at: Moment;
    };
    start_visit: { account_id: string; seen_at: Moment };
    denied_access: { actor_id: string; target_id: string; since: Moment; attempts: number };
    // What is stored about banned people, and the accounts that have something in common with them.
    ban_trace: { sanction_id: string; kind: LinkKind; item: number; hash: Buffer; kept_since: Moment };
    account_link: {
      account_id: string;
      sanction_id: string;
      kind: LinkKind;
      strength: LinkStrength;
      found_at: Moment;
      reviewed_at: MaybeMoment;
    };
    // Accounts whose likes, notes and first messages are not delivered until staff have decided.
    account_hold: {
      id: Generated<string>;
      account_id: string;
      case_id: string;
      cause: HoldCause;
      rule_id: string | null;
      since: Moment;
      ends_at: Moment;
      ended_at: MaybeMoment;
      outcome: ColumnType<HoldOutcome | null, HoldOutcome | null | undefined, HoldOutcome | null>;
      released_by_name: ColumnType<string | null, string | null | undefined, string | null>;
      /** Since when what it withheld is being delivered; null once nothing is left. */
      releasing_since: MaybeMoment;
    };
    // Whether a report may hold the person it is about, judged when it was filed.
    report_power: {
      report_id: string;
      filed_at: Moment;
      network: Buffer;
      is_credible: boolean;
      may_hold: boolean;
      held_at: MaybeMoment;
    };
    // Cases and accounts of which nothing may be deleted until two people release them.
    legal_hold: {
      id: Generated<string>;
      account_id: string | null;
      case_id: string;
      reason: string;
      set_at: Moment;
      set_by_name: string;
      review_on: string;
      released_at: MaybeMoment;
      released_by_names: ColumnType<string[] | null, undefined, string[]>;
    };
    legal_hold_copy: { hold_id: string; kind: HoldCopyKind; copied_at: Moment; data: unknown };
    emergency: {
      id: Generated<string>;
      case_id: string;
      kind: EmergencyKind;
      marked_at: Moment;
      marked_by_name: string | null;
      mailed_at: MaybeMoment;
      paged_at: MaybeMoment;
      /** It is paged together with others, because reports noted many. */
      is_grouped: Generated<boolean>;
      page_due_since: MaybeMoment;
    };
    referral: {
      id: Generated<string>;
      case_id: string;
      authority: string;
      handed_over: string;
      legal_basis: string;
      referred_on: string;
      made_at: Moment;
      made_by_name: string;
    };
    help_line: {
      id: Generated<string>;
      country: string;
      name: string;
      phone: string | null;
      url: string | null;
      note: string;
      is_emergency: boolean;
    };
    // That staff opened an account, and what its owner sees of it.
    staff_read: {
      account_id: string;
      kind: StaffReadKind;
      day: string;
      shown_on: ColumnType<string | null, string | undefined, string>;
      shown_as: ColumnType<StaffReadKind | null, StaffReadKind | undefined, StaffReadKind | null>;
    };
    golden_case: {
      id: Generated<string>;
      problem_type: ReportType;
      story: string;
      outcome: DecisionOutcome;
      clause: string;
      added_at: Moment;
      added_by: string;
      added_by_name: string;
      retired_at: MaybeMoment;
    };
    second_look: {
      id: Generated<string>;
      decision_id: string | null;
      golden_id: string | null;
      drawn_at: Moment;
      reviewer_id: ColumnType<string | null, string | null | undefined, string | null>;
      taken_at: MaybeMoment;
      judged_at: MaybeMoment;
      outcome: ColumnType<DecisionOutcome | null, undefined, DecisionOutcome>;
      clause: ColumnType<string | null, undefined, string>;
      is_agreed: ColumnType<boolean | null, undefined, boolean>;
    };
    transparency_report: {
      year: number;
      version: number;
      made_at: Moment;
      report: string;
      figures: string;
      statements_bytes: ColumnType<string, number, never>;
      seal_batch: ColumnType<number | null, undefined, number>;
      seal_hash: ColumnType<string | null, undefined, string>;
    };
    transparency_part: { year: number; version: number; position: number; body: string };
    community_rule: {
      id: Generated<string>;
      clause: string;
      version: number;
      title: string;
      body: string;
      created_at: Moment;
      created_by: string;
      replaced_at: MaybeMoment;
    };
    reply_template: {
      id: Generated<string>;
      kind: Generated<TemplateKind>;
      language: Generated<Language>;
      template_id: Generated<string>;
      version: number;
      name: string;
      body: string;
      created_at: Moment;
      created_by: string;
      replaced_at: MaybeMoment;
    };
    case_decision: {
      id: Generated<string>;
      case_id: string;
      kind: 'full' | 'quick' | 'interim';
      outcome: ColumnType<DecisionOutcome | null, DecisionOutcome | null | undefined, never>;
      rule_id: string | null;
      facts: string | null;
      source: 'notice' | 'own_initiative' | 'authority';
      is_detection_automated: Generated<boolean>;
      answer: ColumnType<string | null, string | null | undefined, never>;
      decided_by: string;
      decided_by_name: string;
      decided_at: Moment;
      undone_at: MaybeMoment;
    };
    case_decision_day: {
      day: string;
      clause: string;
      decided_by: string;
      decided: number;
      appealed: number;
      overturned: number;
      timed: number;
      took_ms: ColumnType<string, number, number>;
    };
    case_decision_report: { decision_id: string; report_id: string };
    sanction: {
      id: Generated<string>;
      account_id: string | null;
      decision_id: string | null;
      kind: SanctionKind;
      content: ColumnType<RemovedContent | null, string | null | undefined, string | null>;
      reason: string;
      created_by_name: string;
      starts_at: Moment;
      ends_at: MaybeMoment;
      ended_at: MaybeMoment;
      acknowledged_at: MaybeMoment;
      revoked_at: MaybeMoment;
      revoked_by_name: ColumnType<string | null, string | null | undefined, string | null>;
      revoke_reason: ColumnType<string | null, string | null | undefined, string | null>;
      search_due_since: MaybeMoment;
      strikes: number;
      strikes_until: Moment;
    };
    appeal: AppealTable;
    /** Members who answered someone who was banned for fraud. */
    fraud_warning: {
      id: Generated<string>;
      sanction_id: string;
      account_id: string;
      first_name: string | null;
      due_at: MaybeMoment;
      warned_at: MaybeMoment;
      corrected_at: MaybeMoment;
    };
    report_evidence: {
      id: Generated<string>;
      report_id: string;
      kind: 'profile' | 'picture' | 'message' | 'note' | 'date';
      captured_at: Moment;
      content: string;
      hash: Buffer;
    };
    // Who is in messages that were copied from the evidence of another report.
    evidence_party: { account_id: string; evidence_id: string };
    evidence_picture: { evidence_id: string; position: number; report_id: string; object_key: string };
    report_reply: {
      id: Generated<string>;
      seq: GeneratedAlways<string>;
      report_id: string;
      message: string;
      is_internal: boolean;
      author_id: string | null;
      author_role: StaffRole | 'reporter';
      author_name: string | null;
      created_at: Moment;
    };
    report_event: {
      id: GeneratedAlways<string>;
      report_id: string;
      at: Moment;
      kind: 'filed' | 'raised' | 'status' | 'undone' | 'priority' | 'reply' | 'note';
      actor_id: string | null;
      actor_role: StaffRole | 'reporter' | 'system';
      actor_name: string | null;
      from_value: string | null;
      to_value: string | null;
      reason: string | null;
      was_first_response: Generated<boolean>;
      undone_at: Moment | null;
      notice_due_since: MaybeMoment;
    };
  }
}

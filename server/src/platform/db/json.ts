import type { Importance } from '#contract/compatibility.ts';
import type { Preferences, ReasonKind } from '#contract/discovery.ts';
import type { DryRunDimension } from '#contract/moderation/automatic-rules.ts';
import type { BulkAct } from '#contract/moderation/bulk.ts';
import type { ContentKind, SanctionKind } from '#contract/moderation/decisions.ts';
import type { Approval } from '#contract/profiles/approvals.ts';
import type { Seller } from '../config/payments.ts';

/** What a decision removed, without the text: its place and a keyed hash, by which it is found in a restored database. */
export interface LedgerContent {
  evidenceId: string;
  type: ContentKind;
  key: string;
  textHash?: string;
  conversationId?: string;
  /** The content may show a minor, or an authority reported it: no one receives a copy again, not even its owner. */
  isWithheld?: boolean;
}

/** The data needed to repeat a sanction and to know which one was revoked. */
export interface LedgerSanction {
  id: string;
  /** Set only for sanctions, like the following fields. */
  kind?: SanctionKind;
  endsAt?: string | null;
  strikes?: number;
  content?: LedgerContent;
}

/** Acts on a single item of an account, with its identification. */
export interface LedgerSubjects {
  /** The message with this id from the account's device. */
  messageDeleted: { clientId: string };
  /** A view-once photo that the account opened. */
  photoOpened: { mediaId: string };
  /** A legal hold of the account; its texts are not stored here. */
  holdSet: { holdId: string; caseId: string; reviewOn: string };
  holdReleased: { holdId: string };
}

/** What a sanction removed: a part of a frozen copy, which contains its text, and what is needed to find it again. */
export interface RemovedContent extends LedgerContent {
  /** Whether the author had changed or deleted it before the decision, so that nothing was removed. */
  isGone: boolean;
  /** Whether it could not be restored because the copy with its text was deleted. */
  isLost?: boolean;
  /** For a picture: the digest of its bytes and, if it still existed, its perceptual hash and state. */
  sha256?: string;
  dhash?: string;
  state?: 'approved' | 'pending';
  /** For the badge: the pictures that were verified. */
  pictureIds?: string[];
}

/** A member's answer to one question. */
export type KeptAnswer = [answer: string, accepted: string[], importance: Importance];
/** A member's answers by question id; null for an answer that was deleted. */
export type KeptAnswers = Record<string, KeptAnswer | null>;

/** A member's stored preferences. Another city is stored with the place cell it lies in. */
export type KeptPreferences = Partial<Omit<Preferences, 'seeking' | 'isPaused' | 'incognito' | 'elsewhere'>> & {
  elsewhere?: { city: string; country: string; latitude: number; longitude: number } | null;
};

/** What a deck stores about a card besides its member. */
export interface KeptCard {
  /** The reasons, strongest first. Those that are no longer true when the card is served are left out. */
  reasons: ReasonKind[];
  isExploration: boolean;
  /** Whether it has one of the places reserved for people who like the viewer and for decoys; missing in decks of earlier releases. */
  isApart?: boolean;
}

interface StoredFile {
  /** The public id of the file. */
  id: string;
  /** The storage key of its bytes. */
  key: string;
  /** A check removed it, so neither of the two sees it. */
  isRemoved?: boolean;
}

/** A photo of a message, as its two people see it. Its file is a row of `message_media`. */
export interface StoredPhoto extends StoredFile {
  kind: 'picture';
  width: number;
  height: number;
  placeholder: string;
  /** The receiver can open it once. */
  isOnce?: boolean;
  isOpened?: boolean;
  /** It was opened while one of the two hid their activity, so its sender never learns of it. */
  isOpenHidden?: boolean;
  /** It is one of the first photos that its sender sent in the conversation. */
  isAmongFirst?: boolean;
  /** A check found a reason to be careful. */
  isCovered?: boolean;
  /** The check has not answered yet. */
  isUnchecked?: boolean;
}

/** A voice note of a message. */
export interface StoredVoice extends StoredFile {
  kind: 'voice';
  durationMs: number;
  peaks: number[];
}

/** One of the media of a message. */
export type StoredMedia = StoredPhoto | StoredVoice;

/** The content of a receipt besides the payment, as it was when the payment was made. */
export interface ReceiptFacts {
  seller: Seller;
  card: { brand: string; last4: string } | null;
  /** The credit for the unused part of an earlier plan, in minor units. */
  creditMinor: number;
  discountMinor: number;
}

/** The refund of one invoice. */
export interface RefundPart {
  invoiceId: string;
  amountMinor: number;
}

/** A group of people in a dry run. */
export interface GroupCount {
  by: DryRunDimension;
  group: string;
  people: number;
  hits: number;
}

/** The progress of a dry run. */
export interface DryRunState {
  /** Distinguishes this run from a later one. */
  run: string;
  startedAt: Date | string;
  finishedAt: Date | string | null;
  total: number;
  examined: number;
  hits: number;
  groups: GroupCount[];
  /** The last person who was examined, until it has finished. */
  after?: string;
}

/** What an approval allows. */
export type ApprovalPayload = Pick<Approval, 'rows' | 'columns' | 'filters' | 'caseId' | 'text' | 'actId'> & {
  ids?: string[];
  /** The ids of the people who matched the filters when it was requested. */
  isByFilters?: boolean;
  holdId?: string;
};

/** An act on many people; `of` is the act that it undoes. */
export type BulkPayload = BulkAct & { of?: string };

import type { ColumnType, Generated } from 'kysely';
import type { Language } from '#contract/languages.ts';
import type { IdentityProvider } from '#contract/auth/identities.ts';
import type { ContentKind, SanctionKind } from '#contract/moderation/decisions.ts';
import type { StaffRole } from '#contract/staff-roles.ts';

/** What a restored backup must not undo. */
export type LedgerAct = 'left' | 'returned' | 'deactivated' | 'activated' | SanctionAct | SubjectAct;
export type SanctionAct = 'sanctioned' | 'revoked';

/** Acts about one thing of an account, named by its id. */
export type SubjectAct = keyof LedgerSubjects;
interface LedgerSubjects {
  /** The message of the account with this id of its sender's. */
  messageDeleted: { clientId: string };
  /** A photo that the account opened, and that can be opened once. */
  photoOpened: { mediaId: string };
  /** A legal hold of the account; its texts are not kept here. */
  holdSet: { holdId: string; caseId: string; reviewOn: string };
  holdReleased: { holdId: string };
}

/** An act about one thing that a restored database may lack. */
export type MissedAct = {
  [Act in SubjectAct]: { accountId: string; act: Act; subject: LedgerSubjects[Act]; at: Date };
}[SubjectAct];

/** What a decision removed, without the text: its place and a keyed hash, which finds it in a restored database. */
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
  /** Set for sanctions only, like the following fields. */
  kind?: SanctionKind;
  endsAt?: string | null;
  strikes?: number;
  content?: LedgerContent;
}

/** A sanction that a restored database may lack, or its revocation. */
export interface MissedSanction {
  accountId: string;
  act: SanctionAct;
  sanction: LedgerSanction;
  at: Date;
}

declare module '#platform/db/schema.ts' {
  interface Database {
    // Accounts, and whether their owners are online.
    account: {
      id: Generated<string>;
      email: string;
      password_hash: string | null;
      password_suits_staff: Generated<boolean>;
      created_at: Moment;
      email_verified_at: Moment | null;
      staff_role: StaffRole | null;
      is_vip: Generated<boolean>;
      is_active: Generated<boolean>;
      deactivated_at: Moment | null;
      deactivation_reason: string | null;
      leaving_since: Moment | null;
      /** Whether an active sanction hides the account. */
      is_hidden: Generated<boolean>;
      is_messaging_limited: Generated<boolean>;
      /** When the second factor will be removed. */
      factor_removal_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
      /** When a change of address will be undone. */
      address_restore_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
      /** Until then no password can be reset by mail. */
      reset_held_until: ColumnType<Date | null, Date | null | undefined, Date | null>;
      language: Generated<Language>;
    };
    consent: { account_id: string; kind: string; version: string; accepted_at: Moment };
    presence: {
      account_id: string;
      /** `-Infinity` (as the driver reads PostgreSQL's '-infinity') for never. */
      last_active_at: ColumnType<Date | number, Date | string, Date | string>;
      online: Generated<boolean>;
      is_active: Generated<boolean>;
      is_vip: Generated<boolean>;
      is_verified: Generated<boolean>;
    };
    // Sessions, verifications and sign-in attempts.
    session: {
      /** New when the session's privilege is raised. */
      id: Generated<string>;
      account_id: string;
      created_at: Moment;
      last_used_at: Moment;
      idle_expires_at: Moment;
      expires_at: Moment;
      device: string;
      network: string | null;
      /** The session was opened or later confirmed with more than a password or an identity. */
      second_factor: Generated<boolean>;
      /** When its owner last confirmed the session with a linked identity. */
      confirmed_at: Generated<Date | null>;
    };
    refresh_token: {
      token_hash: Buffer;
      session_id: string;
      issued_at: Moment;
      used_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
      retry_key_hash: ColumnType<Buffer | null, Buffer | null | undefined>;
      sealed_answer: ColumnType<Buffer | null, Buffer | null | undefined>;
      /** The token that replaced this one. */
      successor_hash: ColumnType<Buffer | null, Buffer | null | undefined>;
    };
    verification: {
      id: Generated<string>;
      account_id: string;
      email: string;
      purpose: 'join' | 'change';
      handle_hash: Buffer;
      token_hash: Buffer;
      code_hash: Buffer;
      /** Wrong codes that were entered with the handle. */
      tries: Generated<number>;
      /** Wrong codes that someone signed in to the account entered while this one was open. */
      owner_tries: Generated<number>;
      asked_by: Generated<'join' | 'owner' | 'address'>;
      created_at: Moment;
      code_expires_at: Moment;
      expires_at: Moment;
      /** The session that requested the change. */
      session_id: Generated<string | null>;
      /** The link that cancels a change of address, or puts `corrected_from` back. */
      cancel_hash: Generated<Buffer | null>;
      /** The address that staff corrected. */
      corrected_from: Generated<string | null>;
      is_decoy: Generated<boolean>;
    };
    /** No longer written; its last rows are deleted after two weeks. */
    former_password: { account_id: string; password_hash: string; replaced_at: Moment };
    former_address: {
      restore_hash: Buffer;
      account_id: string;
      email: string;
      changed_at: Moment;
      password_hash: string | null;
      /** False once the link that undoes the change is invalid. */
      is_restorable: Generated<boolean>;
    };
    /** A pending restore: the link it was requested with, the link that stops it, and the password it will set. */
    address_restore: {
      account_id: string;
      restore_hash: Buffer;
      stop_hash: Buffer;
      password_hash: string;
      password_suits_staff: boolean;
    };
    password_reset: { token_hash: Buffer; account_id: string; created_at: Moment; expires_at: Moment };
    restore_handle: { token_hash: Buffer; account_id: string; expires_at: Moment };
    ledger_entry: {
      id: Generated<string>;
      account_id: string | null;
      act: LedgerAct;
      at: Moment;
      sanction: ColumnType<LedgerSanction | null, string | null | undefined, string | null>;
      subject: ColumnType<MissedAct['subject'] | null, string | null | undefined, string | null>;
      position: Generated<number | null>;
      is_kept: Generated<boolean>;
      /** The file number, if an earlier release wrote the entry. */
      seq: Generated<number | null>;
    };
    inactivity_warning: { account_id: string; warned_at: Moment };
    // Accounts to compare with what is known about banned people.
    ban_comparison: { account_id: string; due_since: Moment };
    refused_address: { address_hash: Buffer; refused_until: Moment };
    login_attempt: {
      subject: string;
      failures: number;
      window_started_at: Moment;
      last_at: Moment;
      blocked_until: Moment;
    };
    // Two-step verification, passkeys and known devices.
    totp_factor: {
      account_id: string;
      sealed_secret: Buffer;
      since: Moment;
      /** A bigint, which the driver reads as text. */
      last_step: ColumnType<string, number, number>;
    };
    totp_setup: { account_id: string; sealed_secret: Buffer; expires_at: Moment };
    recovery_code: { account_id: string; code_hash: Buffer };
    sign_in_challenge: {
      token_hash: Buffer;
      account_id: string;
      tries: Generated<number>;
      expires_at: Moment;
      /** The passkey that has to be confirmed with the code, and the counter it reported. */
      passkey_id: string | null;
      passkey_counter: ColumnType<string | null, number | null, never>;
    };
    factor_removal: {
      account_id: string;
      link_hash: Buffer | null;
      link_expires_at: Moment | null;
      stop_hash: Buffer | null;
    };
    passkey: {
      id: Generated<string>;
      account_id: string;
      credential_id: Buffer;
      public_key: Buffer;
      sign_count: ColumnType<string, number, number>;
      name: string;
      synced: boolean;
      created_at: Moment;
      last_used_at: Moment | null;
    };
    passkey_challenge: { challenge_hash: Buffer; account_id: string | null; expires_at: Moment };
    known_device: { account_id: string; device: string; network: string; last_seen_at: Moment };
    // Linked Google and Facebook identities.
    identity: { provider: IdentityProvider; subject: string; account_id: string; linked_at: Moment };
    identity_claim: {
      token_hash: Buffer;
      purpose: 'link' | 'join';
      provider: IdentityProvider;
      subject: string;
      email: string | null;
      email_proven: boolean;
      first_name: string | null;
      last_name: string | null;
      expires_at: Moment;
    };
    used_token: { token_hash: Buffer; expires_at: Moment };
  }
}

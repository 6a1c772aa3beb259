import type { DecisionOutcome } from '#contract/moderation/decisions.ts';
import type { MailKind } from '#contract/notifications.ts';
import type { ServiceSettings } from '#contract/service/settings.ts';
import type { MissedAct, MissedSanction } from './features/auth/retention/missed-acts.ts';
import type { Actor } from '#platform/db/audit.ts';
import type { Db } from '#platform/db/db.ts';
import type { Caller } from '#platform/session/caller.ts';

/** The first message of a person to someone who hasn't written to them. */
export interface FirstWords {
  accountId: string;
  receiverId: string;
  text: string;
  now: Date;
}

/** Events between features, emitted in the transaction in which they happen. */
export interface Events {
  /** The owner saved new settings, which apply once the transaction is committed. */
  serviceChanged: { settings: ServiceSettings };
  /** These accounts are about to be deleted, with everything that refers to them. */
  accountsEnding: { accountIds: string[] };
  /** Two people became a match. */
  matched: { matchId: string };
  /** A match has ended through an unmatch or a block by one of its people. */
  matchEnded: { matchId: string; byId: string; now: Date };
  /** Two people no longer see each other, because of a block, a report or an unmatch. */
  hidden: { oneId: string; otherId: string };
  /**
   * A member is about to send a note, or a message to someone who has not written to them yet, or to change such a message. Emitted before
   * the feature asks whether the account is held, so that a reaction can still hold a note or first message back.
   */
  firstWords: FirstWords;
  /** An administrator deactivated or activated an account on the users screen. */
  deactivated: { accountId: string; reason: string; by: Actor; now: Date };
  activated: { accountId: string; reason: string; by: Actor; now: Date };
  /**
   * This database was restored from a backup that may lack these sanctions, which are in order. The key creates the
   * hashes of removed texts.
   */
  sanctionsMissed: { sanctions: MissedSanction[]; addressKey: string; now: Date };
  /** The same for acts on single items, in order. */
  actsMissed: { acts: MissedAct[] };
  /** Two people have released a legal hold. */
  preservationReleased: { preservationId: string; askedBy: string; by: Actor; now: Date };
  /** Someone followed the link of an email that ends emails of these kinds. */
  unsubscribed: { accountId: string; kinds: readonly MailKind[] };
  /** A provider said whether a member is an adult. */
  ageAnswered: { accountId: string; state: 'assured' | 'failed'; now: Date };
  /**
   * A person's first message was delivered in a conversation in which the other person had written. `isQuiet`: the receiver has snoozed it.
   */
  firstDelivered: { conversationId: string; receiverId: string; isQuiet: boolean; now: Date };
  /** A report has copied a conversation of its reporter. */
  conversationReported: { reportId: string; conversationId: string; reporterId: string; now: Date };
  /** Staff changed fields of another person's profile. */
  profileEdited: { accountId: string; fields: readonly string[]; by: Caller; now: Date };
  /** A member changed their first or last name. */
  renamed: { accountId: string };
  /**
   * Staff decided a case with reasons. Its sanctions are stored but don't act yet, so that what ends now delivers nothing that they withhold.
   */
  caseDecided: { caseId: string; personId: string | null; outcome: DecisionOutcome; by: Actor; now: Date };
  /** A decision banned someone. The key creates the hashes of what identifies them. */
  banned: { sanctionId: string; accountId: string; banKey: string; now: Date };
  /** A member of staff resolved or rejected a report with one click, and took that back. */
  closedInOneClick: { reportId: string; caseId: string | null; by: Caller; now: Date };
  oneClickUndone: { reportId: string; now: Date };
  /** A case became critical because its person may be a minor. */
  minorReported: { caseId: string; now: Date };
  /** An automatic rule holds what a person sends, until their case is decided. */
  heldByRule: { accountId: string; caseId: string; ruleId: string; now: Date };
  /** A locked case has changed, or was decided. */
  caseChanged: {
    caseId: string;
    personId: string | null;
    isDecided: boolean;
    /** Whether the case is critical because of reports that may hold the person, or an emergency marked by staff. */
    mayHold: boolean;
    /** The reports that caused it, if the person is held now. */
    reportIds: readonly string[];
    now: Date;
  };
}

/** How a feature reacts to events of earlier features. */
export type Reactions = { [Name in keyof Events]?: (tx: Db, event: Events[Name], emit: Emit) => Promise<void> };

/** Runs the reactions of all features to an event in the running transaction, in the order of the features and moderation's rooms. */
export type Emit = <Name extends keyof Events>(tx: Db, name: Name, event: Events[Name]) => Promise<void>;

/** Combines the reactions of features, given in their order. */
export function composeReactions(features: readonly Reactions[]): Emit {
  const emit: Emit = async (tx, name, event) => {
    for (const reactions of features) await reactions[name]?.(tx, event, emit);
  };
  return emit;
}

import type { MessageDescriptor } from '@lingui/core';
import { msg, plural, t } from '@lingui/core/macro';
import type { FileEntry, FileFacts } from '#contract/moderation/user-file.ts';
import type { FileKind } from '#contract/roles.ts';
import { formatMoney } from '../../../ui/text/format-payment.ts';
import { formatDate } from '../../../ui/text/format.ts';
import { listed } from '../../../ui/text/text.ts';
import { fieldName } from '../audit/audit-words.ts';
import { actSentence, actValue, actValues } from '../acts/act-words.ts';
import { strengthWords } from '../cases/case-words.ts';
import { wordFor } from '../reports/report-words.ts';

/** The kinds of entries. */
export const kindWords: Record<FileKind, MessageDescriptor> = {
  report: msg`Reports by them`,
  reported: msg`Reports about them`,
  message: msg`Messages from the team`,
  case: msg`Case`,
  decision: msg`Decisions`,
  sanction: msg`Sanctions`,
  appeal: msg`Appeals`,
  link: msg`Linked accounts`,
  picture: msg`Picture decisions`,
  subscription: msg`Premium`,
  payment: msg`Payments`,
  mail: msg`Emails`,
  signIn: msg`Sign-ins and devices`,
  help: msg`Help from the team`,
  note: msg`Notes`,
  tag: msg`Tags`,
  profile: msg`Profile changes`,
  read: msg`Viewed by the team`,
};

/** The sentence of an entry by what happened; the one for '' if it has none of its own. */
const sentences: Record<Exclude<FileKind, 'case'>, Record<string, MessageDescriptor>> = {
  report: { '': msg({ message: 'Filed a report: {what} ({state})' }) },
  reported: { '': msg({ message: 'Reported by {person}: {what} ({state})' }) },
  message: {
    sent: msg({ message: '{actor} wrote to them, and they have not answered yet' }),
    answered: msg({ message: '{actor} wrote to them, and they answered ({state})' }),
  },
  decision: {
    quick: msg({ message: '{actor} closed reports with one click' }),
    interim: msg({ message: '{actor} restricted the person until the decision' }),
    '': msg({ message: '{actor} decided: {what}' }),
  },
  sanction: { '': msg({ message: '{actor} imposed: {what}' }) },
  appeal: { '': msg({ message: '{person} appealed a decision: {what}' }) },
  link: { '': msg({ message: 'In common with {person}, who was banned: {what} ({strength})' }) },
  picture: {
    'picture.approved': msg({ message: '{actor} approved a picture' }),
    'picture.rejected': msg({ message: '{actor} rejected a picture' }),
    'selfie.approved': msg({ message: '{actor} approved their selfies' }),
    'selfie.again': msg({ message: '{actor} asked for new selfies' }),
    'selfie.rejected': msg({ message: '{actor} rejected their selfies' }),
  },
  subscription: {
    started: msg({ message: 'Subscribed to Premium ({plan})' }),
    canceled: msg({ message: 'Canceled Premium ({plan})' }),
    ended: msg({ message: 'Premium ended ({plan})' }),
    granted: msg({ message: '{actor} gave Premium for {days}' }),
    grantRevoked: msg({ message: '{actor} ended a gift of Premium for {days}' }),
  },
  payment: {
    paid: msg({ message: 'Paid {amount}' }),
    open: msg({ message: 'A payment of {amount} is open' }),
    uncollectible: msg({ message: 'A payment of {amount} failed' }),
    void: msg({ message: 'A payment of {amount} was canceled' }),
    refunded: msg({ message: 'Refunded {amount}' }),
  },
  mail: {
    sent: msg({ message: 'Email accepted by the mail server: {what}' }),
    dead: msg({ message: 'Email refused by the mail server: {what}' }),
    waiting: msg({ message: 'Email waiting to be sent: {what}' }),
  },
  signIn: { session: msg({ message: 'Signed in on {device}' }), device: msg({ message: 'Last seen on {device}' }) },
  help: {
    'help.confirmationSent': msg({ message: '{actor} sent the confirmation of the address again' }),
    'help.resetLinkSent': msg({ message: '{actor} sent a link to choose a new password' }),
    'help.addressCorrected': msg({ message: '{actor} corrected the email address' }),
    'help.correctionStopped': msg({ message: '{actor} put back the corrected email address' }),
    'help.signInUnlocked': msg({ message: '{actor} unlocked sign-in' }),
    'help.exportStarted': msg({ message: '{actor} started a data export' }),
    'help.restoreLinkSent': msg({ message: '{actor} sent a link to restore the account' }),
    '': msg({ message: '{actor} helped' }),
  },
  note: { '': msg({ message: '{actor} wrote' }) },
  tag: {
    added: msg({ message: '{actor} added the tag {tag}' }),
    removed: msg({ message: '{actor} removed the tag {tag}' }),
  },
  profile: {
    own: msg({ message: 'Changed their profile: {fields}' }),
    'user.edited': msg({ message: '{actor} edited the profile: {fields}' }),
    'role.changed': msg({ message: '{actor} changed the role' }),
    'user.sessionsEnded': msg({ message: '{actor} signed them out everywhere' }),
    'user.factorsReset': msg({ message: '{actor} reset two-step verification' }),
  },
  read: {
    'user.read': msg({ message: '{actor} viewed the account' }),
    'pii.revealed': msg({ message: '{actor} revealed private data' }),
    'subscription.read': msg({ message: '{actor} viewed the subscriptions' }),
    'matching.explained': msg({ message: '{actor} read why they were matched or not' }),
    'user.viewedAsMember': msg({ message: '{actor} viewed the profile as members see it' }),
    'user.visibilityExplained': msg({ message: '{actor} read why they can be seen or not' }),
  },
};

const values = {
  ...actValues,
  ...strengthWords,
  monthly: msg`Monthly`,
  quarterly: msg`Quarterly`,
  annual: msg`Annual`,
};

const words = (value: string | null | undefined) => wordFor(values, value ?? '');

/** The subjects of the most frequent mails. */
const mailWords: Record<string, MessageDescriptor> = {
  notifications: msg`Notifications`,
  verifyEmail: msg`Confirmation of the address`,
  confirmNewEmail: msg`Confirmation of a new address`,
  emailChangeRequested: msg`Request to change the address`,
  emailChanged: msg`Address changed`,
  addressCorrected: msg`Address corrected by the team`,
  correctionStopped: msg`Corrected address put back`,
  resetPassword: msg`Password reset link`,
  passwordChanged: msg`Password changed`,
  passwordGuessed: msg`Wrong passwords entered`,
  newDevice: msg`Sign-in on a new device`,
  signInUnlocked: msg`Sign-in unlocked by the team`,
  secondFactorOn: msg`Two-step verification turned on`,
  secondFactorOff: msg`Two-step verification turned off`,
  leaving: msg`Account about to be deleted`,
  restoreOffered: msg`Link to restore the account`,
  accountRestored: msg`Account restored`,
  unused: msg`Account unused for long`,
  archiveReady: msg`Data export ready`,
  pictureRejected: msg`Picture rejected`,
  selfieApproved: msg`Pictures verified`,
  selfieAgain: msg`New selfies needed`,
  selfieRejected: msg`Pictures not verified`,
  selfieExpired: msg`Selfies deleted without review`,
  premiumBegun: msg`Premium started`,
  premiumGranted: msg`Premium given by the team`,
  premiumGrantRevoked: msg`Gift of Premium ended`,
  premiumRefunded: msg`Premium refunded`,
  premiumWithdrawn: msg`Withdrawal received`,
  paymentFailed: msg`Payment failed`,
};

/** The subject of a mail. The name of another template is split into words: `passkeyAdded` is “Passkey added”. */
export const templateWords = (name = '') =>
  mailWords[name] === undefined
    ? name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).replace(/^./, (letter) => letter.toUpperCase())
    : t(mailWords[name]);

function sentenceOf({ kind, facts }: FileEntry): MessageDescriptor {
  if (kind === 'case') return actSentence({ kind: facts.what ?? '', from: null, to: facts.state ?? null }).text;
  const what = kind === 'mail' ? facts.state : facts.what;
  if (facts.source === 'automatic') return msg({ message: 'An automatic rule opened a case: {what}' });
  if (facts.source === 'outsider') return msg({ message: 'A notice from outside: {what}' });
  if (facts.source === 'own_initiative')
    return msg({ message: '{actor} opened a case on their own initiative: {what}' });
  if (kind === 'report' && facts.person) return msg({ message: 'Reported {person}: {what} ({state})' });
  if (kind === 'link' && facts.isReturn === true)
    return msg({ message: 'In common with {person}, who joined later: {what} ({strength})' });
  return sentences[kind][what ?? ''] ?? sentences[kind][''] ?? kindWords[kind];
}

/** Further remarks about a sanction or decision. */
function remarksOf({ strikes = 0, endsAt, isRevoked, isEdited }: FileFacts): string[] {
  return [
    ...(strikes > 0 ? [t`${plural({ count: strikes }, { one: '# strike', other: '# strikes' })}`] : []),
    ...(typeof endsAt === 'string' ? [t`until ${{ date: formatDate(endsAt) }}`] : []),
    ...(isRevoked === true ? [t`taken back`] : []),
    ...(isEdited === true ? [t`edited`] : []),
  ];
}

/** An entry as a sentence, with its values as text; `{actor}` and `{person}` are people, and remarks follow it. */
export function entryWords(entry: FileEntry): {
  text: MessageDescriptor;
  values: Record<string, string>;
  remarks: string[];
} {
  const { kind, facts } = entry;
  if (entry.isUnreadable === true) return { text: msg`This entry can't be read`, values: {}, remarks: [] };
  const { amountMinor = 0, currency = '', days = 0 } = facts;
  return {
    text: sentenceOf(entry),
    values: {
      what: kind === 'mail' ? templateWords(facts.what) : words(facts.what),
      state: words(facts.state),
      to: actValue(facts.what ?? '', facts.state),
      strength: words(facts.strength),
      plan: words(facts.plan),
      days: t`${plural(days, { one: '# day', other: '# days' })}`,
      amount: formatMoney({ amountMinor, currency }),
      device: facts.device ?? '',
      tag: facts.tag ?? '',
      fields: listed((facts.fields ?? []).map(fieldName), 'commas'),
    },
    remarks: remarksOf(facts),
  };
}

import type { FileEntry, FileFacts } from '#contract/moderation/user-file.ts';
import type { FileKind } from '#contract/roles.ts';
import { formatMoney } from '../../../ui/text/format-payment.ts';
import { formatDate } from '../../../ui/text/format.ts';
import { listed, t } from '../../../ui/text/text.ts';
import { appealWords } from '../appeals/appeal-words.ts';
import { fieldName } from '../audit/audit-words.ts';
import { linkWords, momentSentence, strengthWords } from '../cases/case-words.ts';
import { outcomeWords, sanctionWords } from '../cases/decision-words.ts';
import { statusWords } from '../reports/report-words.ts';

/** The kinds of entries. */
export const kindWords: Record<FileKind, string> = {
  report: 'Reports by them',
  reported: 'Reports about them',
  message: 'Messages from the team',
  case: 'Case',
  decision: 'Decisions',
  sanction: 'Sanctions',
  appeal: 'Appeals',
  link: 'Linked accounts',
  picture: 'Picture decisions',
  subscription: 'Premium',
  payment: 'Payments',
  mail: 'Emails',
  signIn: 'Sign-ins and devices',
  help: 'Help from the team',
  note: 'Notes',
  tag: 'Tags',
  profile: 'Profile changes',
  read: 'Viewed by the team',
};

/** The sentence of an entry by what happened; the one for '' if it has no own. */
const sentences: Record<Exclude<FileKind, 'case'>, Record<string, string>> = {
  report: { '': 'Filed a report: {what} ({state})' },
  reported: { '': 'Reported by {person}: {what} ({state})' },
  message: {
    sent: '{actor} wrote to them, and they have not answered yet',
    answered: '{actor} wrote to them, and they answered ({state})',
  },
  decision: {
    quick: '{actor} closed reports with one click',
    interim: '{actor} restricted the person until the decision',
    '': '{actor} decided: {what}',
  },
  sanction: { '': '{actor} imposed: {what}' },
  appeal: { '': '{person} appealed a decision: {what}' },
  link: { '': 'In common with {person}, who was banned: {what} ({strength})' },
  picture: {
    'picture.approved': '{actor} approved a picture',
    'picture.rejected': '{actor} rejected a picture',
    'selfie.approved': '{actor} approved their selfies',
    'selfie.again': '{actor} asked for new selfies',
    'selfie.rejected': '{actor} rejected their selfies',
    '': '',
  },
  subscription: {
    started: 'Subscribed to Premium ({plan})',
    canceled: 'Canceled Premium ({plan})',
    ended: 'Premium ended ({plan})',
    granted: '{actor} gave Premium for {days}',
    grantRevoked: '{actor} ended a gift of Premium for {days}',
  },
  payment: {
    paid: 'Paid {amount}',
    open: 'A payment of {amount} is open',
    uncollectible: 'A payment of {amount} failed',
    void: 'A payment of {amount} was canceled',
    refunded: 'Refunded {amount}',
  },
  mail: {
    sent: 'Email accepted by the mail server: {what}',
    dead: 'Email refused by the mail server: {what}',
    waiting: 'Email waiting to be sent: {what}',
  },
  signIn: { session: 'Signed in on {device}', device: 'Last seen on {device}' },
  help: {
    'help.confirmationSent': '{actor} sent the confirmation of the address again',
    'help.resetLinkSent': '{actor} sent a link to choose a new password',
    'help.addressCorrected': '{actor} corrected the email address',
    'help.signInUnlocked': '{actor} unlocked sign-in',
    'help.exportStarted': '{actor} started a data export',
    'help.restoreLinkSent': '{actor} sent a link to restore the account',
    '': '{actor} helped',
  },
  note: { '': '{actor} wrote' },
  tag: { added: '{actor} added the tag {tag}', removed: '{actor} removed the tag {tag}' },
  profile: {
    own: 'Changed their profile: {fields}',
    'user.edited': '{actor} edited the profile: {fields}',
    'role.changed': '{actor} changed the role',
    'user.sessionsEnded': '{actor} signed them out everywhere',
    'user.factorsReset': '{actor} reset two-step verification',
  },
  read: {
    'user.read': '{actor} viewed the account',
    'pii.revealed': '{actor} revealed private data',
    'subscription.read': '{actor} viewed the subscriptions',
    'matching.explained': '{actor} read why they were matched or not',
    'user.viewedAsMember': '{actor} viewed the profile as members see it',
    'user.visibilityExplained': '{actor} read why they can be seen or not',
  },
};

const values: Record<string, string> = {
  ...statusWords,
  ...outcomeWords,
  ...sanctionWords,
  ...appealWords,
  ...linkWords,
  ...strengthWords,
  monthly: 'Monthly',
  quarterly: 'Quarterly',
  annual: 'Annual',
};

const words = (value: string | null | undefined) => t(values[value ?? ''] ?? value ?? '');

/** What the most frequent mails are about. */
const mailWords: Record<string, string> = {
  notifications: 'Notifications',
  verifyEmail: 'Confirmation of the address',
  confirmNewEmail: 'Confirmation of a new address',
  emailChangeRequested: 'Request to change the address',
  emailChanged: 'Address changed',
  addressCorrected: 'Address corrected by the team',
  resetPassword: 'Password reset link',
  passwordChanged: 'Password changed',
  passwordGuessed: 'Wrong passwords entered',
  newDevice: 'Sign-in on a new device',
  signInUnlocked: 'Sign-in unlocked by the team',
  secondFactorOn: 'Two-step verification turned on',
  secondFactorOff: 'Two-step verification turned off',
  leaving: 'Account about to be deleted',
  restoreOffered: 'Link to restore the account',
  accountRestored: 'Account restored',
  unused: 'Account unused for long',
  archiveReady: 'Data export ready',
  pictureRejected: 'Picture rejected',
  selfieApproved: 'Pictures verified',
  selfieAgain: 'New selfies needed',
  selfieRejected: 'Pictures not verified',
  selfieExpired: 'Selfies deleted without review',
  premiumBegun: 'Premium started',
  premiumGranted: 'Premium given by the team',
  premiumGrantRevoked: 'Gift of Premium ended',
  premiumRefunded: 'Premium refunded',
  paymentFailed: 'Payment failed',
};

/** What a mail is about. The name of another template is put in words: `passkeyAdded` is “Passkey added”. */
const templateWords = (name = '') =>
  mailWords[name] === undefined
    ? name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).replace(/^./, (letter) => letter.toUpperCase())
    : t(mailWords[name]);

function sentenceOf({ kind, facts }: FileEntry): string {
  if (kind === 'case') return momentSentence({ kind: facts.what ?? '', from: null, to: facts.state ?? null }).text;
  const what = kind === 'mail' ? facts.state : facts.what;
  if (facts.source === 'automatic') return 'An automatic rule opened a case: {what}';
  if (facts.source === 'outsider') return 'A notice from outside: {what}';
  if (facts.source === 'own_initiative') return '{actor} opened a case on their own initiative: {what}';
  if (kind === 'report' && facts.person) return 'Reported {person}: {what} ({state})';
  if (kind === 'link' && facts.isReturn === true)
    return 'In common with {person}, who joined later: {what} ({strength})';
  return sentences[kind][what ?? ''] ?? sentences[kind][''] ?? kindWords[kind];
}

/** What else there is to say about a sanction or decision. */
function remarksOf({ strikes = 0, endsAt, isRevoked, isEdited }: FileFacts): string[] {
  return [
    ...(strikes > 0 ? [t('{count, plural, one {# strike} other {# strikes}}', { count: strikes })] : []),
    ...(typeof endsAt === 'string' ? [t('until {date}', { date: formatDate(endsAt) })] : []),
    ...(isRevoked === true ? [t('taken back')] : []),
    ...(isEdited === true ? [t('edited')] : []),
  ];
}

/** An entry as a sentence, with its values in words; `{actor}` and `{person}` are people, and remarks follow it. */
export function entryWords(entry: FileEntry): { text: string; values: Record<string, string>; remarks: string[] } {
  const { kind, facts } = entry;
  if (entry.isUnreadable === true) return { text: "This entry can't be read", values: {}, remarks: [] };
  const { amountMinor = 0, currency = '', days = 0 } = facts;
  return {
    text: sentenceOf(entry),
    values: {
      what: kind === 'mail' ? templateWords(facts.what) : words(facts.what),
      state: words(facts.state),
      to: kind === 'case' ? t(momentSentence({ kind: '', from: null, to: facts.state ?? null }).to) : '',
      strength: words(facts.strength),
      plan: words(facts.plan),
      days: t('{days, plural, one {# day} other {# days}}', { days }),
      amount: formatMoney({ amountMinor, currency }),
      device: facts.device ?? '',
      tag: facts.tag ?? '',
      fields: listed(
        (facts.fields ?? []).map((field) => t(fieldName(field))),
        'commas',
      ),
    },
    remarks: remarksOf(facts),
  };
}

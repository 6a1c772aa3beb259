import { readableAddress } from '#contract/text.ts';
import type { MailTemplates } from '../../platform/notify/mail.ts';

const ignore = "If this wasn't you, you can ignore this email.";
const notYou = "If this wasn't you, choose a new password now and contact our support.";
const accountChange = { subject: 'A change to your account' };
const linkTo = (publicUrl: string, path: string, name: string, token: string | undefined) =>
  `${publicUrl}${path}?${name}=${encodeURIComponent(token ?? '')}`;
const signInSettings = (publicUrl: string) => ({
  text: 'Review your sign-in methods',
  url: new URL('/app/settings', publicUrl).href,
});
/** Formats a time as `2026-06-15, 12:00 UTC`. */
const moment = (iso: string | undefined) => `${(iso ?? '').slice(0, 16).replace('T', ', ')} UTC`;

/**
 * Emails about joining, the address, the password and the end of an account. Subjects reveal nothing to people nearby.
 */
const accountMails = {
  verifyEmail: (data, publicUrl) => ({
    subject: 'Your confirmation code',
    heading: 'Confirm your email address',
    paragraphs: ['Welcome! Enter this code on the page where you signed up. It is valid for 10 minutes:'],
    code: data['code'] ?? '',
    button: { text: 'Or confirm with this link', url: linkTo(publicUrl, '/app/verify-email', 'token', data['token']) },
    footnote:
      "The link is valid for 24 hours. If you didn't sign up, don't use either: the account will be deleted automatically.",
  }),
  confirmNewEmail: (data, publicUrl) => ({
    subject: 'Your confirmation code',
    heading: 'Confirm your new email address',
    paragraphs: ['Enter this code to start using this address. It is valid for 10 minutes:'],
    code: data['code'] ?? '',
    button: { text: 'Or confirm with this link', url: linkTo(publicUrl, '/app/verify-email', 'token', data['token']) },
    footnote: ignore,
  }),
  emailChangeRequested: (data, publicUrl) => ({
    ...accountChange,
    heading: 'A request to change your email address',
    paragraphs: [
      `The new address would be ${readableAddress(data['newEmail'] ?? '')}. Nothing changes until it is confirmed from there.`,
      "If this wasn't you, cancel it and change your password: someone else knows it.",
    ],
    button: {
      text: 'Cancel this change',
      url: linkTo(publicUrl, '/app/email-change', 'cancel', data['token']),
    },
  }),
  emailChanged: (data, publicUrl) => ({
    ...accountChange,
    heading: 'Your email address was changed',
    paragraphs: [
      'From now on you sign in with your new address.',
      "If this wasn't you, take your account back within 7 days. You need the password that you had before, or a code or passkey if you used one.",
    ],
    button: {
      text: 'Take my account back',
      url: linkTo(publicUrl, '/app/email-change', 'undo', data['token']),
    },
  }),
  restoreBegun: (data, publicUrl) => ({
    ...accountChange,
    heading: 'A change of address will be undone',
    paragraphs: [
      `Someone with access to the earlier email address, who knows the password from before the change, asked for this. On ${moment(data['at'])} the account goes back to that address, with a new password, and all devices are signed out.`,
      "If this wasn't you, stop it now and choose a new password. You can also stop it on any device that is signed in.",
    ],
    button: { text: 'Stop this', url: linkTo(publicUrl, '/app/email-change', 'stop', data['token']) },
  }),
  restoreStopped: () => ({
    ...accountChange,
    heading: 'Your email address stays as it is',
    paragraphs: ['The change of address will not be undone, and the link for it no longer works.', notYou],
  }),
  emailRestored: () => ({
    ...accountChange,
    heading: 'A change of address was undone',
    paragraphs: [
      'The account uses its earlier email address again, with a new password. All devices were signed out.',
      'Please check your profile and your sign-in methods.',
    ],
  }),
  passwordGuessed: () => ({
    subject: 'Your account',
    heading: 'Wrong passwords were entered on one of your devices',
    paragraphs: [
      'Someone who is signed in to your account entered ten wrong passwords. Further tries now have to wait.',
      "If this wasn't you, choose a new password now. That signs out all other devices.",
    ],
  }),
  addressInUse: () => ({
    subject: 'A change to an account',
    heading: 'This address already has an account',
    paragraphs: [
      'Someone asked to use this address for another account. It stays with your account, and nothing has changed.',
    ],
    footnote: ignore,
  }),
  addressOfLeaving: (data, publicUrl) => ({
    subject: 'Your account is being closed',
    heading: 'This address already has an account',
    paragraphs: [
      `Someone asked to use this address for a new account. It still has one, which is hidden and will be deleted on ${data['until'] ?? ''}.`,
      'If it was you, you can come back until then and find everything as it was. After that day you can sign up again.',
    ],
    button: { text: 'Keep my account', url: linkTo(publicUrl, '/app/sign-in', 'restore', data['token']) },
    footnote: "If this wasn't you, or your account should be deleted, there is nothing to do.",
  }),
  resetPassword: (data, publicUrl) => ({
    subject: 'Choose a new password',
    heading: 'Choose a new password',
    paragraphs: ['We received a request for a new password for this address.'],
    button: { text: 'Choose a new password', url: linkTo(publicUrl, '/app/reset-password', 'token', data['token']) },
    footnote: `The link is valid for 30 minutes and works once. ${ignore}`,
  }),
  passwordChanged: ({ methods }) => ({
    ...accountChange,
    heading: 'Your password was changed',
    paragraphs: [
      "All your other devices were signed out. If this wasn't you, request a new password now and contact our support.",
      ...(methods === undefined || methods === ''
        ? []
        : [
            `Your other sign-in methods still work: ${methods}. Review them in your settings, and remove any you didn't set up.`,
          ]),
    ],
  }),
  sessionStolen: () => ({
    subject: 'A device was signed out',
    heading: 'We signed out one of your devices',
    paragraphs: [
      'Its sign-in key was used twice, which happens when someone copies it. Sign in again, and change your password if anything looks odd.',
    ],
  }),
  unused: (data, publicUrl) => ({
    subject: 'Your account',
    heading: "You haven't signed in for two years",
    paragraphs: [
      `We delete accounts that aren't used. Yours, with everything in it, will be deleted on ${data['until'] ?? ''}.`,
      'To keep it, sign in once before that day.',
    ],
    button: { text: 'Keep my account', url: new URL('/app/sign-in', publicUrl).href },
    footnote: "If you don't need it any more, there is nothing to do.",
  }),
  unusedWhileDeactivated: (data) => ({
    subject: 'Your account',
    heading: 'Your account will be deleted',
    paragraphs: [
      `It was deactivated and hasn't been used for two years. It will be deleted, with everything in it, on ${data['until'] ?? ''}.`,
      'If you think it should stay, please contact our support before that day.',
    ],
  }),
  leaving: (data, publicUrl) => ({
    subject: 'Your account is being closed',
    heading: 'Your account will be deleted',
    paragraphs: [
      `Your profile is now hidden. Until ${data['until'] ?? ''} you can come back and find everything as it was.`,
    ],
    button: { text: 'Keep my account', url: linkTo(publicUrl, '/app/sign-in', 'restore', data['token']) },
  }),
  leavingElsewhere: () => ({
    subject: 'Your account is being closed',
    heading: 'Your account will be deleted',
    paragraphs: [
      'Someone asked to delete the account that used this email address until recently. It is now hidden.',
      'If it wasn’t you, undo the change of address with the link in our email about it. Then sign in to keep your account.',
    ],
  }),
  restoreOffered: (data, publicUrl) => ({
    subject: 'Your account is being closed',
    heading: 'You can keep your account',
    paragraphs: [
      `Our team was told that you want to keep your account. It will be deleted on ${data['until'] ?? ''}; until then this link brings everything back as it was.`,
    ],
    button: { text: 'Keep my account', url: linkTo(publicUrl, '/app/sign-in', 'restore', data['token']) },
    footnote:
      "If your account should be deleted, there is nothing to do. If you didn't contact us, don't use the link.",
  }),
  signInUnlocked: () => ({
    subject: 'Your account',
    heading: 'You can sign in again',
    paragraphs: ['Our team ended the wait after wrong passwords or codes. You can try to sign in now.', notYou],
  }),
  addressCorrected: () => ({
    ...accountChange,
    heading: 'An account no longer uses this address',
    paragraphs: [
      'This address was never confirmed. Our team was told that it was a mistake, and the account now uses another one.',
      'If this was your account, contact our support today: until tomorrow no one can set a new password for it.',
    ],
    footnote: "If you didn't sign up, there is nothing to do.",
  }),
  accountRestored: () => ({
    subject: 'Your account',
    heading: 'Your account was restored',
    paragraphs: ['Everything is as it was, and your profile is visible again.', notYou],
  }),
} satisfies MailTemplates;

/** Emails about devices, two-step verification and passkeys. */
const factorMails = {
  newDevice: (data, publicUrl) => ({
    subject: 'A new sign-in',
    heading: 'A new sign-in to your account',
    paragraphs: [
      `${data['device'] ?? ''}, ${moment(data['at'])}${data['network'] ? `, network ${data['network']}` : ''}.`,
      'If this was you, there is nothing to do. If not, sign that device out and choose a new password now.',
    ],
    button: { text: 'See your devices', url: `${publicUrl}${data['settings'] ?? ''}` },
  }),
  secondFactorOn: () => ({
    ...accountChange,
    heading: 'Two-step verification is on',
    paragraphs: [
      'From now on, signing in asks for a code from your app after the password. Devices that were already signed in stay signed in.',
      notYou,
    ],
  }),
  secondFactorOff: () => ({
    ...accountChange,
    heading: 'Two-step verification is off',
    paragraphs: ['Signing in now asks only for your password.', notYou],
  }),
  recoveryCodesRenewed: () => ({
    ...accountChange,
    heading: 'You have new recovery codes',
    paragraphs: ['The old codes no longer work.', notYou],
  }),
  recoveryCodeUsed: (data) => ({
    ...accountChange,
    heading: 'A recovery code was used',
    paragraphs: [`You have ${data['left'] ?? ''} left. Create new ones in your settings before they run out.`, notYou],
  }),
  codesGuessed: () => ({
    subject: 'Your account',
    heading: 'Wrong codes were entered for your account',
    paragraphs: [
      'Someone entered the right password and then five wrong codes. Further tries now have to wait.',
      "If this wasn't you, choose a new password now: someone else knows yours.",
    ],
  }),
  passkeyAdded: (data) => ({
    ...accountChange,
    heading: 'You have a new passkey',
    paragraphs: [`It is called ${data['name'] ?? ''} and signs you in without a password.`, notYou],
  }),
  passkeyRemoved: (data) => ({
    ...accountChange,
    heading: 'Passkey removed',
    paragraphs: [
      `${data['name'] ?? ''} no longer signs in to your account, and all your other devices were signed out.`,
      notYou,
    ],
  }),
  passkeyCopied: (data) => ({
    subject: 'Your account',
    heading: 'One of your passkeys may be a copy',
    paragraphs: [
      `Someone used ${data['name'] ?? ''}, which seems to be a copy. We didn't let them in with it alone.`,
      'If you just restored or replaced your device, sign in again and confirm it with a code. Without two-step verification, sign in another way.',
      "If it wasn't you, remove this passkey in your settings and create a new one.",
    ],
  }),
  removalAskedElsewhere: () => ({
    ...accountChange,
    heading: 'Someone asked to turn off two-step verification',
    paragraphs: [
      'The request came from an account that used this address until recently. The link to continue was sent to its new address.',
      "If this wasn't you, use the link in our email about the change of address, or contact our support.",
    ],
  }),
  removalAsked: (data, publicUrl) => ({
    subject: 'Your account',
    heading: 'Did you lose access to your codes?',
    paragraphs: [
      'Someone who knows your password asked to turn off two-step verification. If it was you, continue here: three days later your password alone will be enough to sign in.',
      'Until then you can stop it, on any device that is signed in or by email.',
    ],
    button: {
      text: 'Turn off two-step verification',
      url: linkTo(publicUrl, '/app/second-step', 'remove', data['token']),
    },
    footnote:
      "The link is valid for an hour. If this wasn't you, don't use it, and choose a new password: someone else knows yours.",
  }),
  removalBegun: (data, publicUrl) => ({
    ...accountChange,
    heading: 'Two-step verification will be turned off',
    paragraphs: [
      `It will be removed on ${moment(data['at'])}. From then on your password alone is enough to sign in.`,
      "If you didn't ask for this, stop it now and choose a new password.",
    ],
    button: { text: 'Keep two-step verification', url: linkTo(publicUrl, '/app/second-step', 'keep', data['token']) },
  }),
  removalStopped: () => ({
    ...accountChange,
    heading: 'Two-step verification stays on',
    paragraphs: ['The request to turn it off was canceled.', notYou],
  }),
  factorsReset: (_data, publicUrl) => ({
    ...accountChange,
    heading: 'Two-step verification was reset',
    paragraphs: [
      'An administrator removed your two-step verification and your passkeys, and signed out your devices.',
      "Sign in with your password and set them up again. If you didn't ask for this, tell your administrators right away.",
    ],
    button: { text: 'Sign in', url: `${publicUrl}/login` },
  }),
} satisfies MailTemplates;

/** Emails about signing in with Google and Facebook. */
const identityMails = {
  identityLinked: ({ provider = '' }, publicUrl) => ({
    ...accountChange,
    heading: `You can sign in with ${provider}`,
    paragraphs: [
      `A ${provider} account can now sign in to your account here.`,
      "If this wasn't you, remove it in your settings and choose a new password.",
    ],
    button: signInSettings(publicUrl),
  }),
  identityUnlinked: ({ provider = '' }, publicUrl) => ({
    ...accountChange,
    heading: `You no longer sign in with ${provider}`,
    paragraphs: [
      `Your ${provider} account no longer signs in to your account here, and all your other devices were signed out. If this wasn't you, choose a new password.`,
    ],
    button: signInSettings(publicUrl),
  }),
  accountTransferred: ({ provider = '' }, publicUrl) => ({
    ...accountChange,
    heading: `You signed in with ${provider}`,
    paragraphs: [
      'There was an account with your address that was never confirmed. You have confirmed it now, so it is yours.',
      'To keep it yours alone, we removed its password and every other sign-in method that was set up before.',
    ],
    button: signInSettings(publicUrl),
  }),
} satisfies MailTemplates;

/** All emails about accounts and signing in. */
export const authMails = { ...accountMails, ...factorMails, ...identityMails } satisfies MailTemplates;

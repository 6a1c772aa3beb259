import { msg } from '@lingui/core/runtime-macro';
import { readableAddress } from '#contract/text.ts';
import type { MailTemplates } from '#platform/notify/mail.ts';
import { deviceText } from '#platform/session/sessions.ts';

const ignore = msg`If this wasn't you, you can ignore this email.`;
const notYou = msg`If this wasn't you, choose a new password now and contact our support.`;
const accountChange = { subject: msg`A change to your account` };
/** A link with its token behind `#`, which browsers don't send, so that no server or proxy can log it. */
const linkTo = (publicUrl: string, path: string, name: string, token: string | undefined) =>
  `${publicUrl}${path}#${name}=${encodeURIComponent(token ?? '')}`;
const signInSettings = (publicUrl: string) => ({
  text: msg`Review your sign-in methods`,
  url: new URL('/app/settings', publicUrl).href,
});
/** Formats a time as `2026-06-15, 12:00 UTC`. */
const moment = (iso: string | undefined) => `${(iso ?? '').slice(0, 16).replace('T', ', ')} UTC`;

/**
 * Emails about joining, the address, the password and the end of an account. Subjects reveal nothing to people nearby.
 */
const accountMails = {
  verifyEmail: (data, publicUrl) => ({
    subject: msg`Your confirmation code`,
    heading: msg`Confirm your email address`,
    paragraphs: [msg`Welcome! Enter this code on the page where you signed up. It is valid for 10 minutes:`],
    code: data['code'] ?? '',
    button: {
      text: msg`Or confirm with this link`,
      url: linkTo(publicUrl, '/app/verify-email', 'token', data['token']),
    },
    footnote: msg`The link is valid for 24 hours. If you didn't sign up, don't use either: the account will be deleted automatically.`,
  }),
  confirmNewEmail: (data, publicUrl) => ({
    subject: msg`Your confirmation code`,
    heading: msg`Confirm your new email address`,
    paragraphs: [msg`Enter this code to start using this address. It is valid for 10 minutes:`],
    code: data['code'] ?? '',
    button: {
      text: msg`Or confirm with this link`,
      url: linkTo(publicUrl, '/app/verify-email', 'token', data['token']),
    },
    footnote: ignore,
  }),
  emailChangeRequested: (data, publicUrl) => ({
    ...accountChange,
    heading: msg`A request to change your email address`,
    paragraphs: [
      msg`The new address would be ${{ newEmail: readableAddress(data['newEmail'] ?? '') }}. Nothing changes until it is confirmed from there.`,
      msg`If this wasn't you, cancel it and change your password: someone else knows it.`,
    ],
    button: {
      text: msg`Cancel this change`,
      url: linkTo(publicUrl, '/app/email-change', 'cancel', data['token']),
    },
  }),
  emailChanged: (data, publicUrl) => ({
    ...accountChange,
    heading: msg`Your email address was changed`,
    paragraphs: [
      msg`From now on you sign in with your new address.`,
      msg`If this wasn't you, take your account back within 7 days. You need the password that you had before, or a code or passkey if you used one.`,
    ],
    button: {
      text: msg`Take my account back`,
      url: linkTo(publicUrl, '/app/email-change', 'undo', data['token']),
    },
  }),
  restoreBegun: (data, publicUrl) => ({
    ...accountChange,
    heading: msg`A change of address will be undone`,
    paragraphs: [
      msg`Someone with access to the earlier email address, who knows the password from before the change, asked for this. On ${{ at: moment(data['at']) }} the account goes back to that address, with a new password, and all devices are signed out.`,
      msg`If this wasn't you, stop it now and choose a new password. You can also stop it on any device that is signed in.`,
    ],
    button: { text: msg`Stop this`, url: linkTo(publicUrl, '/app/email-change', 'stop', data['token']) },
  }),
  restoreStopped: () => ({
    ...accountChange,
    heading: msg`Your email address stays as it is`,
    paragraphs: [msg`The change of address will not be undone, and the link for it no longer works.`, notYou],
  }),
  emailRestored: () => ({
    ...accountChange,
    heading: msg`A change of address was undone`,
    paragraphs: [
      msg`The account uses its earlier email address again, with a new password. All devices were signed out.`,
      msg`Please check your profile and your sign-in methods.`,
    ],
  }),
  passwordGuessed: () => ({
    subject: msg`Your account`,
    heading: msg`Wrong passwords were entered on one of your devices`,
    paragraphs: [
      msg`Someone who is signed in to your account entered ten wrong passwords. Further tries now have to wait.`,
      msg`If this wasn't you, choose a new password now. That signs out all other devices.`,
    ],
  }),
  addressInUse: () => ({
    subject: msg`A change to an account`,
    heading: msg`This address already has an account`,
    paragraphs: [
      msg`Someone asked to use this address for another account. It stays with your account, and nothing has changed.`,
    ],
    footnote: ignore,
  }),
  addressOfLeaving: (data, publicUrl) => ({
    subject: msg`Your account is being closed`,
    heading: msg`This address already has an account`,
    paragraphs: [
      msg`Someone asked to use this address for a new account. It still has one, which is hidden and will be deleted on ${{ until: data['until'] }}.`,
      msg`If it was you, you can come back until then and find everything as it was. After that day you can sign up again.`,
    ],
    button: { text: msg`Keep my account`, url: linkTo(publicUrl, '/app/sign-in', 'restore', data['token']) },
    footnote: msg`If this wasn't you, or your account should be deleted, there is nothing to do.`,
  }),
  resetPassword: (data, publicUrl) => ({
    subject: msg`Choose a new password`,
    heading: msg`Choose a new password`,
    paragraphs: [msg`We received a request for a new password for this address.`],
    button: { text: msg`Choose a new password`, url: linkTo(publicUrl, '/app/reset-password', 'token', data['token']) },
    footnote: msg`The link is valid for 30 minutes and works once. If this wasn't you, you can ignore this email.`,
  }),
  passwordChanged: ({ methods }) => ({
    ...accountChange,
    heading: msg`Your password was changed`,
    paragraphs: [
      msg`All your other devices were signed out. If this wasn't you, request a new password now and contact our support.`,
      ...(methods === undefined || methods === ''
        ? []
        : [
            msg`Your other sign-in methods still work: ${{ methods }}. Review them in your settings, and remove any you didn't set up.`,
          ]),
    ],
  }),
  sessionStolen: () => ({
    subject: msg`A device was signed out`,
    heading: msg`We signed out one of your devices`,
    paragraphs: [
      msg`Its sign-in key was used twice, which happens when someone copies it. Sign in again, and change your password if anything looks odd.`,
    ],
  }),
  unused: (data, publicUrl) => ({
    subject: msg`Your account`,
    heading: msg`You haven't signed in for two years`,
    paragraphs: [
      msg`We delete accounts that aren't used. Yours, with everything in it, will be deleted on ${{ until: data['until'] }}.`,
      msg`To keep it, sign in once before that day.`,
    ],
    button: { text: msg`Keep my account`, url: new URL('/app/sign-in', publicUrl).href },
    footnote: msg`If you don't need it any more, there is nothing to do.`,
  }),
  unusedWhileDeactivated: (data) => ({
    subject: msg`Your account`,
    heading: msg`Your account will be deleted`,
    paragraphs: [
      msg`It was deactivated and hasn't been used for two years. It will be deleted, with everything in it, on ${{ until: data['until'] }}.`,
      msg`If you think it should stay, please contact our support before that day.`,
    ],
  }),
  leaving: (data, publicUrl) => ({
    subject: msg`Your account is being closed`,
    heading: msg`Your account will be deleted`,
    paragraphs: [
      msg`Your profile is now hidden. Until ${{ until: data['until'] }} you can come back and find everything as it was.`,
    ],
    button: { text: msg`Keep my account`, url: linkTo(publicUrl, '/app/sign-in', 'restore', data['token']) },
  }),
  leavingElsewhere: () => ({
    subject: msg`Your account is being closed`,
    heading: msg`Your account will be deleted`,
    paragraphs: [
      msg`Someone asked to delete the account that used this email address until recently. It is now hidden.`,
      msg`If it wasn’t you, undo the change of address with the link in our email about it. Then sign in to keep your account.`,
    ],
  }),
  restoreOffered: (data, publicUrl) => ({
    subject: msg`Your account is being closed`,
    heading: msg`You can keep your account`,
    paragraphs: [
      msg`Our team was told that you want to keep your account. It will be deleted on ${{ until: data['until'] }}; until then this link brings everything back as it was.`,
    ],
    button: { text: msg`Keep my account`, url: linkTo(publicUrl, '/app/sign-in', 'restore', data['token']) },
    footnote: msg`If your account should be deleted, there is nothing to do. If you didn't contact us, don't use the link.`,
  }),
  signInUnlocked: () => ({
    subject: msg`Your account`,
    heading: msg`You can sign in again`,
    paragraphs: [msg`Our team ended the wait after wrong passwords or codes. You can try to sign in now.`, notYou],
  }),
  addressCorrected: (data, publicUrl) => ({
    ...accountChange,
    heading: msg`An account no longer uses this address`,
    paragraphs: [
      msg`This address was never confirmed. Our team was told that it was a mistake, and the account now uses another one.`,
      msg`If this is your account and you didn't ask for this, put your address back today: until tomorrow no one can set a new password for it.`,
    ],
    button: {
      text: msg`Put my address back`,
      url: linkTo(publicUrl, '/app/email-change', 'corrected', data['token']),
    },
    footnote: msg`If you didn't sign up, there is nothing to do.`,
  }),
  correctionStopped: () => ({
    ...accountChange,
    heading: msg`The address of an account was put back`,
    paragraphs: [
      msg`The account uses its earlier address again, because someone who reads it asked for that. All devices were signed out.`,
      msg`If this is your account, contact our support.`,
    ],
  }),
  accountRestored: () => ({
    subject: msg`Your account`,
    heading: msg`Your account was restored`,
    paragraphs: [msg`Everything is as it was, and your profile is visible again.`, notYou],
  }),
} satisfies MailTemplates;

/** Emails about devices, two-step verification and passkeys. */
const factorMails = {
  newDevice: ({ device, at, network, settings = '' }, publicUrl) => ({
    subject: msg`A new sign-in`,
    heading: msg`A new sign-in to your account`,
    paragraphs: [
      network
        ? msg`${{ device: deviceText(device ?? '') }}, ${{ at: moment(at) }}, network ${{ network }}.`
        : msg`${{ device: deviceText(device ?? '') }}, ${{ at: moment(at) }}.`,
      msg`If this was you, there is nothing to do. If not, sign that device out and choose a new password now.`,
    ],
    button: { text: msg`See your devices`, url: `${publicUrl}${settings}` },
  }),
  secondFactorOn: () => ({
    ...accountChange,
    heading: msg`Two-step verification is on`,
    paragraphs: [
      msg`From now on, signing in asks for a code from your app after the password. Devices that were already signed in stay signed in.`,
      notYou,
    ],
  }),
  secondFactorOff: () => ({
    ...accountChange,
    heading: msg`Two-step verification is off`,
    paragraphs: [msg`Signing in now asks only for your password.`, notYou],
  }),
  recoveryCodesRenewed: () => ({
    ...accountChange,
    heading: msg`You have new recovery codes`,
    paragraphs: [msg`The old codes no longer work.`, notYou],
  }),
  recoveryCodeUsed: (data) => ({
    ...accountChange,
    heading: msg`A recovery code was used`,
    paragraphs: [
      msg`You have ${{ left: data['left'] }} left. Create new ones in your settings before they run out.`,
      notYou,
    ],
  }),
  codesGuessed: () => ({
    subject: msg`Your account`,
    heading: msg`Wrong codes were entered for your account`,
    paragraphs: [
      msg`Someone entered the right password and then five wrong codes. Further tries now have to wait.`,
      msg`If this wasn't you, choose a new password now: someone else knows yours.`,
    ],
  }),
  passkeyAdded: (data) => ({
    ...accountChange,
    heading: msg`You have a new passkey`,
    paragraphs: [msg`It is called ${{ name: data['name'] }} and signs you in without a password.`, notYou],
  }),
  passkeyRemoved: (data) => ({
    ...accountChange,
    heading: msg`Passkey removed`,
    paragraphs: [
      msg`${{ name: data['name'] }} no longer signs in to your account, and all your other devices were signed out.`,
      notYou,
    ],
  }),
  passkeyCopied: (data) => ({
    subject: msg`Your account`,
    heading: msg`One of your passkeys may be a copy`,
    paragraphs: [
      msg`Someone used ${{ name: data['name'] }}, which seems to be a copy. We didn't let them in with it alone.`,
      msg`If you just restored or replaced your device, sign in again and confirm it with a code. Without two-step verification, sign in another way.`,
      msg`If it wasn't you, remove this passkey in your settings and create a new one.`,
    ],
  }),
  removalAskedElsewhere: () => ({
    ...accountChange,
    heading: msg`Someone asked to turn off two-step verification`,
    paragraphs: [
      msg`The request came from an account that used this address until recently. The link to continue was sent to its new address.`,
      msg`If this wasn't you, use the link in our email about the change of address, or contact our support.`,
    ],
  }),
  removalAsked: (data, publicUrl) => ({
    subject: msg`Your account`,
    heading: msg`Did you lose access to your codes?`,
    paragraphs: [
      msg`Someone who knows your password asked to turn off two-step verification. If it was you, continue here: three days later your password alone will be enough to sign in.`,
      msg`Until then you can stop it, on any device that is signed in or by email.`,
    ],
    button: {
      text: msg`Turn off two-step verification`,
      url: linkTo(publicUrl, '/app/second-step', 'remove', data['token']),
    },
    footnote: msg`The link is valid for an hour. If this wasn't you, don't use it, and choose a new password: someone else knows yours.`,
  }),
  removalBegun: (data, publicUrl) => ({
    ...accountChange,
    heading: msg`Two-step verification will be turned off`,
    paragraphs: [
      msg`It will be removed on ${{ at: moment(data['at']) }}. From then on your password alone is enough to sign in.`,
      msg`If you didn't ask for this, stop it now and choose a new password.`,
    ],
    button: {
      text: msg`Keep two-step verification`,
      url: linkTo(publicUrl, '/app/second-step', 'keep', data['token']),
    },
  }),
  removalStopped: () => ({
    ...accountChange,
    heading: msg`Two-step verification stays on`,
    paragraphs: [msg`The request to turn it off was canceled.`, notYou],
  }),
  factorsReset: (_data, publicUrl) => ({
    ...accountChange,
    heading: msg`Two-step verification was reset`,
    paragraphs: [
      msg`An administrator removed your two-step verification and your passkeys, and signed out your devices.`,
      msg`Sign in with your password and set them up again. If you didn't ask for this, tell your administrators right away.`,
    ],
    button: { text: msg`Sign in`, url: `${publicUrl}/login` },
  }),
  houseLinked: ({ provider = '' }) => ({
    ...accountChange,
    heading: msg`You now sign in with ${{ provider }}`,
    paragraphs: [
      msg`Your staff account was linked to your account at ${{ provider }}. Its password and passkeys no longer sign in.`,
      msg`If this wasn't you, tell your administrators right away.`,
    ],
  }),
} satisfies MailTemplates;

/** Emails about signing in with Google and Facebook. */
const identityMails = {
  identityLinked: ({ provider = '' }, publicUrl) => ({
    ...accountChange,
    heading: msg`You can sign in with ${{ provider }}`,
    paragraphs: [
      msg`A ${{ provider }} account can now sign in to your account here.`,
      msg`If this wasn't you, remove it in your settings and choose a new password.`,
    ],
    button: signInSettings(publicUrl),
  }),
  identityUnlinked: ({ provider = '' }, publicUrl) => ({
    ...accountChange,
    heading: msg`You no longer sign in with ${{ provider }}`,
    paragraphs: [
      msg`Your ${{ provider }} account no longer signs in to your account here, and all your other devices were signed out. If this wasn't you, choose a new password.`,
    ],
    button: signInSettings(publicUrl),
  }),
  accountTransferred: ({ provider = '' }, publicUrl) => ({
    ...accountChange,
    heading: msg`You signed in with ${{ provider }}`,
    paragraphs: [
      msg`There was an account with your address that was never confirmed. You have confirmed it now, so it is yours.`,
      msg`To keep it yours alone, we removed its password and every other sign-in method that was set up before.`,
    ],
    button: signInSettings(publicUrl),
  }),
} satisfies MailTemplates;

/** All emails about accounts and signing in. */
export const authMails = { ...accountMails, ...factorMails, ...identityMails } satisfies MailTemplates;

import type { MailTemplates } from '../../../platform/notify/mail.ts';

const notYou = 'If this was not you, choose a new password now and contact our support.';
const changed = { subject: 'A change to your account' };
const withToken = (publicUrl: string, name: string, token: string | undefined) =>
  `${publicUrl}/app/second-step?${name}=${encodeURIComponent(token ?? '')}`;
/** `2026-06-15, 12:00 UTC`. */
const moment = (iso: string | undefined) => `${(iso ?? '').slice(0, 16).replace('T', ', ')} UTC`;

/** The mails about devices, second factors and passkeys, as discreet as the others. */
export const factorMails = {
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
    ...changed,
    heading: 'Your second step is on',
    paragraphs: [
      'From now on, signing in asks for a code of your app after the password. Devices that were signed in before stay so.',
      notYou,
    ],
  }),
  secondFactorOff: () => ({
    ...changed,
    heading: 'Your second step is off',
    paragraphs: ['Signing in asks for your password alone.', notYou],
  }),
  recoveryCodesRenewed: () => ({
    ...changed,
    heading: 'You have new recovery codes',
    paragraphs: ['The old ones work no more.', notYou],
  }),
  recoveryCodeUsed: (data) => ({
    ...changed,
    heading: 'A recovery code was used',
    paragraphs: [`You have ${data['left'] ?? ''} left. Make new ones in your settings before they run out.`, notYou],
  }),
  codesGuessed: () => ({
    subject: 'Your account',
    heading: 'Somebody entered wrong codes',
    paragraphs: [
      'Your password was right, and then five codes were wrong. We make them wait now.',
      'If this was not you, choose a new password now: somebody knows yours.',
    ],
  }),
  passkeyAdded: (data) => ({
    ...changed,
    heading: 'You have a new passkey',
    paragraphs: [`It is called ${data['name'] ?? ''}, and signs you in without a password.`, notYou],
  }),
  passkeyRemoved: (data) => ({
    ...changed,
    heading: 'A passkey was removed',
    paragraphs: [`${data['name'] ?? ''} works no more.`, notYou],
  }),
  passkeyCopied: (data) => ({
    subject: 'Your account',
    heading: 'We refused one of your passkeys',
    paragraphs: [
      `Somebody used ${data['name'] ?? ''}, and it seems to be a copy. We let nobody in with it.`,
      'Please remove it in your settings and make a new one.',
    ],
  }),
  removalAsked: (data, publicUrl) => ({
    subject: 'Your account',
    heading: 'Did you lose your second step?',
    paragraphs: [
      'Somebody who knows your password says so. If it was you, go on here: three days later your password alone is enough to sign in.',
      'Until then you can stop it, on any device that is signed in and by mail.',
    ],
    button: { text: 'Remove my second step', url: withToken(publicUrl, 'remove', data['token']) },
    footnote:
      'The link is good for an hour. If this was not you, do not use it, and choose a new password: somebody knows yours.',
  }),
  removalBegun: (data, publicUrl) => ({
    ...changed,
    heading: 'Your second step will be removed',
    paragraphs: [
      `It goes on ${moment(data['at'])}. From then on your password alone is enough to sign in.`,
      'If you did not ask for this, stop it now and choose a new password.',
    ],
    button: { text: 'Keep my second step', url: withToken(publicUrl, 'keep', data['token']) },
  }),
  removalStopped: () => ({
    ...changed,
    heading: 'Your second step stays',
    paragraphs: ['Its removal was stopped.', notYou],
  }),
  factorsReset: (_data, publicUrl) => ({
    ...changed,
    heading: 'Your second step was reset',
    paragraphs: [
      'An administrator took your second step and your passkeys away, and signed your devices out.',
      'Sign in with your password and set them up anew. If you did not ask for this, tell your administrators at once.',
    ],
    button: { text: 'Sign in', url: `${publicUrl}/login` },
  }),
} satisfies MailTemplates;

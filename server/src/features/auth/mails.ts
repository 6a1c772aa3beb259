import type { MailTemplates } from '../../platform/notify/mail.ts';

const ignore = 'If this was not you, you can ignore this mail.';
const linkTo = (publicUrl: string, path: string, token: string) =>
  `${publicUrl}${path}?token=${encodeURIComponent(token)}`;

/** The mails about an account. Their subjects say nothing that a person beside the reader should not read. */
export const authMails = {
  verifyEmail: (data, publicUrl) => ({
    subject: 'Your confirmation code',
    heading: 'Confirm your e-mail address',
    paragraphs: [`Hello ${data['name'] ?? ''}, enter this code where you joined. It is good for 10 minutes:`],
    code: data['code'] ?? '',
    button: { text: 'Or confirm with one click', url: linkTo(publicUrl, '/app/verify-email', data['token'] ?? '') },
    footnote: 'The link is good for 24 hours. If you did not join, do neither: the account is then deleted by itself.',
  }),
  confirmNewEmail: (data, publicUrl) => ({
    subject: 'Your confirmation code',
    heading: 'Confirm your new e-mail address',
    paragraphs: ['Enter this code to use this address from now on. It is good for 10 minutes:'],
    code: data['code'] ?? '',
    button: { text: 'Or confirm with one click', url: linkTo(publicUrl, '/app/verify-email', data['token'] ?? '') },
    footnote: ignore,
  }),
  emailChangeRequested: (data) => ({
    subject: 'A change to your account',
    heading: 'Somebody asked to change your e-mail address',
    paragraphs: [
      `The new address would be ${data['newEmail'] ?? ''}. Nothing changes until it is confirmed from there.`,
      'If this was not you, change your password now: somebody knows it.',
    ],
  }),
  emailChanged: () => ({
    subject: 'A change to your account',
    heading: 'Your e-mail address was changed',
    paragraphs: [
      'From now on you sign in with your new address. If this was not you, please contact our support at once.',
    ],
  }),
  addressInUse: () => ({
    subject: 'A change to an account',
    heading: 'This address already has an account',
    paragraphs: [
      'Somebody asked to use this address for another account. It stays with yours, and nothing was changed.',
    ],
    footnote: ignore,
  }),
  resetPassword: (data, publicUrl) => ({
    subject: 'Choose a new password',
    heading: 'Choose a new password',
    paragraphs: ['Somebody, hopefully you, asked for a new password for this address.'],
    button: { text: 'Choose a new password', url: linkTo(publicUrl, '/app/reset-password', data['token'] ?? '') },
    footnote: `The link is good for 30 minutes and works once. ${ignore}`,
  }),
  passwordChanged: ({ ways }) => ({
    subject: 'A change to your account',
    heading: 'Your password was changed',
    paragraphs: [
      'Every other device was signed out. If this was not you, ask for a new password now and contact our support.',
      ...(ways === undefined || ways === ''
        ? []
        : [
            `A new password does not change how else your account is signed in to: ${ways}. Look at them in your settings, and take off what you did not set up.`,
          ]),
    ],
  }),
  sessionStolen: () => ({
    subject: 'A device was signed out',
    heading: 'We signed one of your devices out',
    paragraphs: [
      'Its key was used twice, which happens when somebody copied it. Sign in again; change your password if anything looks odd.',
    ],
  }),
  unused: (data, publicUrl) => ({
    subject: 'Your account',
    heading: 'You were not here for two years',
    paragraphs: [
      `We delete accounts that nobody uses. Yours goes on ${data['until'] ?? ''}, with everything in it.`,
      'To keep it, sign in once before that day.',
    ],
    button: { text: 'Keep my account', url: new URL('/app/sign-in', publicUrl).href },
    footnote: 'If you do not need it any more, there is nothing to do.',
  }),
  unusedWhileDeactivated: (data) => ({
    subject: 'Your account',
    heading: 'Your account will be deleted',
    paragraphs: [
      `It was deactivated, and nobody used it for two years. It goes on ${data['until'] ?? ''}, with everything in it.`,
      'If you think that it should stay, please contact our support before that day.',
    ],
  }),
  leaving: (data, publicUrl) => ({
    subject: 'Your account is being closed',
    heading: 'You are leaving',
    paragraphs: [
      `Your profile is hidden from now on. Until ${data['until'] ?? ''} you can come back as if nothing had happened.`,
    ],
    button: {
      text: 'Keep my account',
      url: linkTo(publicUrl, '/app/sign-in', data['token'] ?? '').replace('?token=', '?restore='),
    },
  }),
} satisfies MailTemplates;

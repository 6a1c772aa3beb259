import type { MailTemplates } from '../../../platform/notify/mail.ts';

const settings = (publicUrl: string) => ({
  text: 'Look at your ways to sign in',
  url: new URL('/app/settings', publicUrl).href,
});

/** The mails about signing in with others. */
export const identityMails = {
  identityLinked: ({ provider = '' }, publicUrl) => ({
    subject: 'A change to your account',
    heading: `You can sign in with ${provider}`,
    paragraphs: [
      `From now on a ${provider} account signs in to your account here.`,
      'If this was not you, take it off in your settings, and choose a new password.',
    ],
    button: settings(publicUrl),
  }),
  identityUnlinked: ({ provider = '' }, publicUrl) => ({
    subject: 'A change to your account',
    heading: `You no longer sign in with ${provider}`,
    paragraphs: [
      `Your ${provider} account does not sign in to your account here any more. If this was not you, choose a new password.`,
    ],
    button: settings(publicUrl),
  }),
  accountHandedOver: ({ provider = '' }, publicUrl) => ({
    subject: 'A change to your account',
    heading: `You signed in with ${provider}`,
    paragraphs: [
      'There was an account with your address which nobody had confirmed. You have done so now, and it is yours.',
      'So that it is yours alone, the password and everything else that signed in to it before no longer works.',
    ],
    button: settings(publicUrl),
  }),
} satisfies MailTemplates;

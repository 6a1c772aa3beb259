import type { MailTemplates } from '../../platform/mail.ts';

/** What members are written about their likes; who it is stands on the page alone. */
export const likeMails = {
  matchMade: (_data, publicUrl) => ({
    subject: 'There is news for you',
    heading: 'Somebody you liked likes you too',
    paragraphs: ['It is a match: the two of you can write to each other now.'],
    button: { text: 'See who it is', url: new URL('/app/matches', publicUrl).href },
  }),
} satisfies MailTemplates;

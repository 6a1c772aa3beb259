import { apiBasePath } from '#contract/constants.ts';
import { unsubscribe } from '#contract/notifications.ts';
import type { MailContent } from '../../platform/notify/mail-layout.ts';
import type { MailTemplates } from '../../platform/notify/mail.ts';

/** The button's target if the mail is about a single kind. */
const pages = { report: '/app/support', match: '/app/matches', message: '/app/messages', like: '/app/likes' } as const;
type Kind = keyof typeof pages;

const subjects: Record<Kind, string> = {
  report: 'News from our support team',
  match: 'There is news for you',
  message: 'There is news for you',
  like: 'There is news for you',
};

const buttons: Record<Kind, string> = {
  report: 'Open my reports',
  match: 'See who it is',
  message: 'Read and answer',
  like: 'See what is new',
};

const isOne = (count: string | undefined) => count === '1';

/** The text for a kind. Names and message texts appear only in the app. */
function words(kind: Kind, count: string | undefined): string {
  switch (kind) {
    case 'report':
      return isOne(count)
        ? 'There is news on something you told us. Sign in to read it, and to write back.'
        : `There is news on ${count ?? ''} things you told us. Sign in to read it, and to write back.`;
    case 'match':
      return isOne(count)
        ? 'Someone you liked likes you too. It is a match: you can write to each other now.'
        : `You have ${count ?? ''} new matches. You can write to each of them now.`;
    case 'message':
      return isOne(count) ? 'Someone you matched with wrote to you.' : `${count ?? ''} of your matches wrote to you.`;
    case 'like':
      return 'Someone likes you. Look through the people we found for you: they may be among them.';
  }
}

const headings: Record<Kind, string> = {
  report: 'Our support team has news for you',
  match: 'It is a match',
  message: 'You were written to',
  like: 'Someone likes you',
};

/** One mail for all unread notifications that are due, with a count per kind. */
export const notificationMails = {
  notifications: (data, publicUrl): MailContent => {
    const kinds = (Object.keys(pages) as Kind[]).filter((kind) => data[kind] !== undefined);
    const [first = 'like'] = kinds;
    const isAlone = kinds.length === 1;
    const subjectPath = data['path'] ?? (isAlone ? pages[first] : '/app/discover');
    const token = encodeURIComponent(data['token'] ?? '');
    return {
      subject: subjects[first],
      heading: isAlone ? headings[first] : 'There is news for you',
      paragraphs: kinds.map((kind) => words(kind, data[kind])),
      button: { text: isAlone ? buttons[first] : 'See what is new', url: new URL(subjectPath, publicUrl).href },
      unsubscribe: {
        page: new URL(`/app/unsubscribe#${token}`, publicUrl).href,
        oneClick: new URL(`${apiBasePath}${unsubscribe.path}?token=${token}`, publicUrl).href,
      },
    };
  },
} satisfies MailTemplates;

import type { DemoMember } from '../members/demo-member.ts';

/** The prompt that a like refers to and its note; null if there is none. */
export type Comment = readonly [likedPrompt: string | null, note: string | null];

/** The messages between a demo account and the other person, oldest first. */
export interface Conversation {
  lines: readonly (readonly [by: 'me' | 'them', text: string])[];
  /** How long ago the last message was sent. */
  minutesAgo: number;
  /** Whether the messages after the account's last one are unread. */
  isUnread?: boolean;
}

/** Likes and matches of a demo account, so that its screens look like those of an established member. */
export interface AccountLikes {
  /** Newest first; without a conversation if no one has written yet. */
  matches: readonly { matchedHoursAgo: number; conversation: Conversation | null }[];
  /** One for each received like that is unanswered. */
  comments: readonly Comment[];
  /** How many people the account has liked and passed on. */
  liked: number;
  passed: number;
  /** The messages between the two demo members. */
  together?: Conversation;
}

const nothing: Comment = [null, null];

/** The ages that both demo members are looking for. */
export const usualAges = { min: 25, max: 48 };

/** A conversation, given as lines such as `me: Hello`, oldest first. */
function talk(when: Pick<Conversation, 'minutesAgo' | 'isUnread'>, text: string): Conversation {
  const lines = text
    .trim()
    .split('\n')
    .map((line): Conversation['lines'][number] => {
      const [by, ...words] = line.trim().split(': ');
      return [by === 'me' ? 'me' : 'them', words.join(': ')];
    });
  return { ...when, lines };
}

export const forAccounts: Readonly<Record<string, AccountLikes>> = {
  'ada@heartwood.test': {
    matches: [
      { matchedHoursAgo: 2, conversation: null },
      {
        matchedHoursAgo: 26,
        conversation: talk(
          { minutesAgo: 6, isUnread: true },
          `
  them: A boat shed by the canal! Is there room for one more pair of clumsy hands?
  me: Always. Can you hold a plank straight for ten minutes without talking?
  them: Straight yes, quiet no.
  me: Then we’ll get along. What do you do when you’re not holding planks?
  them: I teach eight-year-olds to read. Same job, louder planks.
  them: Are you free on Saturday? I’d bring the soup.`,
        ),
      },
      {
        matchedHoursAgo: 50,
        conversation: talk(
          { minutesAgo: 190, isUnread: true },
          `
  them: Hello dear, your smile made my day. I’m an engineer on a platform at sea, so I’m not often online here.
  me: Hello! That sounds cold. How long are you out there?
  them: Three more weeks. Write to me on WhatsApp instead, it’s easier for me.
  me: I’d rather stay here for now, thanks.
  them: Of course. My card is blocked out here and it’s my daughter’s birthday. Could you send a gift card? I’ll pay you back twice.`,
        ),
      },
      {
        // So long ago that the two can be asked whether they met.
        matchedHoursAgo: 220,
        conversation: talk(
          { minutesAgo: 1500 },
          `
  me: Important question first: window or aisle on a night train?
  them: Window, always. And you?
  me: Aisle, so that I’m first at breakfast.
  them: A person of principles. Which night train was the best?
  me: The one to Narvik, in snow. I have eleven photos of the same mountain.
  them: Eleven is where it starts to get interesting. Does it do anything in the twelfth?
  me: It waits. You’d have to come and see.
  them: Then let’s begin with something closer. The rail museum, on Thursday evening?
  me: They’re open late on Thursdays? I’m in.
  them: Until nine, and there’s a dining car that serves pancakes.
  me: You could have led with that.
  them: Six o’clock, at the signal box. I’ll be the one reading the timetable.`,
        ),
      },
    ],
    comments: [
      ['first-date', 'I make a leek soup that deserves that canal bank.'],
      ['argue-about', 'A leak is just the boat drinking. Next argument?'],
      [null, 'Is the shed warm in winter? Asking for a friend who is me.'],
      nothing,
      ['perfect-sunday', 'Flat water and a flask: yes, please.'],
      nothing,
      nothing,
    ],
    liked: 3,
    passed: 4,
    together: talk(
      { minutesAgo: 2900 },
      `
  me: Ferries or rowing boats?
  them: Anything that floats and leaves on time. So, ferries.
  me: Brave of you to say that to someone who builds the other kind.
  them: I’ll make up for it with rye bread.`,
    ),
  },
  'bo@heartwood.test': {
    matches: [
      { matchedHoursAgo: 3, conversation: null },
      {
        matchedHoursAgo: 30,
        conversation: talk(
          { minutesAgo: 11, isUnread: true },
          `
  them: Which hour of the night sounds best on the radio?
  me: Ten to one. Everyone who’s listening means it.
  them: That’s the best answer anyone has given me here.
  them: Chess in the park on Sunday? I lose gracefully.`,
        ),
      },
      {
        matchedHoursAgo: 60,
        conversation: talk(
          { minutesAgo: 1300 },
          `
  me: Second breakfast: sweet or savoury?
  them: Savoury first, then sweet. That’s why there are two.
  me: I have nothing to add to that.`,
        ),
      },
      { matchedHoursAgo: 90, conversation: null },
    ],
    comments: [
      ['kitchen-pride', 'Three days? I’d wait four.'],
      ['on-repeat', 'Dogger, Fisher, German Bight. It is a song.'],
      nothing,
      ['weekend-trip', 'The slower the train, the better the company.'],
      nothing,
      nothing,
      [null, 'Which ferry was the best one?'],
    ],
    liked: 3,
    passed: 4,
  },
};

/** What the demo members among `members` are looking for. */
export function accountPreferences(members: readonly DemoMember[]) {
  const wishes = { age: { ...usualAges, required: true }, distance: { maxKm: 50, required: false } };
  return members.filter(({ email }) => email in forAccounts).map((member) => ({ member, wishes }));
}

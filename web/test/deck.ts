import { screen, within } from '@testing-library/react';
import { cardsMax, type CardView, type EmptyDeck, getCards } from '#contract/discovery.ts';
import { likeUser, passUser, undoDecision } from '#contract/likes.ts';
import { noDetails } from '#contract/profile-details.ts';
import type { OwnUser, PublicUser } from '#contract/user.ts';
import { received, Refusal, serve } from './fake-server.ts';
import { serveMyReports } from './own-reports.ts';
import { ownUser } from './people.ts';
import { picture } from './pictures.ts';
import { renderApp } from './render-app.tsx';

/** Another member as they may be shown, with one picture; `name` is their id, too. */
export function somebody(name: string, changes: Partial<PublicUser> = {}): PublicUser {
  return {
    _id: name.toLowerCase(),
    firstName: name,
    name,
    gender: 'man',
    genderText: null,
    age: 34,
    bio: `I am ${name}.`,
    location: { city: 'Umeå', country: 'Sweden' },
    profilePicture: `/api/v1/media/${name.toLowerCase()}-400`,
    more_pictures: [],
    pictures: [picture(name.toLowerCase())],
    isOnline: null,
    lastActive: null,
    ...noDetails,
    ...changes,
  };
}

/** Somebody's card, of whom nothing is told but what they show. */
export function cardOf(name: string, changes: Partial<CardView> & { user?: PublicUser } = {}): CardView {
  return {
    user: somebody(name),
    distance: 5,
    distanceFormatted: '5–10 km away',
    compatibilityScore: null,
    compatibilityBand: null,
    commonAnswers: 0,
    reasons: [],
    ...changes,
  };
}

/** What the server knows of the deck; a test may change it as it goes on. */
export interface KnownDeck {
  cards: CardView[];
  /** Ids of those decided on, oldest first. */
  decided: string[];
  /** Who likes the member already. */
  likers: string[];
  remainingLikes: number | null;
  empty: EmptyDeck;
}

const nobodyLeft: EmptyDeck = { perFilter: [], decided: 0, isUsedUp: false };

/** Answers the deck with those not decided on, and keeps what is decided; likes count for members without premium. */
export function serveDeck(cards: CardView[], changes: Partial<KnownDeck> = {}): KnownDeck {
  const known: KnownDeck = { cards, decided: [], likers: [], remainingLikes: 30, empty: nobodyLeft, ...changes };
  const undecided = () => known.cards.filter(({ user }) => !known.decided.includes(user._id));
  const spend = (by: number) => {
    if (known.remainingLikes !== null) known.remainingLikes -= by;
  };

  serveMyReports([]);
  serve(getCards, ({ query: { limit = cardsMax } }) => {
    const dealt = undecided().slice(0, limit);
    const { remainingLikes, empty } = known;
    return {
      data: { cards: dealt, remainingLikes, order: 'matching' as const, empty: dealt.length === 0 ? empty : null },
    };
  });
  serve(likeUser, ({ params: { userId } }) => {
    if (known.remainingLikes === 0)
      throw new Refusal('LIKES_USED_UP', 'That were your 30 likes for today. There are new ones tomorrow.');
    spend(1);
    known.decided.push(userId);
    const { remainingLikes } = known;
    return known.likers.includes(userId)
      ? { data: { outcome: 'matched' as const, matchId: `match-${userId}`, remainingLikes } }
      : { data: { outcome: 'sent' as const, remainingLikes } };
  });
  serve(passUser, ({ params: { userId } }) => {
    known.decided.push(userId);
    return { data: { outcome: 'passed' as const } };
  });
  serve(undoDecision, ({ body }) => {
    const userId = body.userId ?? known.decided.at(-1);
    if (userId === undefined || !known.decided.includes(userId)) throw new Refusal('NOT_FOUND', 'Not found');
    known.decided = known.decided.filter((id) => id !== userId);
    return { data: { userId, was: 'pass' as const, remainingLikes: known.remainingLikes } };
  });
  return known;
}

/** The deck before a member, with somebody on top. */
export async function openDeck(at = '/app/discover', user: OwnUser = ownUser()) {
  const app = renderApp(at, user);
  await screen.findByRole('group', { name: 'Your decision' });
  return app;
}

/** The card on top. */
export const topCard = () => screen.getByRole('article');
/** Whose card is on top; null when there is none. */
export function onTop(): string | null {
  const card = screen.queryByRole('article');
  return card && within(card).getByRole('heading', { level: 2 }).textContent;
}

/** Everything decided, in the order the server heard of it: + for a like, - for a pass. */
export function heard(): string[] {
  const likes = received(likeUser).map(({ params }) => `+${params.userId}`);
  const passes = received(passUser).map(({ params }) => `-${params.userId}`);
  return [...likes, ...passes];
}

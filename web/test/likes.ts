import {
  likesReceived,
  likesSent,
  listMatches,
  type MatchView,
  type ReceivedLike,
  type SentLike,
  unmatchUser,
  withdrawLike,
} from '#contract/likes.ts';
import { paginate } from '#contract/paging.ts';
import { serveDeck, somebody } from './deck.ts';
import { serve } from './fake-server.ts';

const at = '2025-10-18T10:00:00.000Z';

/** A like somebody sent, without a note unless said otherwise. */
export function receivedLike(name: string, changes: Partial<ReceivedLike> = {}): ReceivedLike {
  return { user: somebody(name), note: null, on: null, likedAt: at, ...changes };
}

/** A like for somebody. */
export function sentLike(name: string, changes: Partial<SentLike> = {}): SentLike {
  return { user: somebody(name), note: null, likedAt: at, ...changes };
}

/** A match with somebody. */
export function matchWith(name: string, changes: Partial<MatchView> = {}): MatchView {
  return {
    _id: `match-${name.toLowerCase()}`,
    user: somebody(name),
    matchedAt: at,
    myNote: null,
    theirNote: null,
    ...changes,
  };
}

/** What the server knows of a member's likes; a test may change it as it goes on. */
interface KnownLikes {
  received: ReceivedLike[];
  /** How many are told of and drawn, for members without premium. */
  hidden: number;
  sent: SentLike[];
  matches: MatchView[];
}

function pageOf<T>(
  list: readonly T[],
  { page = 1, limit = 20 }: { page?: number | undefined; limit?: number | undefined },
) {
  return { rows: list.slice((page - 1) * limit, page * limit), pagination: paginate(page, limit, list.length) };
}

/** Answers the lists of likes and matches, and decisions. */
export function serveLikes(changes: Partial<KnownLikes> = {}): KnownLikes {
  const known: KnownLikes = { received: [], hidden: 0, sent: [], matches: [], ...changes };
  serveDeck([], { likers: known.received.map(({ user }) => user._id) });
  serve(likesReceived, ({ query }) => {
    const { rows, pagination } = pageOf(known.received, query);
    const patterns = Array.from({ length: Math.min(known.hidden, 6) }, (_, index) => 1000 + index);
    return { data: { count: Math.max(known.hidden, known.received.length), patterns, likes: rows, pagination } };
  });
  serve(likesSent, ({ query }) => {
    const { rows, pagination } = pageOf(known.sent, query);
    return { data: { likes: rows, pagination, remainingLikes: 30 } };
  });
  serve(withdrawLike, ({ params: { userId } }) => {
    known.sent = known.sent.filter(({ user }) => user._id !== userId);
    return { data: { withdrawn: true, remainingLikes: 30 } };
  });
  serve(listMatches, ({ query }) => {
    const { rows, pagination } = pageOf(known.matches, query);
    return { data: { matches: rows, pagination } };
  });
  serve(unmatchUser, ({ params: { id } }) => {
    known.matches = known.matches.filter(({ _id }) => _id !== id);
    return { data: { unmatched: true } };
  });
  return known;
}

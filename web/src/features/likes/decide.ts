import { likeUser, passUser, undoDecision, withdrawLike } from '#contract/connections/likes.ts';
import type { PublicUser } from '#contract/profiles/user.ts';
import { ApiError } from '../../api/api-error.ts';
import { call } from '../../api/call.ts';
import {
  changeDecided,
  type Decided,
  forgetDecided,
  forgetWithSession,
  type LikeWords,
  noteRemainingLikes,
  type Problem,
  useDecisions,
  type Way,
} from './decisions.ts';
import { inOrder, type Turn } from './in-order.ts';

const notSaved = 'Your decision could not be saved. Please try again.';
const notUndone = 'This could not be taken back. Please try again.';
const nothingToUndo = 'There is nothing to take back.';

let lastId = 0;
/** Rises with each account that is signed in here: answers meant for another one change nothing. */
let visit = 0;
const turns = new Map<number, Turn>();
const failed = new Set<number>();
const line = inOrder((waiting) => useDecisions.setState({ waiting }));

forgetWithSession(() => {
  visit += 1;
  line.clear();
  turns.clear();
  failed.clear();
});

// What waits for its turn would be lost with the page.
window.addEventListener('pagehide', () => line.hurry());

function problemOf(error: unknown, otherwise: string): Problem {
  if (!(error instanceof ApiError)) return { text: otherwise, code: null };
  const isAnswered = error.status !== null && error.status < 500;
  return { text: isAnswered ? (error.errors[0]?.msg ?? error.message) : otherwise, code: error.code };
}

function fail({ id, user }: Decided, error: unknown): void {
  const status = error instanceof ApiError ? error.status : null;
  if (status === 404) return changeDecided(id, { outcome: 'gone', canUndo: false });
  const problem = problemOf(error, notSaved);
  useDecisions.setState({ problem, ...(problem.code === 'LIKES_USED_UP' ? { remainingLikes: 0 } : {}) });
  if (status === 409) return changeDecided(id, { outcome: 'refused', canUndo: false });
  failed.add(id);
  const isLatest = useDecisions.getState().decided.some((one) => one.id === id);
  if (isLatest) forgetDecided([user._id]);
}

async function like({ id, user }: Decided, words: LikeWords): Promise<void> {
  const of = visit;
  const { data } = await call(likeUser, { params: { userId: user._id }, body: words, keepalive: true });
  if (of !== visit) return;
  noteRemainingLikes(data.remainingLikes);
  changeDecided(id, { outcome: data.outcome === 'matched' ? 'matched' : 'stands' });
  const { matchId } = data;
  if (matchId === undefined) return;
  useDecisions.setState(({ matches }) => ({ matches: [...matches, { matchId, user }] }));
}

async function pass({ id, user }: Decided): Promise<void> {
  await call(passUser, { params: { userId: user._id }, keepalive: true });
  changeDecided(id, { outcome: 'stands' });
}

/**
 * Decides on somebody: known at once, sent in its turn, and forgotten again where the server could not take it. Twice before
 * there is an answer is once.
 */
export function decide(user: PublicUser, way: Way, words: LikeWords = {}): void {
  const { decided } = useDecisions.getState();
  const before = decided.find((one) => one.user._id === user._id);
  if (before?.outcome === 'waiting') return;
  const decision: Decided = { id: (lastId += 1), user, way, outcome: 'waiting', canUndo: true };
  const others = decided.filter((one) => one !== before);
  useDecisions.setState({ decided: [...others, decision], problem: null, isUndone: false });
  const of = visit;
  const turn = line.add(async () => {
    try {
      await (way === 'like' ? like(decision, words) : pass(decision));
    } catch (error) {
      if (of === visit) fail(decision, error);
    }
    turns.delete(decision.id);
  }, true);
  turns.set(decision.id, turn);
}

function putBack(last: Decided, canUndo: boolean): void {
  const { decided } = useDecisions.getState();
  if (decided.some(({ user }) => user._id === last.user._id)) return;
  useDecisions.setState({ decided: [...decided, { ...last, outcome: 'stands', canUndo }] });
}

async function takeBack(last: Decided | undefined, isBackAlready: boolean): Promise<string | null> {
  if (last !== undefined && failed.has(last.id)) return last.user._id;
  const of = visit;
  try {
    const { data } = await call(undoDecision, { body: last === undefined ? {} : { userId: last.user._id } });
    if (of !== visit) return null;
    noteRemainingLikes(data.remainingLikes);
    useDecisions.setState({ isUndone: true });
    if (!isBackAlready) forgetDecided([data.userId]);
    return data.userId;
  } catch (error) {
    if (of !== visit) return null;
    const isFinal = error instanceof ApiError && (error.status === 404 || error.status === 409);
    if (last !== undefined && isBackAlready) putBack(last, !isFinal);
    else if (last !== undefined && isFinal) changeDecided(last.id, { canUndo: false });
    const isNothing = error instanceof ApiError && error.status === 404;
    useDecisions.setState({ problem: isNothing ? { text: nothingToUndo, code: null } : problemOf(error, notUndone) });
    return null;
  }
}

/**
 * Takes the last decision back, whether made on this visit or before it; answers who that is about, or null where it did not work.
 * What has not been sent is simply not sent; otherwise they are there again at once where the server is sure to agree.
 */
export async function undoLast(): Promise<string | null> {
  const { decided, isUndone, remainingLikes } = useDecisions.getState();
  const last = decided.findLast(({ canUndo }) => canUndo);
  useDecisions.setState({ problem: null });
  const turn = last && turns.get(last.id);
  if (last !== undefined && turn !== undefined && line.drop(turn)) {
    turns.delete(last.id);
    forgetDecided([last.user._id]);
    return last.user._id;
  }
  const isFree = remainingLikes !== null;
  const isSure = last !== undefined && last.outcome !== 'matched' && !(isFree && isUndone);
  if (isSure) forgetDecided([last.user._id]);
  return await new Promise((resolve) => {
    line.add(async () => resolve(await takeBack(last, isSure)), false);
  });
}

/** Takes a like back that has found no answer yet, at once on the screen; answers whether that worked. */
export async function withdraw(user: PublicUser): Promise<boolean> {
  const before = useDecisions.getState().decided.find((one) => one.user._id === user._id);
  useDecisions.setState({ problem: null });
  forgetDecided([user._id]);
  return await new Promise((resolve) => {
    line.add(async () => {
      const of = visit;
      try {
        const { data } = await call(withdrawLike, { params: { userId: user._id } });
        if (of === visit) noteRemainingLikes(data.remainingLikes);
        resolve(true);
      } catch (error) {
        if (of === visit) {
          if (before !== undefined) putBack(before, before.canUndo);
          useDecisions.setState({ problem: problemOf(error, notUndone) });
        }
        resolve(false);
      }
    }, false);
  });
}

import { MutationObserver, useMutation } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { type LikedPart, likeUser, passUser, undoDecision, withdrawLike } from '#contract/connections.ts';
import type { Person } from '#contract/profiles/user.ts';
import { ApiError, isAborted } from '../../api/api-error.ts';
import { call } from '../../api/call.ts';
import { keys } from '../../api/keys.ts';
import { queryClient, useCached } from '../../api/query-client.ts';

export type Way = 'like' | 'pass';

/** What is sent with a like. */
export interface LikeWords {
  note?: string;
  on?: LikedPart;
}

/** One decision made since the app was opened. */
export interface Decided {
  id: number;
  user: Person;
  way: Way;
  /** The server's answer: none yet, saved, a match, the person is gone, or refused. */
  outcome: 'waiting' | 'saved' | 'matched' | 'gone' | 'refused';
  /** False once the server has said that it cannot be undone. */
  canUndo: boolean;
}

/** A person who likes the member back. */
export interface NewMatch {
  matchId: string;
  user: Person;
}

/** What did not work: a text to show, and the error's code. */
export interface Problem {
  text: string;
  code: string | null;
}

interface Decisions {
  /** Oldest first. */
  decided: readonly Decided[];
  /** Likes left today; null without a limit, undefined until known. */
  remainingLikes: number | null | undefined;
  /** The last decision was undone, and none was made since. */
  isUndone: boolean;
  problem: Problem | null;
  /** Matches to celebrate, oldest first. */
  matches: readonly NewMatch[];
  /** The last like that was sent with a note and has no answer yet, until that was said. */
  sent: { id: number; user: Person } | null;
}

const none: Decisions = {
  decided: [],
  remainingLikes: undefined,
  isUndone: false,
  problem: null,
  matches: [],
  sent: null,
};

// Kept in the query cache so that it is removed with the session, like everything the server has answered.
queryClient.setQueryDefaults(keys.decisions, { staleTime: Infinity, gcTime: Infinity });

const readDecisions = () => queryClient.getQueryData<Decisions>(keys.decisions) ?? none;

function change(changes: Partial<Decisions>): void {
  queryClient.setQueryData<Decisions>(keys.decisions, { ...readDecisions(), ...changes });
}

/** The member's decisions since the app was opened, on whichever screen they were made. */
export function useDecisions<T>(select: (decisions: Decisions) => T): T {
  return useCached<Decisions, T>(keys.decisions, (decisions = none) => select(decisions));
}

/** Whether the member has decided on this person, and it holds. */
export function useIsDone(userId: string): boolean {
  return useDecisions(({ decided }) =>
    decided.some(({ user, outcome }) => user._id === userId && outcome !== 'gone' && outcome !== 'refused'),
  );
}

/** Likes left today, less those on their way; null without a limit, undefined until known. */
export function useRemainingLikes(): number | null | undefined {
  return useDecisions(({ remainingLikes, decided }) => {
    const unanswered = decided.filter(({ way, outcome }) => way === 'like' && outcome === 'waiting').length;
    return typeof remainingLikes === 'number' ? Math.max(0, remainingLikes - unanswered) : remainingLikes;
  });
}

const isSettled = () => queryClient.isMutating({ mutationKey: keys.decisions }) === 0;
const subscribe = (onChange: () => void) => queryClient.getMutationCache().subscribe(onChange);

/**
 * Whether the server has answered all decisions, so that what it says next includes them. Where it is not `asked`, the answer is
 * false and never changes, so that a page is not drawn again for each answer.
 */
export function useIsSettled(asked: boolean): boolean {
  return useSyncExternalStore(subscribe, () => asked && isSettled());
}

/** The same at this moment, and who was decided on. */
export function settledState(): { isSettled: boolean; decidedIds: ReadonlySet<string> } {
  const decidedIds = new Set(readDecisions().decided.map(({ user }) => user._id));
  return { isSettled: isSettled(), decidedIds };
}

function changeDecided(id: number, changes: Partial<Decided>): void {
  change({ decided: readDecisions().decided.map((one) => (one.id === id ? { ...one, ...changes } : one)) });
}

/** These people can be shown and decided on again. */
export function forgetDecided(userIds: readonly string[]): void {
  if (userIds.length === 0) return;
  const { decided, sent } = readDecisions();
  const isForgotten = ({ user }: { user: Person }) => userIds.includes(user._id);
  change({
    decided: decided.filter((one) => !isForgotten(one)),
    sent: sent !== null && isForgotten(sent) ? null : sent,
  });
}

/** Notes how many likes are left, as the server has just said. */
export function noteRemainingLikes(remainingLikes: number | null): void {
  change({ remainingLikes });
}

/** Hides the message about the last decision that failed. */
export function dismissProblem(): void {
  change({ problem: null });
}

/** That this note was sent has been said. */
export function dismissSent(id: number): void {
  if (readDecisions().sent?.id === id) change({ sent: null });
}

/** The oldest match has been seen. */
export function dismissMatch(): void {
  change({ matches: readDecisions().matches.slice(1) });
}

const notSaved = "Couldn't save your decision. Please try again.";
const notUndone = "Couldn't undo this. Please try again.";
const nothingToUndo = "There's nothing to undo.";

function problemOf(error: unknown, otherwise: string): Problem {
  if (!(error instanceof ApiError)) return { text: otherwise, code: null };
  const isAnswered = error.status !== null && error.status < 500;
  return { text: isAnswered ? (error.errors[0]?.msg ?? error.message) : otherwise, code: error.code };
}

const statusOf = (error: unknown) => (error instanceof ApiError ? error.status : null);

/** Decisions and undos are sent one after the other, whichever screen they come from. */
const serialQueue = { scope: { id: 'decisions' } };
const decideKey = [...keys.decisions, 'decide'];
const undoKey = [...keys.decisions, 'undo'];

interface Decision {
  decided: Decided;
  words: LikeWords;
}

async function send({ decided: { user, way }, words }: Decision) {
  const params = { userId: user._id };
  if (way === 'like') return (await call(likeUser, { params, body: words, keepalive: true })).data;
  await call(passUser, { params, keepalive: true });
  return null;
}

/** Requests by decision: one that was sent early must not be sent again in its turn. */
const sent = new Map<number, ReturnType<typeof send>>();

function sendOnce(decision: Decision): ReturnType<typeof send> {
  const { id } = decision.decided;
  const request = sent.get(id) ?? send(decision);
  sent.set(id, request);
  return request;
}

const waitingDecisions = () =>
  queryClient
    .getMutationCache()
    .findAll({ mutationKey: decideKey, predicate: ({ state }) => state.isPaused })
    .map((mutation) => ({ mutation, decision: mutation.state.variables as Decision }))
    .filter(({ decision }) => !sent.has(decision.decided.id));

/** Sends everything that waits for its turn: the page may be about to close, and hidden tabs send nothing later. */
function sendWaiting(): void {
  for (const { decision } of waitingDecisions()) sendOnce(decision).catch(() => undefined);
}
window.addEventListener('pagehide', sendWaiting);
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'hidden') sendWaiting();
});

/** No component observes it: each of its states would draw the page again. */
const decision = new MutationObserver(queryClient, {
  ...serialQueue,
  mutationKey: decideKey,
  mutationFn: sendOnce,
  onSuccess: (like, { decided: { id, user }, words }) => {
    changeDecided(id, { outcome: like?.outcome === 'matched' ? 'matched' : 'saved' });
    if (like === null) return;
    noteRemainingLikes(like.remainingLikes);
    if (like.matchId === undefined) {
      if (words.note !== undefined) change({ sent: { id, user } });
      return;
    }
    change({ matches: [...readDecisions().matches, { matchId: like.matchId, user }] });
    void queryClient.invalidateQueries({ queryKey: keys.member(user._id) });
  },
  onError: (error, { decided: { id, user } }) => {
    if (isAborted(error)) return;
    const status = statusOf(error);
    if (status === 404) return changeDecided(id, { outcome: 'gone', canUndo: false });
    const problem = problemOf(error, notSaved);
    change({ problem, ...(problem.code === 'LIKES_USED_UP' ? { remainingLikes: 0 } : {}) });
    if (status === 409) return changeDecided(id, { outcome: 'refused', canUndo: false });
    const isLatest = readDecisions().decided.some((one) => one.id === id);
    if (isLatest) forgetDecided([user._id]);
  },
  onSettled: (_like, _error, { decided: { id } }) => void sent.delete(id),
});

/**
 * Decides on a person: shown at once, sent in its turn, and shown as undecided again if it cannot be saved. A second decision on
 * the same person before there is an answer is ignored.
 */
export function decide(user: Person, way: Way, words: LikeWords = {}): void {
  const { decided } = readDecisions();
  const before = decided.find((one) => one.user._id === user._id);
  if (before?.outcome === 'waiting') return;
  const made: Decided = { id: (lastId += 1), user, way, outcome: 'waiting', canUndo: true };
  change({ decided: [...decided.filter((one) => one !== before), made], problem: null, isUndone: false });
  decision.mutate({ decided: made, words }).catch(() => undefined);
}

let lastId = 0;

/** Takes back a decision that has not been sent yet; false if it is too late for that. */
function cancelUnsent({ id }: Decided): boolean {
  const waiting = waitingDecisions().find(({ decision }) => decision.decided.id === id);
  if (waiting === undefined) return false;
  queryClient.getMutationCache().remove(waiting.mutation);
  return true;
}

function hasFailed({ id }: Decided): boolean {
  const isOf = (variables: unknown) => (variables as Decision).decided.id === id;
  const mutation = queryClient
    .getMutationCache()
    .find({ mutationKey: decideKey, predicate: ({ state }) => isOf(state.variables) });
  return mutation?.state.status === 'error';
}

function putBack(last: Decided, canUndo: boolean): void {
  const { decided } = readDecisions();
  if (decided.some(({ user }) => user._id === last.user._id)) return;
  change({ decided: [...decided, { ...last, outcome: 'saved', canUndo }] });
}

interface Undo {
  /** The decision to undo; without one the server undoes the last it knows, which was made before the app was opened. */
  last: Decided | undefined;
  /** The person is shown again already. */
  isShown: boolean;
}

async function undo({ last, isShown }: Undo): Promise<string | null> {
  if (last !== undefined && hasFailed(last)) return last.user._id;
  try {
    const { data } = await call(undoDecision, { body: last === undefined ? {} : { userId: last.user._id } });
    change({ isUndone: true, remainingLikes: data.remainingLikes });
    if (!isShown) forgetDecided([data.userId]);
    return data.userId;
  } catch (error) {
    if (isAborted(error)) return null;
    const status = statusOf(error);
    const isFinal = status === 404 || status === 409;
    if (last !== undefined && isShown) putBack(last, !isFinal);
    else if (last !== undefined && isFinal) changeDecided(last.id, { canUndo: false });
    change({ problem: status === 404 ? { text: nothingToUndo, code: null } : problemOf(error, notUndone) });
    return null;
  }
}

/**
 * Undoing the last decision; resolves to the id of the person to show again, or null if it failed. What has not been sent is not
 * sent. Otherwise the person is shown again at once if the server is sure to agree.
 */
export function useUndo(): () => Promise<string | null> {
  const { mutateAsync } = useMutation({ ...serialQueue, mutationKey: undoKey, mutationFn: undo });
  return async () => {
    const { decided, isUndone, remainingLikes } = readDecisions();
    const last = decided.findLast(({ canUndo }) => canUndo);
    change({ problem: null });
    if (last !== undefined && cancelUnsent(last)) {
      forgetDecided([last.user._id]);
      return last.user._id;
    }
    // Without premium only one decision in a row can be undone, and a match never.
    const hasLimit = remainingLikes !== null;
    const isShown = last !== undefined && last.outcome !== 'matched' && !(hasLimit && isUndone);
    if (isShown) forgetDecided([last.user._id]);
    return await mutateAsync({ last, isShown });
  };
}

/** Withdrawing a like that has no answer yet, at once on the screen; resolves to whether it worked. */
export function useWithdraw(): (user: Person) => Promise<boolean> {
  const { mutateAsync } = useMutation({
    ...serialQueue,
    mutationKey: undoKey,
    mutationFn: async ({ user, before }: { user: Person; before: Decided | undefined }) => {
      try {
        noteRemainingLikes((await call(withdrawLike, { params: { userId: user._id } })).data.remainingLikes);
        return true;
      } catch (error) {
        if (isAborted(error)) return false;
        if (before !== undefined) putBack(before, before.canUndo);
        change({ problem: problemOf(error, notUndone) });
        return false;
      }
    },
  });
  return async (user) => {
    const before = readDecisions().decided.find((one) => one.user._id === user._id);
    const queryKey = keys.member(user._id);
    change({ problem: null });
    forgetDecided([user._id]);
    queryClient.setQueryData(queryKey, (member: object | undefined) => member && { ...member, decision: null });
    const isDone = await mutateAsync({ user, before });
    if (!isDone) void queryClient.invalidateQueries({ queryKey });
    return isDone;
  };
}

import { t } from '@lingui/core/macro';
import { MutationObserver } from '@tanstack/react-query';
import { likeUser, passUser, undoDecision, withdrawLike } from '#contract/connections.ts';
import type { Person } from '#contract/profiles/user.ts';
import { type ApiError, isAborted } from '../../api/api-error.ts';
import { call } from '../../api/call.ts';
import { keys } from '../../api/keys.ts';
import { queryClient } from '../../api/query-client.ts';
import {
  announceMatch,
  type Command,
  type CommandAnswer,
  type DecisionKind,
  type LikeWords,
  readDecisions,
  useNotices,
} from './decisions.ts';

const mutationCache = queryClient.getMutationCache();

async function send(command: Command): Promise<CommandAnswer> {
  if (command.kind === 'undo') {
    const { user, decision } = command;
    if (user !== undefined && decision?.state.status === 'error') return { userId: user._id };
    return (await call(undoDecision, { body: user === undefined ? {} : { userId: user._id } })).data;
  }
  const params = { userId: command.user._id };
  if (command.kind === 'withdraw') return (await call(withdrawLike, { params })).data;
  if (command.kind === 'pass') return (await call(passUser, { params, keepalive: true })).data;
  return (await call(likeUser, { params, body: command.words, keepalive: true })).data;
}

const requests = new WeakMap<Command, Promise<CommandAnswer>>();

/** Prevents a command that was sent early from being sent again when its turn comes. */
function sendOnce(command: Command): Promise<CommandAnswer> {
  const request = requests.get(command) ?? send(command);
  requests.set(command, request);
  return request;
}

const unsentDecisions = () =>
  readDecisions().filter(({ mutation: { state } }) => state.isPaused && !requests.has(state.variables as Command));

/** Sends all waiting commands at once, because the page may be about to close, and hidden tabs send nothing later. */
function sendEarly(): void {
  for (const { mutation } of unsentDecisions()) sendOnce(mutation.state.variables as Command).catch(() => undefined);
}
window.addEventListener('pagehide', sendEarly);
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'hidden') sendEarly();
});

function onSuccess({ remainingLikes, matchId }: CommandAnswer, command: Command): void {
  if (remainingLikes !== undefined) useNotices.setState({ remainingLikes, lastAnswered: command });
  if (command.kind !== 'like') return;
  const { user, words } = command;
  if (matchId !== undefined) {
    announceMatch({ matchId, user });
    void queryClient.invalidateQueries({ queryKey: keys.member(user._id) });
  } else if (words.note !== undefined) useNotices.setState({ noteSentTo: user });
}

function onError(error: Error, command: Command): void {
  if (isAborted(error)) return;
  const { status, code, message, errors } = error as ApiError;
  const isDecision = 'words' in command;
  // A person whose account no longer exists simply stays out of the deck.
  if (status === 404 && isDecision) return;
  let text = isDecision ? t`Couldn't save your decision. Please try again.` : t`Couldn't undo this. Please try again.`;
  if (status === 404) text = t`There's nothing to undo.`;
  else if (status !== null && status < 500) text = errors[0]?.msg ?? message;
  useNotices.setState({ problem: { text, code: status === 404 ? null : code } });
  if (code === 'LIKES_USED_UP') useNotices.setState({ remainingLikes: 0 });
}

/**
 * Sends commands in order. It is not a hook, because that would render a component again for each state of the
 * mutation.
 */
const commands = new MutationObserver(queryClient, {
  scope: { id: 'decisions' },
  mutationKey: keys.decisions,
  gcTime: Infinity,
  mutationFn: sendOnce,
  onSuccess,
  onError,
});

/**
 * Decides on a person. The decision is shown at once, sent in order, and undone on the screen if it can't be saved. A
 * second decision is ignored until the first has been answered.
 */
export function decide(user: Person, kind: DecisionKind, words: LikeWords = {}): void {
  if (readDecisions().some((one) => one.user._id === user._id && one.outcome === 'waiting')) return;
  useNotices.setState({ problem: null });
  commands.mutate({ kind, user, words }).catch(() => undefined);
}

/**
 * Undoes the last decision, and calls `onUndone` with the id of the person to show again. A decision that has not been
 * sent yet is dropped. Others are undone on the screen at once, unless the server may refuse: without premium, only one
 * decision in a row can be undone, and a match never can.
 */
export async function undo(onUndone?: (userId: string) => void): Promise<void> {
  useNotices.setState({ problem: null, noteSentTo: null });
  const last = readDecisions().findLast(({ canUndo }) => canUndo);
  if (last !== undefined && unsentDecisions().some(({ mutation }) => mutation === last.mutation)) {
    mutationCache.remove(last.mutation);
    onUndone?.(last.user._id);
    return;
  }
  const inForce = ({ state }: { state: { status: string } }) => state.status !== 'error';
  const before = mutationCache.findAll({ mutationKey: keys.decisions, predicate: inForce }).at(-1)?.state.variables;
  const hasJustUndone =
    (before as Command | undefined)?.kind === 'undo' && useNotices.getState().remainingLikes !== null;
  const isShownAtOnce = last?.outcome !== 'matched' && !hasJustUndone;
  const answer = commands
    .mutate({ kind: 'undo', user: last?.user, decision: last?.mutation, isShownAtOnce })
    .catch(() => null);
  const userId = (isShownAtOnce ? last?.user._id : undefined) ?? (await answer)?.userId;
  if (userId !== undefined) onUndone?.(userId);
}

/** Withdraws an unanswered like, at once on the screen. Resolves to whether it worked. */
export async function withdraw(user: Person): Promise<boolean> {
  const queryKey = keys.member(user._id);
  useNotices.setState({ problem: null, noteSentTo: null });
  queryClient.setQueryData(queryKey, (member: object | undefined) => member && { ...member, decision: null });
  try {
    await commands.mutate({ kind: 'withdraw', user, isShownAtOnce: true });
    return true;
  } catch {
    void queryClient.invalidateQueries({ queryKey });
    return false;
  }
}

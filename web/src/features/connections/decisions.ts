import type { Mutation } from '@tanstack/react-query';
import { useMemo, useSyncExternalStore } from 'react';
import type { likeUser, undoDecision } from '#contract/connections.ts';
import type { AnswerOf, BodyInput } from '#contract/endpoint.ts';
import type { Person } from '#contract/profiles/user.ts';
import { ApiError } from '../../api/api-error.ts';
import { keys } from '../../api/keys.ts';
import { queryClient } from '../../api/query-client.ts';
import { create } from 'zustand';
import { onUserChange } from '../../api/session/stored-session.ts';

export type DecisionKind = 'like' | 'pass';
export type LikeWords = BodyInput<typeof likeUser>;

/** A decision, or undoing or withdrawing one. Undo without a person undoes the last decision that the server knows. */
export type Command =
  | { kind: DecisionKind; user: Person; words: LikeWords }
  | { kind: 'undo'; user: Person | undefined; decision: CommandMutation | undefined; isShownAtOnce: boolean }
  | { kind: 'withdraw'; user: Person; isShownAtOnce: true };
export interface CommandAnswer extends Partial<AnswerOf<typeof undoDecision>['data']> {
  outcome?: string;
  matchId?: string | undefined;
}
export type CommandMutation = Mutation<CommandAnswer, Error, Command>;

interface Decision {
  user: Person;
  kind: DecisionKind;
  /**
   * A refused decision hides the person from the deck but has no effect: their account no longer exists, or they are
   * already a match.
   */
  outcome: 'waiting' | 'saved' | 'matched' | 'refused';
  /** False once the server has said that it can't be undone. */
  canUndo: boolean;
  mutation: CommandMutation;
}

const mutationCache = queryClient.getMutationCache();

/** A failed command can be tried again; a refused one can't. */
function outcomeOf({ status, data, error }: CommandMutation['state']): Decision['outcome'] | 'failed' {
  if (status === 'error')
    return error instanceof ApiError && [404, 409].includes(error.status ?? 0) ? 'refused' : 'failed';
  if (status === 'pending') return 'waiting';
  return data?.matchId === undefined ? 'saved' : 'matched';
}

/**
 * The decisions made since the app was opened, oldest first. They are derived from the commands, so a failed command
 * never has to be rolled back.
 */
export function readDecisions(): Decision[] {
  const decisions = new Map<string, Decision>();
  for (const mutation of mutationCache.findAll({ mutationKey: keys.decisions }) as CommandMutation[]) {
    const { variables: command, data } = mutation.state;
    if (command === undefined) continue;
    const outcome = outcomeOf(mutation.state);
    const userId = data?.userId ?? command.user?._id ?? '';
    const before = decisions.get(userId);
    if ('words' in command) {
      decisions.delete(userId);
      if (outcome !== 'failed')
        decisions.set(userId, { ...command, outcome, canUndo: outcome !== 'refused', mutation });
    } else if (outcome === 'refused') {
      if (before) before.canUndo = false;
    } else if (outcome === 'saved' || (outcome === 'waiting' && command.isShownAtOnce)) decisions.delete(userId);
  }
  return [...decisions.values()];
}

const subscribe = (onChange: () => void) => mutationCache.subscribe(onChange);

/**
 * A plain value derived from the decisions since the app was opened. The component renders again only when the value
 * changes.
 */
export function useDecisions<T extends string | number | boolean | null>(select: (decisions: Decision[]) => T): T {
  return useSyncExternalStore(subscribe, () => select(readDecisions()));
}

/** The ids of all people that the member has decided on. */
export function useDecidedIds(): ReadonlySet<string> {
  const ids = useDecisions((decisions) => decisions.map(({ user }) => user._id).join(' '));
  return useMemo(() => new Set(ids.split(' ')), [ids]);
}

/** The member's decision about this person, if it has taken effect, and whether it created a match. */
export function useDecisionOn(userId: string): 'like' | 'pass' | 'match' | null {
  return useDecisions((decisions) => {
    const decision = decisions.find(({ user, outcome }) => user._id === userId && outcome !== 'refused');
    return decision?.outcome === 'matched' ? 'match' : (decision?.kind ?? null);
  });
}

/** A new match that has not been shown yet. */
export interface NewMatch {
  matchId: string;
  user: Person;
  /** The match would interrupt the member, so only a banner shows it. */
  isWaiting?: boolean;
}

interface Notices {
  /** The last problem: a message to show, and the error code. */
  problem: { text: string; code: string | null } | null;
  /** Oldest first. */
  matches: readonly NewMatch[];
  /** The person who was last sent a like with a note, until the confirmation has been shown. */
  noteSentTo: Person | null;
  /** Likes left today, as last received from the server; null without a limit, undefined until known. */
  remainingLikes: number | null | undefined;
  /** The command whose answer contained that number. */
  lastAnswered: Command | null;
}

let press = { x: innerWidth / 2, y: innerHeight / 2 };
document.addEventListener('pointerup', ({ clientX: x, clientY: y }) => (press = { x, y }), true);

/** Where the page was last pressed, or its centre. */
export const lastPress = () => press;

const announced = new Set<string>();

/** Shows a new match once, whether the member's own like or an event reports it first. */
export function announceMatch(match: NewMatch): void {
  const { matches } = useNotices.getState();
  const at = matches.findIndex(({ matchId }) => matchId === match.matchId);
  if (at === -1 && !announced.has(match.matchId)) useNotices.setState({ matches: [...matches, match] });
  else if (at !== -1 && match.isWaiting !== true) useNotices.setState({ matches: matches.with(at, match) });
  announced.add(match.matchId);
}

/** Removes a match that was shown, has ended, or is known from another device. */
export function dismissMatch(matchId: string): void {
  useNotices.setState(({ matches }) => ({ matches: matches.filter((one) => one.matchId !== matchId) }));
}

const none: Notices = { problem: null, matches: [], noteSentTo: null, remainingLikes: undefined, lastAnswered: null };

/** The results of the member's decisions, whichever screen they were made on. */
export const useNotices = create<Notices>()(() => none);
onUserChange(() => {
  announced.clear();
  useNotices.setState(none);
});

/** Likes left today, minus those that are being sent; null without a limit, undefined until known. */
export function useRemainingLikes(): number | null | undefined {
  const remainingLikes = useNotices((notices) => notices.remainingLikes);
  const unanswered = useDecisions((decisions) => {
    const waiting = decisions.filter(({ kind, outcome }) => kind === 'like' && outcome === 'waiting');
    return waiting.filter(({ mutation }) => mutation.state.variables !== useNotices.getState().lastAnswered).length;
  });
  return typeof remainingLikes === 'number' ? Math.max(0, remainingLikes - unanswered) : remainingLikes;
}

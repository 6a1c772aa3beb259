import { create } from 'zustand';
import type { LikedPart } from '#contract/connections/likes.ts';
import type { PublicUser } from '#contract/profiles/user.ts';
import { onSessionChange, readSession } from '../../api/session/stored-session.ts';

export type Way = 'like' | 'pass';

/** What goes along with a like. */
export interface LikeWords {
  note?: string;
  on?: LikedPart;
}

/** One decision of this visit, newest last. */
export interface Decided {
  id: number;
  user: PublicUser;
  way: Way;
  /** What the server says to it: nothing yet, that it stands, a match, that nobody is there (any more), or no. */
  outcome: 'waiting' | 'stands' | 'matched' | 'gone' | 'refused';
  /** False once the server has said that it cannot be taken back. */
  canUndo: boolean;
}

/** Somebody who turned out to like the member, too. */
export interface NewMatch {
  matchId: string;
  user: PublicUser;
}

/** What did not work, in words that can be shown, and its code. */
export interface Problem {
  text: string;
  code: string | null;
}

interface Decisions {
  decided: readonly Decided[];
  /** How many decisions and undoings wait for their answer. */
  waiting: number;
  /** Likes left today as last told; null without a limit, undefined until it is told. */
  remainingLikes: number | null | undefined;
  /** The last one was taken back, and none came after it. */
  isUndone: boolean;
  problem: Problem | null;
  /** Matches to be celebrated, oldest first. */
  matches: readonly NewMatch[];
}

const nothing: Decisions = {
  decided: [],
  waiting: 0,
  remainingLikes: undefined,
  isUndone: false,
  problem: null,
  matches: [],
};

/** Whom the member has decided on since the page was opened, whichever screen they did it on. */
export const useDecisions = create<Decisions>()(() => nothing);

/** Likes left today, less those on their way; null without a limit, undefined until it is told. */
export function useRemainingLikes(): number | null | undefined {
  return useDecisions(({ remainingLikes, decided }) => {
    const onTheirWay = decided.filter(({ way, outcome }) => way === 'like' && outcome === 'waiting').length;
    return typeof remainingLikes === 'number' ? Math.max(0, remainingLikes - onTheirWay) : remainingLikes;
  });
}

/** Somebody's decisions are nobody else's; `onForget` drops what is still to be sent of them. */
export function forgetWithSession(onForget: () => void): void {
  let owner = readSession().user?._id;
  onSessionChange(({ user }) => {
    if (user?._id === owner) return;
    owner = user?._id;
    onForget();
    useDecisions.setState(nothing);
  });
}

/** Changes one decision, where it is still known. */
export function changeDecided(id: number, changes: Partial<Decided>): void {
  useDecisions.setState(({ decided }) => ({
    decided: decided.map((one) => (one.id === id ? { ...one, ...changes } : one)),
  }));
}

/** These people can be shown and decided on again. */
export function forgetDecided(userIds: readonly string[]): void {
  useDecisions.setState(({ decided }) => ({ decided: decided.filter(({ user }) => !userIds.includes(user._id)) }));
}

/** How many likes are left, as the server has just told. */
export function noteRemainingLikes(remainingLikes: number | null): void {
  useDecisions.setState({ remainingLikes });
}

/** What did not work has been read. */
export function dismissProblem(): void {
  useDecisions.setState({ problem: null });
}

/** The oldest match has been seen. */
export function dismissMatch(): void {
  useDecisions.setState(({ matches }) => ({ matches: matches.slice(1) }));
}

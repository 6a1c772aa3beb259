import { create } from 'zustand';
import type { Person } from '#contract/profiles/user.ts';
import { onUserChange } from '../../api/session/stored-session.ts';
import { type Command, useDecisions } from './decisions.ts';

/** Someone who likes the member back. */
export interface NewMatch {
  matchId: string;
  user: Person;
}

interface Notices {
  /** What did not work: a text to show, and the error's code. */
  problem: { text: string; code: string | null } | null;
  /** Matches to celebrate, oldest first. */
  matches: readonly NewMatch[];
  /** Who was last sent a like with a note, until that was shown. */
  noteSentTo: Person | null;
  /** Likes left today, as the server last said; null without a limit, undefined until known. */
  remainingLikes: number | null | undefined;
  /** The command that it answered with that number. */
  lastAnswered: Command | null;
}

const none: Notices = { problem: null, matches: [], noteSentTo: null, remainingLikes: undefined, lastAnswered: null };

/** What the answers to decisions tell the member, on whichever screen they were made. */
export const useNotices = create<Notices>()(() => none);
onUserChange(() => useNotices.setState(none));

/** Likes left today, less those on their way; null without a limit, undefined until known. */
export function useRemainingLikes(): number | null | undefined {
  const remainingLikes = useNotices((notices) => notices.remainingLikes);
  const unanswered = useDecisions((decisions) => {
    const waiting = decisions.filter(({ kind, outcome }) => kind === 'like' && outcome === 'waiting');
    return waiting.filter(({ mutation }) => mutation.state.variables !== useNotices.getState().lastAnswered).length;
  });
  return typeof remainingLikes === 'number' ? Math.max(0, remainingLikes - unanswered) : remainingLikes;
}

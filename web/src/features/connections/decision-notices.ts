import { create } from 'zustand';
import type { Person } from '#contract/profiles/user.ts';
import { onUserChange } from '../../api/session/stored-session.ts';
import { type Command, useDecisions } from './decisions.ts';

/** A person who likes the member back. */
export interface NewMatch {
  matchId: string;
  user: Person;
}

interface Notices {
  /** The last problem: a text to show, and the error code. */
  problem: { text: string; code: string | null } | null;
  /** New matches that have not been shown yet, oldest first. */
  matches: readonly NewMatch[];
  /** The person who was last sent a like with a note, until the confirmation has been shown. */
  noteSentTo: Person | null;
  /** Likes left today, as last received from the server; null without a limit, undefined until known. */
  remainingLikes: number | null | undefined;
  /** The command whose answer contained that number. */
  lastAnswered: Command | null;
}

const none: Notices = { problem: null, matches: [], noteSentTo: null, remainingLikes: undefined, lastAnswered: null };

/** The results of the member's decisions, whichever screen they were made on. */
export const useNotices = create<Notices>()(() => none);
onUserChange(() => useNotices.setState(none));

/** Likes left today, minus those that are being sent; null without a limit, undefined until known. */
export function useRemainingLikes(): number | null | undefined {
  const remainingLikes = useNotices((notices) => notices.remainingLikes);
  const unanswered = useDecisions((decisions) => {
    const waiting = decisions.filter(({ kind, outcome }) => kind === 'like' && outcome === 'waiting');
    return waiting.filter(({ mutation }) => mutation.state.variables !== useNotices.getState().lastAnswered).length;
  });
  return typeof remainingLikes === 'number' ? Math.max(0, remainingLikes - unanswered) : remainingLikes;
}

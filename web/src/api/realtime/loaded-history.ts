import type { AnswerOf } from '#contract/endpoint.ts';
import type { listMessages } from '#contract/messages/messages.ts';
import { keys } from '../keys.ts';
import { queryClient } from '../query-client.ts';
import { emptyHistory, type History, withMessages } from './message-history.ts';

type Change = (history: History) => History;

/** For each pending request, the changes to its conversation since it was sent. */
const underWay = new Map<string, Set<Change[]>>();

/** The loaded part of a conversation; empty if nothing is loaded. */
export const loadedHistory = (matchId: string): History =>
  queryClient.getQueryData<History>(keys.messages(matchId)) ?? emptyHistory;

/** Changes the loaded part of a conversation, and applies the same change to answers that are still on their way. */
export function changeHistory(matchId: string, change: Change): void {
  for (const changes of underWay.get(matchId) ?? []) changes.push(change);
  queryClient.setQueryData<History>(keys.messages(matchId), (history) => history && change(history));
}

/**
 * Loads messages with `ask` and returns them merged into what is loaded by then, in whatever order the answers arrive.
 * The answer may be older than changes made in the meantime, so those changes are applied to it again.
 */
export async function loadHistory(
  matchId: string,
  ask: () => Promise<AnswerOf<typeof listMessages>['data']>,
): Promise<History> {
  const asked = loadedHistory(matchId);
  const changes: Change[] = [];
  const loads = underWay.get(matchId) ?? new Set();
  underWay.set(matchId, loads.add(changes));
  try {
    const { messages, lastSeq } = await ask();
    const history = withMessages(loadedHistory(matchId), messages, lastSeq, asked);
    return changes.reduce((changed, change) => change(changed), history);
  } finally {
    loads.delete(changes);
    if (loads.size === 0 && underWay.get(matchId) === loads) underWay.delete(matchId);
  }
}

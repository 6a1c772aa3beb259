import type { AnswerOf } from '#contract/endpoint.ts';
import { turnsOfferedFrom } from '#contract/constants.ts';
import { endKindly, type goodbyes, listWaiting, snoozeConversation } from '#contract/messages/messages.ts';
import { call } from '../../../api/call.ts';
import { keys } from '../../../api/keys.ts';
import { queryClient } from '../../../api/query-client.ts';
import { applyEvent } from '../../../api/realtime/realtime-cache.ts';

export type Waiting = AnswerOf<typeof listWaiting>['data'];

/** The conversations that wait for the member, if there are enough to offer help; null otherwise. */
export async function loadWaiting(): Promise<Waiting | null> {
  const { data } = await call(listWaiting, {});
  return data.count >= turnsOfferedFrom ? data : null;
}

/** Ends a match with one of our sentences. */
export async function sayGoodbye(matchId: string, text: (typeof goodbyes)[number]): Promise<void> {
  await call(endKindly, { params: { id: matchId }, body: { text } });
  applyEvent({ kind: 'matchEnded', matchId });
}

/** Snoozes a conversation for some days. */
export async function snooze(matchId: string, days: 1 | 7 | 30): Promise<void> {
  await call(snoozeConversation, { params: { id: matchId }, body: { days } });
  await queryClient.invalidateQueries({ queryKey: keys.conversations });
}

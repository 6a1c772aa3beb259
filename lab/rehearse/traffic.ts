import { setTimeout as pause } from 'node:timers/promises';
import { listMatches } from '#contract/connections.ts';
import { getCards, getPreferences, putPreferences } from '#contract/discovery.ts';
import { listConversations } from '#contract/messages/messages.ts';
import { editProfile, getProfile } from '#contract/profiles/profiles.ts';
import { call, inWords, keepConnections, mustCall, type Outcome } from '../../server/test/proofs/http.ts';

/** A request of a member, in milliseconds of `performance.now()`. */
export interface Sent {
  sentAt: number;
  endedAt: number;
  isWrite: boolean;
  isGood: boolean;
  words: string;
}

export interface Traffic {
  /** Requests that have ended. */
  sent: Sent[];
  stop(): Promise<void>;
}

/**
 * Sends requests at a fixed rate, as each member in turn, a third of them writes, so that requests of each kind are in progress when a
 * component fails. Doesn't wait for earlier responses and never retries a request.
 */
export async function startTraffic(origin: string, tokens: string[], perSecond: number): Promise<Traffic> {
  const { preferences } = (await mustCall(origin, getPreferences, { token: tokens[0] })).data;
  const agent = keepConnections(origin, 200);
  const sent: Sent[] = [];
  const underWay = new Set<Promise<void>>();
  const reads = [getProfile, listConversations, getCards, listMatches, getProfile, getPreferences];
  let count = 0;
  const state = { isStopped: false };

  function ask(isWrite: boolean): Promise<Outcome> {
    const asked = { token: tokens[count % tokens.length], agent };
    if (!isWrite) return call(origin, reads[count % reads.length] ?? getProfile, asked);
    if (count % 9 === 8) return call(origin, putPreferences, { ...asked, body: preferences });
    return call(origin, editProfile, { ...asked, body: { bio: `Number ${count}` } });
  }

  async function send(): Promise<void> {
    const [sentAt, isWrite] = [performance.now(), count % 3 === 2];
    const outcome = await ask(isWrite);
    const isGood = outcome.kind === 'answered' && outcome.status < 300;
    sent.push({ sentAt, endedAt: performance.now(), isWrite, isGood, words: inWords(outcome) });
  }

  const started = performance.now();
  const running = (async () => {
    for (; !state.isStopped; count += 1) {
      const request = send().finally(() => underWay.delete(request));
      underWay.add(request);
      await pause(Math.max(0, started + ((count + 1) * 1000) / perSecond - performance.now()));
    }
  })();
  return {
    sent,
    async stop() {
      state.isStopped = true;
      await running;
      await Promise.all(underWay);
      agent.destroy();
    },
  };
}

/** The longest time after `from` without a successful write, in milliseconds. */
export function longestGapMs(sent: Sent[], from: number): number {
  const ends = sent.filter(({ isWrite, isGood }) => isWrite && isGood).map(({ endedAt }) => endedAt);
  const last = Math.max(from, ...sent.map(({ endedAt }) => endedAt));
  const moments = [from, ...ends.toSorted((a, b) => a - b), last];
  return Math.max(...moments.slice(1).map((moment, index) => moment - (moments[index] ?? 0)));
}

/** Whether writes sent after `from` have succeeded, and none failed, for `settleMs`. */
export function hasSettled(sent: Sent[], from: number, settleMs: number): boolean {
  const now = performance.now();
  const recent = sent.filter(({ isWrite, endedAt }) => isWrite && endedAt > now - settleMs);
  return now - from > settleMs && recent.some(({ sentAt }) => sentAt > from) && recent.every(({ isGood }) => isGood);
}

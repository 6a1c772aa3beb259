import { Agent } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { listMatches } from '#contract/connections.ts';
import { getCards, getPreferences, putPreferences } from '#contract/discovery.ts';
import { listConversations } from '#contract/messages.ts';
import { editProfile, getProfile } from '#contract/profiles/profiles.ts';
import { call, inWords, mustCall, type Outcome } from '../chaos/http.ts';

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

/** What is sent next. */
export interface Step {
  isWrite: boolean;
  send(): Promise<Outcome>;
}

/** Sends what `next` returns, if anything, at a fixed rate, whether or not earlier requests are answered, and never sends one again. */
export function startTraffic(next: (agent: Agent) => Step | null, perSecond: number): Traffic {
  const agent = new Agent({ keepAlive: true, maxSockets: 200 });
  const sent: Sent[] = [];
  const underWay = new Set<Promise<void>>();
  const state = { stopped: false, count: 0 };

  async function send({ isWrite, send: ask }: Step): Promise<void> {
    const sentAt = performance.now();
    const outcome = await ask();
    const isGood = outcome.kind === 'answered' && outcome.status < 300;
    sent.push({ sentAt, endedAt: performance.now(), isWrite, isGood, words: inWords(outcome) });
  }

  const started = performance.now();
  const running = (async () => {
    for (; !state.stopped; state.count += 1) {
      const step = next(agent);
      if (step !== null) {
        const request = send(step).finally(() => underWay.delete(request));
        underWay.add(request);
      }
      await pause(Math.max(0, started + ((state.count + 1) * 1000) / perSecond - performance.now()));
    }
  })();
  return {
    sent,
    async stop() {
      state.stopped = true;
      await running;
      await Promise.all(underWay);
      agent.destroy();
    },
  };
}

/** Requests of members in turn, a third of them writes: something of each kind is always under way when a part fails. */
export async function writesAndReads(origin: string, tokens: string[]): Promise<(agent: Agent) => Step> {
  const preferences = (await mustCall(origin, getPreferences, { token: tokens[0] })).data.preferences;
  let count = 0;
  const kinds: ((asked: { token: string; agent: Agent }) => Step)[] = [
    (asked) => ({ isWrite: false, send: () => call(origin, getProfile, asked) }),
    (asked) => ({
      isWrite: true,
      send: () => call(origin, editProfile, { ...asked, body: { bio: `Number ${count}` } }),
    }),
    (asked) => ({ isWrite: false, send: () => call(origin, listConversations, asked) }),
    (asked) => ({ isWrite: false, send: () => call(origin, getProfile, asked) }),
    (asked) => ({
      isWrite: true,
      send: () => call(origin, editProfile, { ...asked, body: { bio: `${count} again` } }),
    }),
    (asked) => ({ isWrite: false, send: () => call(origin, listMatches, asked) }),
    (asked) => ({ isWrite: false, send: () => call(origin, getPreferences, asked) }),
    (asked) => ({ isWrite: true, send: () => call(origin, putPreferences, { ...asked, body: preferences }) }),
    (asked) => ({ isWrite: false, send: () => call(origin, getCards, asked) }),
  ];
  return (agent) => {
    const [kind, token] = [kinds[count % kinds.length], tokens[count % tokens.length]];
    if (kind === undefined || token === undefined) throw new Error('no members to send requests for');
    count += 1;
    return kind({ token, agent });
  };
}

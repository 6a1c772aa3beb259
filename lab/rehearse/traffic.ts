import { Agent } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { listMatches } from '#contract/connections/likes.ts';
import { getCards, getPreferences, putPreferences } from '#contract/discovery/discovery.ts';
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

/** Sends requests of members at a fixed rate, whether or not they are answered, and never sends one again. */
export async function startTraffic(origin: string, tokens: string[], perSecond: number): Promise<Traffic> {
  const agent = new Agent({ keepAlive: true, maxSockets: 200 });
  const sent: Sent[] = [];
  const underWay = new Set<Promise<void>>();
  const state = { stopped: false, count: 0 };
  const preferences = (await mustCall(origin, getPreferences, { token: tokens[0] })).data.preferences;

  const kinds: { isWrite: boolean; send: (token: string) => Promise<Outcome> }[] = [
    { isWrite: false, send: (token) => call(origin, getProfile, { token, agent }) },
    {
      isWrite: true,
      send: (token) => call(origin, editProfile, { token, agent, body: { bio: `Number ${state.count}` } }),
    },
    { isWrite: false, send: (token) => call(origin, listConversations, { token, agent }) },
    { isWrite: false, send: (token) => call(origin, getProfile, { token, agent }) },
    {
      isWrite: true,
      send: (token) => call(origin, editProfile, { token, agent, body: { bio: `Number ${state.count} again` } }),
    },
    { isWrite: false, send: (token) => call(origin, listMatches, { token, agent }) },
    { isWrite: false, send: (token) => call(origin, getPreferences, { token, agent }) },
    { isWrite: true, send: (token) => call(origin, putPreferences, { token, agent, body: preferences }) },
    { isWrite: false, send: (token) => call(origin, getCards, { token, agent }) },
  ];

  async function send({ isWrite, send: ask }: (typeof kinds)[number], token: string): Promise<void> {
    const sentAt = performance.now();
    const outcome = await ask(token);
    const isGood = outcome.kind === 'answered' && outcome.status < 300;
    sent.push({ sentAt, endedAt: performance.now(), isWrite, isGood, words: inWords(outcome) });
  }

  const started = performance.now();
  const running = (async () => {
    for (; !state.stopped; state.count += 1) {
      const kind = kinds[state.count % kinds.length];
      const token = tokens[state.count % tokens.length];
      if (kind === undefined || token === undefined) throw new Error('no members to send requests for');
      const request = send(kind, token).finally(() => underWay.delete(request));
      underWay.add(request);
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

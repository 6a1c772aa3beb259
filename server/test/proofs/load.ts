import { Agent, request, type ClientRequest } from 'node:http';
import { login } from '#contract/auth/session.ts';
import { apiBasePath } from '#contract/constants.ts';
import { editProfile, getProfile } from '#contract/profiles/profiles.ts';
import { getConfig } from '#contract/system.ts';
import { expect } from 'vitest';
import { call, type Outcome } from './http.ts';

/** The number of requests per second. */
const perSecond = 50;

/**
 * The most requests that a load leaves unanswered. On a machine too busy for its rate, more would wait for the server
 * to accept their connections: the system resets those when the server closes, before any process has received their
 * requests.
 */
const mostUnanswered = 4;

/** A member the load signs in as. */
interface Visitor {
  email: string;
  password: string;
  token: string;
}

interface Load {
  /** Resolves when that many requests have ended. */
  until(count: number): Promise<void>;
  stop(): Promise<Outcome[]>;
}

/**
 * Sends requests at a fixed rate, or as fast as answers arrive if that is slower, over kept-alive and new connections.
 */
export function startLoad(origin: string, { token, ...credentials }: Visitor): Load {
  const agent = new Agent({ keepAlive: true, maxSockets: mostUnanswered });
  const sent: Promise<Outcome>[] = [];
  const kinds = [
    () => call(origin, getProfile, { token, agent }),
    () => call(origin, getConfig, { agent }),
    () => call(origin, editProfile, { token, agent, body: { bio: `bio ${sent.length}` } }),
    () => call(origin, getConfig),
    () => call(origin, login, { agent, body: credentials }),
  ];
  let unanswered = 0;
  const ticking = setInterval(() => {
    const kind = kinds[sent.length % kinds.length];
    if (kind === undefined || unanswered >= mostUnanswered) return;
    unanswered += 1;
    sent.push(kind().finally(() => (unanswered -= 1)));
  }, 1000 / perSecond);
  return {
    until: (count) => expect.poll(() => sent.length - unanswered).toBeGreaterThanOrEqual(count),
    async stop() {
      clearInterval(ticking);
      const outcomes = await Promise.all(sent);
      agent.destroy();
      return outcomes;
    },
  };
}

/** Whether a request that reached the server got an incomplete answer or a 5xx. */
export function wasHarmed(outcome: Outcome): boolean {
  return outcome.kind === 'broken' || (outcome.kind === 'answered' && outcome.status >= 500);
}

/** Sends the begin of a request; `finish` sends the rest and returns the status, or why there is none. */
export async function beginUpload(origin: string, token: string): Promise<{ finish(): Promise<string> }> {
  const body = JSON.stringify({ bio: 'written slowly' });
  const upload: ClientRequest = request(`${origin}${apiBasePath}${editProfile.path}`, {
    method: editProfile.method,
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(body)),
    },
    agent: new Agent({ keepAlive: true }),
  });
  const ended = new Promise<string>((resolve) => {
    upload.on('error', (error) => {
      resolve(error.message);
    });
    upload.on('response', (response) => {
      response.resume().on('end', () => {
        resolve(String(response.statusCode));
      });
    });
  });
  await new Promise<unknown>((written) => upload.write(body.slice(0, 5), written));
  return {
    finish() {
      upload.end(body.slice(5));
      return ended;
    },
  };
}

import { Agent, request } from 'node:http';
import type { Times } from './measure.ts';
import type { Service } from './service.ts';

export interface Call {
  method: string;
  path: string;
  token: string;
  body?: string;
  /** Sent as `Idempotency-Key`. */
  key?: string;
}

interface Plan {
  clients: number;
  /** How long to repeat the calls; with `once`, each call is sent once. */
  seconds?: number;
  once?: boolean;
}

function send(baseUrl: string, agent: Agent, { method, path, token, body, key }: Call): Promise<number> {
  return new Promise((resolve, reject) => {
    const started = performance.now();
    const headers = {
      authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
      ...(key === undefined ? {} : { 'idempotency-key': key }),
    };
    const sent = request(`${baseUrl}${path}`, { method, agent, headers }, (response) => {
      const status = response.statusCode ?? 0;
      let text = '';
      response.on('data', (chunk: Buffer) => {
        if (status >= 300) text += chunk.toString();
      });
      response.on('error', reject);
      response.on('end', () => {
        if (status >= 300) reject(new Error(`${method} ${path} answered ${status}: ${text.slice(0, 200)}`));
        else resolve(performance.now() - started);
      });
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

/** Sends calls from that many concurrent clients, each over its own connection; returns sorted times and calls per second. */
export async function load(
  { baseUrl }: Service,
  calls: Call[],
  { clients, seconds = 10, once = false }: Plan,
): Promise<{ times: Times; rate: number }> {
  const times: Times = [];
  const started = performance.now();
  const until = started + seconds * 1000;
  let next = 0;
  const client = async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    while (once ? next < calls.length : performance.now() < until) {
      const call = calls[next % calls.length];
      next += 1;
      if (call !== undefined) times.push(await send(baseUrl, agent, call));
    }
    agent.destroy();
  };
  await Promise.all(Array.from({ length: clients }, client));
  const tookSeconds = (performance.now() - started) / 1000;
  return { times: times.sort((a, b) => a - b), rate: times.length / tookSeconds };
}

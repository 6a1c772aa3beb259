import { Agent, request } from 'node:http';
import type { Service } from './service.ts';

/** Times of one request in milliseconds, smallest first. */
export type Times = number[];

/** The time below which `share` (0…1) of all times lie. */
export function quantile(times: Times, share: number): number {
  return times[Math.min(times.length - 1, Math.ceil(times.length * share) - 1)] ?? 0;
}

export const median = (times: Times): number => quantile(times, 0.5);
export const p99 = (times: Times): number => quantile(times, 0.99);

export interface Answer {
  status: number;
  body: string;
  milliseconds: number;
}

const agent = new Agent({ keepAlive: true, maxSockets: 1 });

/** One GET over a kept-alive connection, timed from the first byte sent to the last byte received. */
export function ask({ baseUrl, token }: Service, path: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const started = performance.now();
    const sent = request(`${baseUrl}${path}`, { agent, headers: { authorization: `Bearer ${token}` } }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const milliseconds = performance.now() - started;
        resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString(), milliseconds });
      });
    });
    sent.on('error', reject);
    sent.end();
  });
}

/** Like `ask`, but any status other than 200 ends the bench. */
export async function askOk(service: Service, path: string): Promise<Answer> {
  const answer = await ask(service, path);
  if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}: ${answer.body.slice(0, 300)}`);
  return answer;
}

/** The sorted times of requesting each path in turn, `rounds` times. */
export async function timesOf(service: Service, paths: string[], rounds = 1): Promise<Times> {
  const times: Times = [];
  for (let round = 0; round < rounds; round++) {
    for (const path of paths) times.push((await askOk(service, path)).milliseconds);
  }
  return times.sort((a, b) => a - b);
}

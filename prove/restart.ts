import { Agent, request, type ClientRequest } from 'node:http';
import { once } from 'node:events';
import { createConnection, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { login } from '#contract/auth.ts';
import { apiBasePath } from '#contract/constants.ts';
import { editProfile, getProfile } from '#contract/profiles.ts';
import { getConfig } from '#contract/system.ts';
import { call, inWords, type Outcome } from './http.ts';
import { joinAs, password } from './people.ts';
import { createProduct, type End, type Product } from './product.ts';
import { figure, type Proof } from './proof.ts';

const perSecond = 50;
const connections = 10;
const exitWithinMs = 10_000;
const slowBodyMs = 2000;
const email = 'restart@prove.test';

/** Stops the server in the midst of its work, as each new release does. */
export const restart: Proof = {
  name: 'restart',
  about: 'SIGTERM under 50 requests a second, with slow requests and idle connections open',
  async run({ short, random, folder, say }) {
    const rounds = short ? 3 : 20;
    const product = await createProduct(folder);
    try {
      await product.start();
      const { token } = await joinAs(product.origin, email, 1);
      const ends: End[] = [];
      const outcomes: Outcome[] = [];
      const slow: string[] = [];
      for (let round = 1; round <= rounds; round += 1) {
        const load = startLoad(product.origin, token);
        const idle = await openIdle(product);
        await pause(random.between(1000, 3000));
        const upload = startSlowUpload(product.origin, token, slowBodyMs);
        await pause(100);
        const end = await product.end('SIGTERM');
        ends.push(end);
        outcomes.push(...(await load.stop()));
        slow.push(await upload);
        idle.destroy();
        const readyMs = await product.start();
        say(
          `round ${round}: exit ${end.code ?? end.signal} after ${Math.round(end.ms)} ms, up again in ${Math.round(readyMs)} ms`,
        );
      }
      return report(rounds, outcomes, slow, ends);
    } finally {
      await product.clear();
    }
  },
};

function report(rounds: number, outcomes: Outcome[], slow: string[], ends: End[]) {
  const broken = outcomes.filter(({ kind }) => kind === 'broken');
  const failed = outcomes.filter((outcome) => outcome.kind === 'answered' && outcome.status >= 500);
  const answered = outcomes.filter(({ kind }) => kind === 'answered').length;
  const slowest = Math.max(...ends.map(({ ms }) => ms));
  const bad = [...broken, ...failed];
  return [
    figure(
      '44 Restarts are invisible to requests in flight',
      `${answered} answered, ${broken.length} cut, ${failed.length} answered 5xx${bad[0] === undefined ? '' : ` (${inWords(bad[0])})`}`,
      bad.length === 0 && answered > rounds * perSecond,
    ),
    figure(
      '44 A slow request is answered to its end',
      `${slow.filter((status) => status === '200').length} of ${rounds}`,
      slow.every((status) => status === '200'),
    ),
    figure(
      '44 Exit 0 in 10 s',
      `${ends.filter(({ code }) => code === 0).length} of ${rounds} with 0, the slowest after ${Math.round(slowest)} ms`,
      ends.every(({ code }) => code === 0) && slowest <= exitWithinMs,
    ),
  ];
}

/** Requests at their own pace, whatever becomes of them, over connections that are kept open and over new ones. */
function startLoad(origin: string, token: string): { stop(): Promise<Outcome[]> } {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const sent: Promise<Outcome>[] = [];
  const kinds = [
    () => call(origin, getProfile, { token, agent }),
    () => call(origin, getConfig, { agent }),
    () => call(origin, editProfile, { token, agent, body: { bio: `bio ${sent.length}` } }),
    () => call(origin, getConfig),
    () => call(origin, login, { agent, body: { email, password } }),
  ];
  const state = { stopped: false };
  const started = performance.now();
  const running = (async () => {
    while (!state.stopped) {
      const kind = kinds[sent.length % kinds.length];
      if (kind !== undefined) sent.push(kind());
      await pause(Math.max(0, started + (sent.length * 1000) / perSecond - performance.now()));
    }
  })();
  return {
    async stop() {
      state.stopped = true;
      await running;
      const outcomes = await Promise.all(sent);
      agent.destroy();
      return outcomes;
    },
  };
}

/** A connection that asked once and is kept open for nothing. */
async function openIdle({ origin }: Product): Promise<Socket> {
  const { hostname, port } = new URL(origin);
  const socket = createConnection({ host: hostname, port: Number(port) });
  socket.on('error', () => undefined);
  socket.write('GET /healthz HTTP/1.1\r\nHost: prove\r\n\r\n');
  await once(socket, 'data');
  return socket;
}

/** A request whose body takes `ms` to arrive; answers its status, or why there is none. */
async function startSlowUpload(origin: string, token: string, ms: number): Promise<string> {
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
  upload.write(body.slice(0, 5));
  await pause(ms);
  upload.end(body.slice(5));
  return await ended;
}

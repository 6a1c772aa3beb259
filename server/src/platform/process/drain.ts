import type { FastifyInstance } from 'fastify';
import { setTimeout as pause } from 'node:timers/promises';

const lastCallMs = 500;
const idleCheckMs = 100;
const shortRoundMs = 0.5;

/**
 * Prepares `app` to be stopped, and answers the function that does so within `withinMs`: every request in flight is answered,
 * and with the answer its connection ends.
 * Sockets, which would hold theirs for good, are let go by `endSockets`. Fastify's own `close` waits for the keep-alive of idle connections, or cuts requests.
 */
export function prepareDrain(
  app: FastifyInstance,
  endSockets: () => Promise<void> = async () => {},
): (withinMs: number) => Promise<void> {
  let draining = false;
  app.addHook('onSend', async (_request, reply) => {
    if (draining) void reply.header('connection', 'close');
  });
  return async (withinMs) => {
    draining = true;
    const deadline = setTimeout(() => {
      app.server.closeAllConnections();
    }, withinMs);
    await endSockets();
    // Busy keep-alive connections get their last answer first: closing one between two requests could cut the second.
    if (await hasConnections(app)) await pause(Math.min(lastCallMs, withinMs));
    const idle = setInterval(() => {
      app.server.closeIdleConnections();
    }, idleCheckMs);
    await stopListening(app, withinMs / 2);
    clearInterval(idle);
    clearTimeout(deadline);
    await app.close();
  };
}

/**
 * Resolves when the last connection has ended. Whoever waits to be let in when a socket is closed is refused by the system,
 * request and all, and Node lets one in a round of its event loop. So the close waits, `withinMs` at most, for a round in which
 * nobody came and which was so short that hardly anybody can have come since.
 */
async function stopListening(app: FastifyInstance, withinMs: number): Promise<void> {
  const giveUpAt = performance.now() + withinMs;
  let isQuiet = false;
  app.server.on('connection', () => (isQuiet = false));
  await endOfRound();
  for (let from = performance.now(); !isQuiet && from < giveUpAt; from = performance.now()) {
    isQuiet = true;
    await endOfRound();
    isQuiet &&= performance.now() - from <= shortRoundMs;
  }
  await new Promise((resolve) => app.server.close(resolve));
}

const endOfRound = () => new Promise((resolve) => setImmediate(resolve));

async function hasConnections(app: FastifyInstance): Promise<boolean> {
  return await new Promise((resolve) => {
    app.server.getConnections((_error, count) => {
      resolve(count > 0);
    });
  });
}

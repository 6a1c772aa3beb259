import type { FastifyInstance } from 'fastify';
import { setTimeout as pause } from 'node:timers/promises';

const lastCallMs = 500;
const idleCheckMs = 100;

/**
 * Prepares `app` to be stopped, and answers the function that does so within `withinMs`: every request in flight is answered,
 * and with the answer its connection ends. Fastify's own `close` waits for the keep-alive of idle connections, or cuts requests.
 */
export function prepareDrain(app: FastifyInstance): (withinMs: number) => Promise<void> {
  let draining = false;
  app.addHook('onSend', async (_request, reply) => {
    if (draining) void reply.header('connection', 'close');
  });
  return async (withinMs) => {
    draining = true;
    const deadline = setTimeout(() => {
      app.server.closeAllConnections();
    }, withinMs);
    // Busy keep-alive connections get their last answer first: closing one between two requests could cut the second.
    if (await hasConnections(app)) await pause(Math.min(lastCallMs, withinMs));
    const idle = setInterval(() => {
      app.server.closeIdleConnections();
    }, idleCheckMs);
    await stopListening(app);
    clearInterval(idle);
    clearTimeout(deadline);
    await app.close();
  };
}

/**
 * Resolves when the last connection has ended. Called right after Node has taken what waits at the socket (the phase before
 * `setImmediate`), since what arrives between that and the close is refused by the system, request and all.
 */
async function stopListening(app: FastifyInstance): Promise<void> {
  await new Promise((resolve) => {
    setImmediate(() => app.server.close(resolve));
  });
}

async function hasConnections(app: FastifyInstance): Promise<boolean> {
  return await new Promise((resolve) => {
    app.server.getConnections((_error, count) => {
      resolve(count > 0);
    });
  });
}

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
    try {
      await app.close();
    } finally {
      clearInterval(idle);
      clearTimeout(deadline);
    }
  };
}

async function hasConnections(app: FastifyInstance): Promise<boolean> {
  return await new Promise((resolve) => {
    app.server.getConnections((_error, count) => {
      resolve(count > 0);
    });
  });
}

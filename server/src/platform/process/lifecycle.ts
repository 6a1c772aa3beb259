import type { FastifyInstance } from 'fastify';
import { createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/** A reason why the server cannot start, as one sentence for the person at the terminal; no stack trace is shown. */
export class StartError extends Error {
  override name = 'StartError';
}

/** PostgreSQL's and the system's codes for a full disk. */
const diskFullCodes = ['53100', 'ENOSPC'];

/** Prints why the start failed. */
export function explainFailure(error: unknown): void {
  process.stderr.write(`Heartwood cannot start. ${whyFailed(error)}\n`);
}

/** Why a start failed: one sentence for expected problems, a stack trace for others. */
export function whyFailed(error: unknown): string | undefined {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof StartError) return error.message;
  if ('code' in error && diskFullCodes.includes(String(error.code)))
    return `The disk is full (${error.message}). Make room, then start again.`;
  return error.stack;
}

/** Undoes one step of the start, within about `remainingMs`. */
type Undo = (remainingMs: number) => Promise<unknown>;

export interface Lifecycle {
  /** Registers how to undo a completed step; the last step is undone first. */
  onStop(undo: Undo): void;
  /**
   * Undoes everything once; later calls wait for the first. Returns the errors, and never takes longer than `withinMs`.
   */
  stop(): Promise<unknown[]>;
  /** Whether `stop` was called. */
  isStopping(): boolean;
}

/** Starts and stops a process in order. */
export function createLifecycle(withinMs: number): Lifecycle {
  const undos: Undo[] = [];
  let stopped: Promise<unknown[]> | null = null;

  async function undoAll(): Promise<unknown[]> {
    const deadline = performance.now() + withinMs;
    const problems: unknown[] = [];
    for (let undo = undos.pop(); undo !== undefined; undo = undos.pop()) {
      const remainingMs = Math.max(deadline - performance.now(), 0);
      const late = pause(remainingMs, new Error('a shutdown step took too long'), { ref: false });
      const problem = await Promise.race([
        undo(remainingMs).then(
          () => null,
          (error: unknown) => error,
        ),
        late,
      ]);
      if (problem !== null) problems.push(problem);
    }
    return problems;
  }

  return {
    onStop: (undo) => undos.push(undo),
    stop: () => (stopped ??= undoAll()),
    isStopping: () => stopped !== null,
  };
}

interface Address {
  host: string;
  port: number;
}

/** Throws a `StartError` for an address that can't be listened on, before any slow step starts. */
export async function checkAddress({ host, port }: Address): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const probe = createServer();
    probe.once('error', (error) => {
      reject(inWords(error, { host, port }));
    });
    probe.listen({ host, port }, () => {
      probe.close(() => {
        resolve();
      });
    });
  });
}

/** Makes `app` listen on the address; throws like `checkAddress`. */
export async function listen(app: FastifyInstance, address: Address): Promise<void> {
  try {
    await app.listen({ host: address.host, port: address.port });
  } catch (error) {
    throw inWords(error as Error, address);
  }
}

function inWords(error: NodeJS.ErrnoException, { host, port }: Address): Error {
  const { code } = error;
  if (code === 'EADDRINUSE')
    return new StartError(
      `Port ${port} on ${host} is already in use. Stop the program that uses it, or set PORT to a free port.`,
    );
  if (code === 'EACCES')
    return new StartError(`This user may not listen on port ${port} of ${host}. Set PORT to a number above 1023.`);
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return new StartError(`HOST ${host} is not an address of this machine.`);
  return error;
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Whether the app has started to stop; from then on, `/healthz` and `/readyz` answer 503. */
    isDraining?: boolean;
  }
}

const lastCallMs = 500;
const idleCheckMs = 100;
const shortRoundMs = 0.5;
const quietMs = 20;
const heldMaxMs = 1000;

/**
 * Prepares `app` for stopping; returns the function that stops it within `withinMs`: every request in progress is
 * answered, and its connection closes after the answer. `endSockets` closes sockets, which would otherwise stay open.
 * Fastify's own `close` waits for idle keep-alive connections, or interrupts requests.
 */
export function prepareDrain(
  app: FastifyInstance,
  endSockets: () => Promise<void> = async () => {},
): (withinMs: number) => Promise<void> {
  const listening = Promise.withResolvers<void>();
  let holdsAnswers = false;
  app.addHook('onSend', async (_request, reply) => {
    if (app.isDraining === true) void reply.header('connection', 'close');
    if (holdsAnswers) await listening.promise;
  });
  return async (withinMs) => {
    app.isDraining = true;
    const deadline = setTimeout(() => {
      app.server.closeAllConnections();
    }, withinMs);
    await endSockets();
    // Busy keep-alive connections get their last answer first: closing one between two requests could interrupt the
    // second.
    if (await hasConnections(app)) await pause(Math.min(lastCallMs, withinMs));
    const idle = setInterval(() => {
      app.server.closeIdleConnections();
    }, idleCheckMs);
    // Clients that wait for an answer open no new connections, so the accept queue empties.
    holdsAnswers = true;
    await emptyQueue(app, Math.min(withinMs / 2, heldMaxMs));
    const closed = new Promise((resolve) => app.server.close(resolve));
    holdsAnswers = false;
    listening.resolve();
    await closed;
    clearInterval(idle);
    clearTimeout(deadline);
    await app.close();
  };
}

/**
 * Resolves when hardly any connection can be waiting to be accepted, or after `withinMs`. Connections that wait when
 * the server socket closes are reset by the system. Node accepts one per round of its event loop, so none was waiting
 * if a round accepted none, and a short round leaves no time for another.
 */
async function emptyQueue(app: FastifyInstance, withinMs: number): Promise<void> {
  const giveUpAt = performance.now() + withinMs;
  let quietSince = performance.now();
  app.server.on('connection', () => (quietSince = performance.now()));
  for (let from = performance.now(), roundMs = Infinity; from < giveUpAt;) {
    if (from - quietSince >= quietMs && roundMs <= shortRoundMs) return;
    await endOfRound();
    roundMs = performance.now() - from;
    from += roundMs;
  }
}

const endOfRound = () => new Promise((resolve) => setImmediate(resolve));

async function hasConnections(app: FastifyInstance): Promise<boolean> {
  return await new Promise((resolve) => {
    app.server.getConnections((_error, count) => {
      resolve(count > 0);
    });
  });
}

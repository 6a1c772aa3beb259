import { AsyncLocalStorage } from 'node:async_hooks';
import pino, { type DestinationStream, type Logger } from 'pino';

// Requests are logged by route, never by URL, because URLs contain search terms and link tokens.
const serializers = {
  req: (request: { id: string; method: string; routeOptions?: { url?: string } }) => ({
    id: request.id,
    method: request.method,
    route: request.routeOptions?.url ?? 'unknown',
  }),
  res: (reply: { statusCode: number }) => ({ status: reply.statusCode }),
  err: (error: Error & { code?: string }) => ({
    type: error.name,
    code: error.code,
    at: framesOf(error),
  }),
};

/** Deep enough to include our function that made the query, below the database driver's. */
Error.stackTraceLimit = 40;

/**
 * Where an error happened, in our own functions if possible. The message is left out because it may quote a member's
 * text.
 */
function framesOf(error: Error): string[] {
  const frames = (error.stack ?? '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line.startsWith('at '));
  const ours = frames.filter((frame) => !/node_modules|node:/.test(frame));
  return (ours.length > 0 ? ours : frames).slice(0, 8);
}

/** Writes structured JSON lines to standard output (or `destination`), without secrets, addresses or members' texts. */
export function createLog(level: string, destination?: DestinationStream): Logger {
  const options = { level, serializers, base: null, timestamp: pino.stdTimeFunctions.isoTime };
  return destination === undefined ? pino(options) : pino(options, destination);
}

/** The account a request acts for, as the log names it. */
export interface Acting {
  /** The caller's; for a call without a session, the account it turned out to concern. */
  accountId: string | null;
  signedIn: boolean;
}

const current = new AsyncLocalStorage<Acting>();

/** Runs `work`, such as a request without a session, so that `noteAccount` within it fills `acting`. */
export const actingAs = <T>(acting: Acting, work: () => T): T => current.run(acting, work);

/** Records the account a running request concerns. A caller is kept, and outside requests it does nothing. */
export function noteAccount(accountId: string, { signedIn = false } = {}): void {
  const acting = current.getStore();
  if (acting === undefined) return;
  acting.accountId ??= accountId;
  acting.signedIn ||= signedIn;
}

import pino, { type DestinationStream, type Logger } from 'pino';

// A request is logged by its route, never by its address: search terms and link tokens stand in addresses.
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

/** Deep enough to reach from the database driver to the function of ours that asked. */
Error.stackTraceLimit = 40;

/** Where an error happened, our own functions if it passed any. Its message stays out: it may quote what a member wrote. */
function framesOf(error: Error): string[] {
  const frames = (error.stack ?? '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line.startsWith('at '));
  const ours = frames.filter((frame) => !/node_modules|node:/.test(frame));
  return (ours.length > 0 ? ours : frames).slice(0, 8);
}

/** Structured JSON lines on standard output (or `destination`) that hold no secret, address or text of a member. */
export function createLog(level: string, destination?: DestinationStream): Logger {
  const options = { level, serializers, base: null, timestamp: pino.stdTimeFunctions.isoTime };
  return destination === undefined ? pino(options) : pino(options, destination);
}

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
    // The frames say where; a message may quote what a member wrote.
    at: error.stack?.split('\n').filter((line) => line.trim().startsWith('at ')).slice(0, 8).map((line) => line.trim()),
  }),
};

/** Structured JSON lines on standard output (or `destination`) that hold no secret, address or text of a member. */
export function createLog(level: string, destination?: DestinationStream): Logger {
  const options = { level, serializers, base: null, timestamp: pino.stdTimeFunctions.isoTime };
  return destination === undefined ? pino(options) : pino(options, destination);
}

import type { FastifyBaseLogger } from 'fastify';
import type pg from 'pg';
import type { Namespace } from 'socket.io';
import { ClusterAdapter, type ClusterMessage, type ClusterResponse } from 'socket.io-adapter';

/** As in the last release, which used `@socket.io/postgres-adapter`: processes of both run during an upgrade. */
export const eventChannel = 'socket.io#/';
/** PostgreSQL refuses longer payloads. */
const payloadMaxBytes = 7999;
/** In UTF-16 units: each takes at most three bytes in JSON. */
const partLength = 2500;

/** What processes send each other: a message, or a part of one that is too long for a notification. */
type Sent = ClusterMessage | ClusterResponse | Part;
interface Part {
  uid: string;
  number: number;
  part: string;
  index: number;
  count: number;
}

/** An adapter that reaches the sockets of other processes through notifications of the database. */
export function createPgAdapter(pool: pg.Pool, log: FastifyBaseLogger) {
  const { send, allSent } = eventSender(pool, log);
  const join = partJoiner();
  /** One for each namespace, of which there is one. */
  const adapters: PgAdapter[] = [];

  class PgAdapter extends ClusterAdapter {
    constructor(namespace: Namespace) {
      super(namespace);
      adapters.push(this);
    }
    protected override async doPublish(message: ClusterMessage): Promise<string> {
      send(message);
      return '';
    }
    protected override async doPublishResponse(_uid: string, response: ClusterResponse): Promise<void> {
      send(response);
    }
    receive(message: ClusterMessage): void {
      this.onMessage(message);
    }
  }

  return {
    adapter: PgAdapter,
    /** For each notification of `eventChannel`. */
    receive(sent: Sent): void {
      const message = join(sent);
      if (message !== null) for (const adapter of adapters) adapter.receive(message);
    },
    /** Resolves when nothing waits to be sent. */
    allSent,
  };
}

/**
 * Sends messages one statement at a time, those that wait meanwhile together, so that they arrive in their order. What the database does
 * not accept is dropped: events are hints.
 */
function eventSender(pool: pg.Pool, log: FastifyBaseLogger) {
  let waiting: string[] = [];
  let count = 0;
  let sending: Promise<void> | null = null;

  async function sendWaiting(): Promise<void> {
    while (waiting.length > 0) {
      const payloads = waiting;
      waiting = [];
      await pool
        .query('select pg_notify($1, payload) from unnest($2::text[]) as payload', [eventChannel, payloads])
        .catch((error: unknown) => log.warn({ err: error }, 'events could not be sent to other processes'));
    }
    sending = null;
  }

  return {
    send(message: ClusterMessage | ClusterResponse): void {
      // The number makes each payload different: PostgreSQL sends equal ones of a transaction once.
      waiting.push(...payloadsOf({ ...message, number: ++count }));
      sending ??= sendWaiting();
    },
    allSent: async () => await sending,
  };
}

/** The payloads of a message. All are sent in one statement, so none comes without the others. */
function payloadsOf(message: { uid: string; number: number }): string[] {
  const text = JSON.stringify(message);
  if (Buffer.byteLength(text) <= payloadMaxBytes) return [text];
  const { uid, number } = message;
  const count = Math.ceil(text.length / partLength);
  return Array.from({ length: count }, (_, index) => {
    const part = text.slice(index * partLength, (index + 1) * partLength);
    return JSON.stringify({ uid, number, part, index, count } satisfies Part);
  });
}

/** Joins the parts of each process; null until the last has come. */
function partJoiner(): (sent: Sent) => ClusterMessage | null {
  const texts = new Map<string, string>();
  return (sent) => {
    if (!('part' in sent)) return sent as ClusterMessage;
    const { uid, part, index, count } = sent;
    // The connection may have broken before the last part of an earlier message.
    const text = index === 0 ? part : (texts.get(uid) ?? '') + part;
    texts.set(uid, text);
    if (index < count - 1) return null;
    texts.delete(uid);
    return JSON.parse(text) as ClusterMessage;
  };
}

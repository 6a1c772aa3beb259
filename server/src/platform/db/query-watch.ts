import { AsyncLocalStorage } from 'node:async_hooks';
import type pg from 'pg';

const lookEveryMs = 500;
/** What is logged here belongs to no request. */
const outsideRequests = AsyncLocalStorage.snapshot();

/** Hears when the queries of a connection begin and end. */
export interface QueryWatch {
  begin(client: pg.PoolClient): void;
  end(client: pg.PoolClient): void;
}

/**
 * Closes connections that did not answer within `giveUpMs`, because they may hang forever: the next user of one would wait behind that
 * query, as would the rollback of its transaction. One timer looks after all of them. The driver's `query_timeout` sets a timer for each
 * query, with which results survive minor garbage collections.
 */
export function watchAnswers(giveUpMs: number, onError: (error: Error) => void): QueryWatch {
  /** How many queries a connection has not answered, and when it was asked or last answered. */
  const asked = new Map<pg.PoolClient, { count: number; since: number }>();
  let timer: NodeJS.Timeout | undefined;

  function look(): void {
    for (const [client, { since }] of asked) {
      if (performance.now() - since < giveUpMs) continue;
      asked.delete(client);
      onError(new Error(`a query was not answered within ${giveUpMs} ms`));
      void client.end();
      // Between an error and the end of its query, the driver would wait for the other side.
      client.connection.stream.destroy();
    }
    if (asked.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  }
  return {
    begin(client) {
      const known = asked.get(client);
      if (known === undefined) asked.set(client, { count: 1, since: performance.now() });
      else known.count += 1;
      timer ??= outsideRequests(() => setInterval(look, Math.min(giveUpMs / 4, lookEveryMs)).unref());
    },
    end(client) {
      const known = asked.get(client);
      if (known === undefined) return;
      if (known.count === 1) asked.delete(client);
      else {
        known.count -= 1;
        known.since = performance.now();
      }
    },
  };
}

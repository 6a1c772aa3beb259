import type pg from 'pg';

/** How much later than agreed a hanging connection may be noticed. */
const longestLookMs = 500;

/** Hears when the queries of a connection begin and end. */
export interface QueryWatch {
  begin(client: pg.PoolClient): void;
  end(client: pg.PoolClient): void;
}

/**
 * Closes connections that did not answer within `giveUpMs`, because they may hang forever: the next user of one would wait behind that
 * query, as would the rollback of its transaction. One timer for all of them: with the driver's `query_timeout`, one for each query, what
 * queries returned would outlive the garbage collector's quick passes.
 */
export function watchAnswers(giveUpMs: number, onError: (error: Error) => void): QueryWatch {
  /** How many queries of a connection are not answered, and since when. */
  const asked = new Map<pg.PoolClient, { count: number; since: number }>();
  let timer: NodeJS.Timeout | undefined;

  function look(): void {
    for (const [client, { since }] of asked) {
      if (performance.now() - since < giveUpMs) continue;
      asked.delete(client);
      onError(new Error(`a query was not answered within ${giveUpMs} ms`));
      void client.end();
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
      timer ??= setInterval(look, Math.min(giveUpMs / 4, longestLookMs)).unref();
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

import pg from 'pg';
import { startStatementSpan } from '../process/tracing.ts';
import { isStalePlan, type PreparedStatements } from './prepared.ts';

interface ClientOptions {
  /** When to close a connection that doesn't answer; its statement then fails with "Connection terminated". */
  giveUpMs: number;
  onError: (error: Error) => void;
  /** Called for slow statements with their `statementName`. */
  onSlow?: ((statement: string, ms: number) => void) | undefined;
  slowMs: number;
  /** Null if no statement is prepared. */
  prepared: PreparedStatements | null;
}

type Callback = (error: Error | undefined, result: pg.QueryResult) => void;

/**
 * The class of a pool's connections: they prepare statements, report slow ones, and close if a statement isn't
 * answered. A hanging connection may never recover, and its next statement, even a rollback, would wait behind the one
 * before it.
 */
export function clientClass({ giveUpMs, onError, onSlow, slowMs, prepared }: ClientOptions): typeof pg.Client {
  return class extends pg.Client {
    // The driver declares an overload for each kind of argument, which this signature covers.
    override query(...args: never[]): never {
      const [statement, values, callback] = args as unknown[] as [
        unknown,
        unknown[] | Callback | undefined,
        Callback | undefined,
      ];
      // COPY takes as long as its source.
      if (isSubmittable(statement)) return super.query(statement) as never;
      // The pool's own `query` passes a callback.
      const done = callback ?? (typeof values === 'function' ? values : undefined);
      const answer = this.#ask(statement as string | pg.QueryConfig, Array.isArray(values) ? values : undefined);
      if (done === undefined) return answer as never;
      return answer.then(
        (result) => done(undefined, result),
        (error: Error) => done(error, undefined as unknown as pg.QueryResult),
      ) as never;
    }

    async #ask(statement: string | pg.QueryConfig, values: unknown[] | undefined): Promise<pg.QueryResult> {
      const text = typeof statement === 'string' ? statement : statement.text;
      const ask = (config: pg.QueryConfig) => this.#watched(text, () => this.#send(config));
      if (typeof statement !== 'string') return await ask(statement);
      if (values === undefined) return await ask({ text });
      const name = prepared?.nameFor(text, values);
      if (name === undefined) return await ask({ text, values });
      try {
        return await ask({ name, text, values });
      } catch (error) {
        if (!isStalePlan(error)) throw error;
        prepared?.stop(text);
        // Inside a transaction, which has failed, `inTransaction` runs the work again.
        if (this.getTransactionStatus() !== 'I') throw error;
        return await ask({ text, values });
      }
    }

    async #watched(text: string, ask: () => Promise<pg.QueryResult>): Promise<pg.QueryResult> {
      const from = performance.now();
      const span = startStatementSpan(() => statementName(text));
      const giveUp = setTimeout(() => this.#giveUp(), giveUpMs);
      let hasFailed = true;
      try {
        const result = await ask();
        hasFailed = false;
        return result;
      } finally {
        clearTimeout(giveUp);
        span?.end(hasFailed);
        const ms = performance.now() - from;
        if (ms > slowMs) onSlow?.(statementName(text), Math.round(ms));
      }
    }

    // Queries with the driver's own promise would survive minor garbage collections.
    #send(config: pg.QueryConfig): Promise<pg.QueryResult> {
      return new Promise((resolve, reject) => {
        super.query(config, (error: Error | null, result: pg.QueryResult) => {
          if (error === null) resolve(result);
          else reject(error);
        });
      });
    }

    #giveUp(): void {
      onError(new Error(`a query was not answered within ${giveUpMs} ms`));
      void this.end();
      // Between an error and the end of its query, the driver would wait for the server.
      this.connection.stream.destroy();
    }
  };
}

const isSubmittable = (statement: unknown): statement is pg.Submittable =>
  typeof (statement as { submit?: unknown } | null)?.submit === 'function';

const namedTables = 4;

/** What a statement does to which tables, such as `select account, session`. It never contains values from the text. */
export function statementName(text: string): string {
  const plain = text.replaceAll(/\/\*[^*]*\*\//g, '').trimStart();
  const [verb = ''] = /^[a-z]+/i.exec(plain) ?? [];
  const tables = [...plain.matchAll(/\b(?:from|join|into|update)\s{1,20}"?([a-z]\w{0,62})/gi)].map(([, name]) => name);
  return `${verb.toLowerCase()} ${[...new Set(tables)].slice(0, namedTables).join(', ')}`.trim();
}

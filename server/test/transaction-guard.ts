import { AsyncLocalStorage } from 'node:async_hooks';
import fs from 'node:fs/promises';
import http from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import { Socket } from 'node:net';
import { DefaultQueryExecutor, TransactionBuilder } from 'kysely';
import pg from 'pg';

/**
 * The running transaction, its unanswered statements, and whether it is over. Work that it started without waiting may
 * continue.
 */
const transactions = new AsyncLocalStorage<{ isOver: boolean; asked: number }>();
let found: Error[] = [];

type AnyFunction = (this: unknown, ...args: unknown[]) => unknown;

/** Replaces a function by one that records calls inside a transaction. */
function watch(owner: object, name: string, what: string): void {
  const real = Reflect.get(owner, name) as AnyFunction;
  Reflect.set(owner, name, function (this: unknown, ...args: unknown[]) {
    noteOutsideCall(what);
    return real.apply(this, args);
  });
}

/** Records a call that leaves the process, if it is made inside a transaction. */
export function noteOutsideCall(what: string): void {
  if (transactions.getStore()?.isOver === false) found.push(new Error(`${what} inside a transaction`));
}

/** The forbidden calls that transactions have made since the last check. */
export function takeOffences(): Error[] {
  const taken = found;
  found = [];
  return taken;
}

/**
 * Runs work that does not belong to the surrounding transaction, such as a request in a test that holds a lock
 * meanwhile.
 */
export const outsideTransactions = <T>(work: () => T): T => transactions.exit(work);

// From now on, this process records all files, connections and requests that are opened inside a transaction.
const execute = TransactionBuilder.prototype.execute as (work: (tx: never) => Promise<unknown>) => Promise<unknown>;
Reflect.set(TransactionBuilder.prototype, 'execute', function (this: unknown, work: (tx: never) => Promise<unknown>) {
  const transaction = { isOver: false, asked: 0 };
  return execute.call(this, (tx) =>
    transactions.run(transaction, () => work(tx).finally(() => (transaction.isOver = true))),
  );
});
// If one of several parallel statements fails, Kysely sends the ones after it following the rollback.
const ask = DefaultQueryExecutor.prototype.executeQuery as AnyFunction;
Reflect.set(DefaultQueryExecutor.prototype, 'executeQuery', async function (this: unknown, ...args: unknown[]) {
  const transaction = transactions.getStore();
  if (transaction === undefined || transaction.isOver) return await ask.apply(this, args);
  if (transaction.asked > 0) found.push(new Error('two statements at once inside a transaction'));
  transaction.asked += 1;
  try {
    return await ask.apply(this, args);
  } finally {
    transaction.asked -= 1;
  }
});
// The database's own connections may be opened at any time.
const connect = Reflect.get(pg.Client.prototype, 'connect') as AnyFunction;
Reflect.set(pg.Client.prototype, 'connect', function (this: unknown, ...args: unknown[]) {
  return outsideTransactions(() => connect.apply(this, args));
});
watch(globalThis, 'fetch', 'fetch');
watch(Socket.prototype, 'connect', 'a connection');
// Every HTTP and HTTPS request takes its connection, which may be open already, from an agent.
watch(http.Agent.prototype, 'addRequest', 'a request');
for (const [name, value] of Object.entries(fs)) if (typeof value === 'function') watch(fs, name, `fs.${name}`);
syncBuiltinESMExports();

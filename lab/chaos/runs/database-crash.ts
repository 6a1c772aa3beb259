import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { cutConnections } from '../superuser.ts';
import { isClean, verdictInWords } from '../ledger.ts';
import { mailsWithinMs, unsentMails } from '../mails.ts';
import { signalAll } from '../processes.ts';
import { createProduct, makeAdministrator, type Product } from '../product.ts';
import { figure, type Figure, type Proof, type Stage } from '../proof.ts';
import { startWorkload, type Workload } from '../workload.ts';

const errorsStopWithinMs = 5000;
const cutEveryMs = 2000;
const quietMs = 7000;

/** Kills the database of the running server and cuts all of the server's connections. */
export const databaseCrash: Proof = {
  name: 'database-crash',
  about: 'kill -9 of the whole database, and cutting all its connections, under writing',
  async run(stage) {
    const product = await createProduct(stage.folder);
    try {
      await product.start();
      await makeAdministrator(product);
      const pid = product.pid();
      const workload = await startWorkload(product, join(stage.folder, 'ledger.jsonl'));
      const afterKills = await killDatabase(product, workload, stage);
      const afterCuts = await cutForLong(product, workload, stage);
      await workload.stop();
      await product.untilReady();
      const unsent = await unsentMails(product);
      const verdict = await workload.check();
      return [
        figure('41 A database crash loses nothing', verdictInWords(verdict), isClean(verdict)),
        figure(
          '41 A keyed retry after a database crash gets its answer',
          verdict.contradictions.slice(0, 3).join('; ') || '0 refused',
          verdict.contradictions.length === 0,
        ),
        figure(
          '41 The server outlives its database',
          product.isUp() && product.pid() === pid ? `the same process ${pid} throughout` : 'the process ended',
          product.isUp() && product.pid() === pid,
        ),
        ...errorsStop('a kill', afterKills),
        ...errorsStop('cut connections', [afterCuts]),
        figure('41 Every mail is still sent', `${unsent} left after ${mailsWithinMs / 1000} s`, unsent === 0),
      ];
    } finally {
      await product.clear();
    }
  },
};

function errorsStop(what: string, afterMs: number[]): Figure[] {
  const longest = Math.max(...afterMs);
  return [
    figure(
      `41 Errors stop 5 s after the database is back from ${what}`,
      `last one ${Math.round(longest)} ms after, at the worst of ${afterMs.length}`,
      longest <= errorsStopWithinMs,
    ),
  ];
}

/** Kills postmaster and children round by round; returns how long errors continued after each recovery. */
async function killDatabase(product: Product, workload: Workload, { short, random, say }: Stage): Promise<number[]> {
  const after: number[] = [];
  const rounds = short ? 2 : 10;
  for (let round = 1; round <= rounds; round += 1) {
    await pause(random.between(1000, 5000));
    const killedAt = performance.now();
    signalAll(product.database(), 'SIGKILL');
    await untilAnswering(product.databaseUrl());
    const backAt = performance.now();
    await pause(quietMs);
    after.push(lastErrorAfter(workload, backAt));
    say(
      `round ${round}: back after ${Math.round(backAt - killedAt)} ms, last error ${Math.round(after.at(-1) ?? 0)} ms later`,
    );
  }
  return after;
}

/** Cuts every connection to the database every two seconds for a minute. */
async function cutForLong(product: Product, workload: Workload, { short, say }: Stage): Promise<number> {
  let cut = 0;
  for (let round = 0; round < (short ? 5 : 30); round += 1) {
    await pause(cutEveryMs);
    cut += await cutConnections(product);
  }
  const endedAt = performance.now();
  await pause(quietMs);
  const lastMs = lastErrorAfter(workload, endedAt);
  say(`${cut} connections cut, last error ${Math.round(lastMs)} ms after the last cut`);
  return lastMs;
}

/** Waits until the database accepts direct connections again. */
async function untilAnswering(url: string): Promise<void> {
  for (;;) {
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 1000 });
    client.on('error', () => undefined);
    try {
      await client.connect();
      await client.query('select 1');
      await client.end();
      return;
    } catch {
      await pause(20);
    }
  }
}

/** How long after `moment` the last unexpected failure happened; 0 if there was none. */
function lastErrorAfter({ answers }: Workload, moment: number): number {
  const errors = answers.filter(({ outcome }) => outcome.kind !== 'answered' || outcome.status >= 500);
  return Math.max(0, ...errors.map(({ at }) => at - moment));
}

import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { startEmbeddedDatabase } from '../../../launcher/embedded-database/embedded-database.ts';
import { createLog } from '../../../server/src/platform/process/log.ts';
import { isClean, verdictInWords } from '../ledger.ts';
import { residentMegabytes, signalAll } from '../processes.ts';
import { startProbes, type Probes } from '../probes.ts';
import { createProduct, makeAdministrator, type Product } from '../product.ts';
import { figure, type Figure, type Proof, type Stage } from '../proof.ts';
import { startSlowProxy } from '../slow-proxy.ts';
import { startWorkload } from '../workload.ts';

const answerWithinMs = 10_000;
const growthMaxMegabytes = 200;
const slowestMs = 5000;
const fastestMs = 200;

/** Stops the database without ending it, and makes it slow. */
export const hungDatabase: Proof = {
  name: 'hung-database',
  about: 'a database that hangs for 30 s, and one that takes 200 to 5,000 ms for each answer',
  async run(stage) {
    return [...(await hang(stage)), ...(await slow(stage))];
  },
};

async function hang(stage: Stage): Promise<Figure[]> {
  const product = await createProduct(join(stage.folder, 'hung'));
  try {
    await product.start();
    await makeAdministrator(product);
    const workload = await startWorkload(product, join(stage.folder, 'ledger.jsonl'));
    const probes = startProbes(product.origin);
    await pause(3000);
    const memory = residentMegabytes(product.pid());
    const stopped = product.database();
    signalAll(stopped, 'SIGSTOP');
    const hungAt = performance.now();
    stage.say(`${stopped.length} processes of the database stopped`);
    await pause(stage.short ? 15_000 : 30_000);
    const growth = residentMegabytes(product.pid()) - memory;
    const onAt = performance.now();
    signalAll(product.database(), 'SIGCONT');
    await pause(15_000);
    await Promise.all([probes.stop(), workload.stop()]);
    const backMs = await product.untilReady();
    const verdict = await workload.check();
    return [
      ...duringTrouble('F4, hung', probes, { from: hungAt, to: onAt }, growth),
      readiness(probes, hungAt, onAt),
      figure('42 Nothing is lost', verdictInWords(verdict), isClean(verdict)),
      figure(
        '42 It recovers by itself',
        `ready ${Math.round(backMs)} ms after, ${probes.failuresAfter(onAt + 10_000)} of the calls later than 10 s after it failed`,
        probes.failuresAfter(onAt + 10_000) === 0,
      ),
    ];
  } finally {
    signalAll(product.database(), 'SIGCONT');
    await product.clear();
  }
}

async function slow(stage: Stage): Promise<Figure[]> {
  const folder = join(stage.folder, 'slow');
  const database = await startEmbeddedDatabase({ dataDir: join(folder, 'database'), log: createLog('silent') });
  const url = new URL(database.url);
  const proxy = await startSlowProxy(join(url.searchParams.get('host') ?? '', '.s.PGSQL.5432'));
  url.search = '';
  url.hostname = '127.0.0.1';
  url.port = String(proxy.port);
  const product: Product = await createProduct(folder, { DATABASE_URL: url.href });
  try {
    await product.start();
    const probes = startProbes(product.origin);
    await pause(3000);
    const memory = residentMegabytes(product.pid());
    const slowAt = performance.now();
    proxy.slowDown(() => stage.random.between(fastestMs, slowestMs));
    stage.say('the database is slow');
    await pause(stage.short ? 15_000 : 60_000);
    const growth = residentMegabytes(product.pid()) - memory;
    const fastAt = performance.now();
    proxy.slowDown(() => 0);
    await pause(15_000);
    await probes.stop();
    return [
      ...duringTrouble('F5, slow', probes, { from: slowAt, to: fastAt }, growth),
      figure(
        '42 A slow database has no effect once it is fast again',
        `${probes.failuresAfter(fastAt + 10_000)} of the calls later than 10 s after it failed`,
        probes.failuresAfter(fastAt + 10_000) === 0,
      ),
    ];
  } finally {
    await product.clear();
    proxy.close();
    await database.stop();
  }
}

function duringTrouble(
  what: string,
  probes: Probes,
  { from, to }: Record<'from' | 'to', number>,
  growthMegabytes: number,
): Figure[] {
  const { asked, slowestMs: slowest, slowestPath, unanswered, statuses } = probes.between(from, to);
  const alive = probes.between(from, to, '/healthz');
  return [
    figure(
      `42 Every answer within 10 s (${what})`,
      `${asked} asked, ${unanswered} without an answer, slowest ${Math.round(slowest)} ms (${slowestPath}); ${statuses}`,
      asked > 0 && unanswered === 0 && slowest <= answerWithinMs,
    ),
    figure(`42 Liveness stays 200 (${what})`, alive.statuses, alive.statuses === `${alive.asked} × 200`),
    figure(
      `42 Memory does not pile up (${what})`,
      `${growthMegabytes >= 0 ? '+' : ''}${Math.round(growthMegabytes)} MB`,
      growthMegabytes < growthMaxMegabytes,
    ),
  ];
}

/** A load balancer must soon learn that the server is not ready. */
function readiness(probes: Probes, from: number, to: number): Figure {
  // Requests sent shortly before the end may be answered after it.
  const readyProbes = probes.between(from, to - answerWithinMs, '/readyz');
  return figure(
    '42 Readiness turns 503 within 10 s',
    `${readyProbes.statuses}, slowest ${Math.round(readyProbes.slowestMs)} ms`,
    readyProbes.statuses === `${readyProbes.asked} × 503` && readyProbes.slowestMs <= answerWithinMs,
  );
}

import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { register } from '#contract/auth/auth.ts';
import { getProfile, listUsers } from '#contract/profiles/profiles.ts';
import { call, type Outcome } from '../http.ts';
import { isClean, verdictInWords } from '../ledger.ts';
import { administratorToken, createProduct, makeAdministrator, type Product } from '../product.ts';
import { figure, notRun, type Figure, type Proof, type Stage } from '../proof.ts';
import { asSuperuser } from '../superuser.ts';
import { mountSmallDisk, type SmallDisk } from '../small-disk.ts';
import { startWorkload } from '../workload.ts';

const promise = '43 A full disk is survived';
const backWithinMs = 30_000;
const leastReadShare = 0.99;
const readEveryMs = 50;

/** Fills the disk that holds the tables, and the one that holds the whole database, while clients write and read. */
export const fullDisk: Proof = {
  name: 'full-disk',
  about: 'no space left for the tables, and none for the whole database, while clients write and read',
  async run(stage) {
    return [...(await tablesOnly(stage)), ...(await everything(stage))];
  },
};

const noDisk = () => [notRun(promise, 'needs a small disk to fill: run this as root, where tmpfs can be mounted')];

/** The database's log has room, its tables have none: the database must refuse writes and can still read. */
async function tablesOnly(stage: Stage): Promise<Figure[]> {
  const folder = join(stage.folder, 'tables');
  const product = await createProduct(folder);
  let disk: SmallDisk | null = null;
  try {
    await product.start();
    const place = join(folder, 'small');
    disk = await mountSmallDisk(place, { megabytes: 128, mode: '0700', like: join(product.dataDir, 'postgres/data') });
    if (disk === null) return noDisk();
    await makeAdministrator(product);
    await moveTables(product, place);
    return await fillUnder(stage, product, disk, { what: 'tables', readShare: leastReadShare });
  } finally {
    try {
      await product.clear();
    } finally {
      await disk?.remove();
    }
  }
}

/** Neither tables nor log have room: the database may stop, and must come back. */
async function everything(stage: Stage): Promise<Figure[]> {
  const folder = join(stage.folder, 'everything');
  const product = await createProduct(folder);
  const disk = await mountSmallDisk(product.dataDir, { megabytes: 512, mode: '0755', like: folder });
  if (disk === null) return noDisk();
  try {
    await product.start();
    await makeAdministrator(product);
    return await fillUnder(stage, product, disk, { what: 'whole database', readShare: 0 });
  } finally {
    try {
      await product.clear();
    } finally {
      await disk.remove();
    }
  }
}

async function moveTables(product: Product, place: string): Promise<void> {
  const client = await asSuperuser(product);
  await client.query(`create tablespace small location '${place}'`);
  await client.query('grant create on tablespace small to heartwood');
  await client.query('alter table all in tablespace pg_default set tablespace small');
  await client.query('alter index all in tablespace pg_default set tablespace small');
  await client.end();
}

/** Makes the database start new log pages, as an hour of writes would; returns whether it ran out of space. */
async function turnPages(product: Product): Promise<boolean> {
  const client = await asSuperuser(product);
  try {
    for (let page = 0; page < 40; page += 1) await client.query(`select txid_current(), pg_switch_wal()`);
    await client.end();
    return false;
  } catch {
    return true;
  }
}

async function fillUnder(
  { folder, short, say }: Stage,
  product: Product,
  disk: SmallDisk,
  { what, readShare }: { what: string; readShare: number },
): Promise<Figure[]> {
  const pid = product.pid();
  const workload = await startWorkload(product, join(folder, `ledger-${what}.jsonl`));
  const reads = startReads(product, await administratorToken(product));
  await pause(3000);
  disk.fill();
  const fullAt = performance.now();
  if (what === 'whole database') say((await turnPages(product)) ? 'the log has no space' : 'the log still has space');
  await pause(short ? 10_000 : 30_000);
  const refused = workload.answers.filter(({ at, outcome }) => at > fullAt && isRefusal(outcome)).length;
  const emptiedAt = performance.now();
  disk.empty();
  const backMs = await untilWritten(product);
  await pause(3000);
  const read = await reads.stop(fullAt, emptiedAt);
  await workload.stop();
  say(`${what}: ${refused} writes refused while full, writing again ${Math.round(backMs)} ms after`);
  const verdict = await workload.check();
  const share = read.good / read.asked;
  return [
    figure(
      `${promise} (${what})`,
      `${refused} writes refused; ${verdictInWords(verdict)}`,
      isClean(verdict) && refused > 0,
    ),
    figure(
      `43 Reading goes on (${what})`,
      `${(share * 100).toFixed(1)} % of ${read.asked} reads answered${readShare === 0 ? ', none asked for' : ''}`,
      share >= readShare && read.asked > 0,
    ),
    figure(
      `43 It recovers without a restart (${what})`,
      `written again after ${Math.round(backMs)} ms, ${product.pid() === pid && product.isUp() ? 'by the same process' : 'by another process'}`,
      backMs <= backWithinMs && product.isUp() && product.pid() === pid,
    ),
  ];
}

const isRefusal = (outcome: Outcome) => outcome.kind !== 'answered' || outcome.status >= 500;

/** Continuous reads as a signed-in administrator. */
function startReads({ origin }: Product, token: string) {
  const calls: { at: number; outcome: Outcome }[] = [];
  const state = { stopped: false };
  const running = (async () => {
    while (!state.stopped) {
      const at = performance.now();
      const outcome =
        calls.length % 2 === 0
          ? await call(origin, getProfile, { token })
          : await call(origin, listUsers, { token, query: { limit: '20' } });
      calls.push({ at, outcome });
      await pause(readEveryMs);
    }
  })();
  return {
    async stop(from: number, to: number): Promise<{ asked: number; good: number }> {
      state.stopped = true;
      await running;
      const asked = calls.filter(({ at }) => at >= from && at <= to);
      const good = asked.filter(({ outcome }) => outcome.kind === 'answered' && outcome.status === 200);
      return { asked: asked.length, good: good.length };
    },
  };
}

/** Waits until a new member can register. */
async function untilWritten({ origin }: Product): Promise<number> {
  const started = performance.now();
  for (let tries = 0; performance.now() - started < 2 * backWithinMs; tries += 1) {
    const body = { email: `room${tries}-${Math.round(started)}@prove.test`, password: 'a phrase nobody would guess' };
    const outcome = await call(origin, register, { body: { ...body, firstName: 'Ida', acceptTerms: true } });
    if (outcome.kind === 'answered' && outcome.status === 201) return performance.now() - started;
    await pause(100);
  }
  return Number.POSITIVE_INFINITY;
}

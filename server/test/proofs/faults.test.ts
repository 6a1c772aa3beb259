import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startLoad, startSlowUpload, wasHarmed } from '../../../lab/chaos/load.ts';
import { joinAs, password } from '../../../lab/chaos/people.ts';
import { signalAll } from '../../../lab/chaos/processes.ts';
import { createProduct, makeAdministrator, type Product } from '../../../lab/chaos/product.ts';
import { cutConnections } from '../../../lab/chaos/superuser.ts';
import { startWorkload } from '../../../lab/chaos/workload.ts';

/** Short versions of the fault runs in `npm run prove`; they need /proc. */
if (process.platform === 'linux') {
  const forLongMs = 120_000;
  let folder: string;
  let product: Product;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'heartwood-proofs-'));
    chmodSync(folder, 0o755);
    product = await createProduct(folder);
    await product.start();
    await makeAdministrator(product);
  }, forLongMs);

  afterAll(async () => {
    await product.clear();
    rmSync(folder, { recursive: true, force: true });
  }, forLongMs);

  test(
    'killing the server, its database and its connections never loses or duplicates acknowledged data',
    async () => {
      const workload = await startWorkload(product, join(folder, 'ledger.jsonl'));
      const underWriting = async (fault: () => unknown) => {
        const before = workload.answers.length;
        while (workload.answers.length < before + 20) await pause(20);
        await fault();
      };
      await underWriting(async () => {
        await product.end('SIGKILL');
        await product.start();
      });
      const pid = product.pid();
      await underWriting(() => cutConnections(product));
      await underWriting(() => {
        signalAll(product.database(), 'SIGKILL');
      });
      await product.untilReady();
      await underWriting(() => cutConnections(product));
      await underWriting(() => workload.stop());
      expect(product.pid()).toBe(pid);
      expect(product.isUp()).toBe(true);
      const { acknowledged, lost, ghosts, duplicates, contradictions } = await workload.check();
      expect({ lost, ghosts, duplicates, contradictions }).toEqual({
        lost: [],
        ghosts: [],
        duplicates: [],
        contradictions: [],
      });
      expect(acknowledged).toBeGreaterThan(20);
    },
    forLongMs,
  );

  test(
    'a stop under load answers every received request, and exits with 0 within ten seconds',
    async () => {
      const email = 'restart@prove.test';
      const { token } = await joinAs(product.origin, email, 1);
      const load = startLoad(product.origin, { email, password, token });
      const upload = startSlowUpload(product.origin, token, 1000);
      await pause(500);
      const end = await product.end('SIGTERM');
      const outcomes = await load.stop();
      expect(await upload).toBe('200');
      expect(outcomes.filter(wasHarmed)).toEqual([]);
      expect(outcomes.filter(({ kind }) => kind === 'answered').length).toBeGreaterThan(10);
      expect(end.code).toBe(0);
      expect(end.ms).toBeLessThan(10_000);
    },
    forLongMs,
  );
}

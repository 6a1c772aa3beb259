import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { isClean, verdictInWords } from '../../server/test/proofs/ledger.ts';
import { createProduct, makeAdministrator } from '../../server/test/proofs/product.ts';
import { startWorkload } from '../../server/test/proofs/workload.ts';
import { figure, type Proof } from './proof.ts';
import { mailsWithinMs, unsentMails } from '../product.ts';

const readyWithinMs = 5000;

/** Kills the product's process repeatedly while clients write, which orphans its database each time. */
export const crash: Proof = {
  name: 'crash',
  about: 'kill -9 of the server at random moments under writing',
  async run({ short, random, folder, say }) {
    const rounds = short ? 3 : 20;
    const product = await createProduct(folder);
    try {
      await product.start();
      await makeAdministrator(product);
      const workload = await startWorkload(product, join(folder, 'ledger.jsonl'));
      const starts: number[] = [];
      for (let round = 1; round <= rounds; round += 1) {
        const afterMs = random.between(1000, 10_000);
        await pause(afterMs);
        await product.end('SIGKILL');
        const readyMs = await product.start();
        starts.push(readyMs);
        say(`round ${round}: killed after ${Math.round(afterMs)} ms, ready again after ${Math.round(readyMs)} ms`);
      }
      await pause(1000);
      await workload.stop();
      const pool = new pg.Pool({ connectionString: product.databaseUrl() });
      const unsent = await unsentMails(pool);
      await pool.end();
      const verdict = await workload.check();
      const { contradictions } = verdict;
      const slowest = Math.max(...starts);
      return [
        figure('40 A crash loses nothing', verdictInWords(verdict), isClean(verdict) && verdict.acknowledged > rounds),
        figure(
          '40 A keyed retry after a crash gets its answer',
          contradictions.slice(0, 3).join('; ') || '0 refused',
          contradictions.length === 0,
        ),
        figure(
          '40 Ready 5 s after a crash',
          `slowest of ${rounds}: ${Math.round(slowest)} ms`,
          slowest <= readyWithinMs,
        ),
        figure('40 Every mail is still sent', `${unsent} left after ${mailsWithinMs / 1000} s`, unsent === 0),
      ];
    } finally {
      await product.clear();
    }
  },
};

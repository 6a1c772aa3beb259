import type pg from 'pg';
import { PaymentError } from '../../server/src/features/subscriptions/providers/provider.ts';
import { createDb, type Db } from '#platform/db/db.ts';
import { TestClock } from '../../server/test/clock.ts';
import { cloneDatabase, createTestPool } from '../../server/test/harness.ts';
import type { PaymentBench } from '../../server/test/payments/payment-bench.ts';
import type { IntentAnswer } from '../payments/payments.ts';
import { createSandbox, type PaymentSandbox } from '../payments/sandbox.ts';

export const sandboxSecret = 'the secret of the sandbox of these tests';
export const sandboxPrices = {
  monthly: { amountMinor: 1499, currency: 'USD' },
  quarterly: { amountMinor: 3597, currency: 'USD' },
  annual: { amountMinor: 11_988, currency: 'USD' },
};

export interface SandboxBench extends PaymentBench {
  provider: PaymentSandbox;
  pool: pg.Pool;
  db: Db;
  clock: TestClock;
}

/** The sandbox with a separate database. */
export async function startSandboxBench(): Promise<SandboxBench> {
  const database = await cloneDatabase();
  const pool = createTestPool(database.url);
  const db = createDb(pool);
  const clock = new TestClock(new Date('2026-06-15T12:00:00.000Z'));
  const sandbox = createSandbox({ db, clock, prices: sandboxPrices, webhookSecret: sandboxSecret });

  /** The sandbox returns a status; a payer gets an error for a payment that can no longer be made. */
  async function answer(start: Parameters<PaymentBench['pay']>[0], given: IntentAnswer): Promise<void> {
    const status = await sandbox.answerIntent(start.intentId ?? '', start.clientSecret ?? '', given);
    if (status === null || status === 'canceled') throw new PaymentError('invalid');
  }
  return {
    provider: sandbox,
    pool,
    db,
    clock,
    pay: (start, card) => answer(start, { token: typeof card === 'string' ? card : card.kept }),
    answerBank: (start, challenge) => answer(start, { challenge }),
    async moveTo(at) {
      if (!(await sandbox.moveClock(at))) throw new Error(`${at.toISOString()} has passed`);
      await sandbox.tick();
    },
    async refund(invoiceId) {
      await sandbox.refund(invoiceId);
    },
    async deliveries() {
      const { rows } = await pool.query<{ id: string }>('select id from sandbox.event order by seq');
      const messages = await Promise.all(rows.map(({ id }) => sandbox.delivery(id)));
      return messages
        .filter((message) => message !== null)
        .map(({ raw, signature }) => ({ raw: Buffer.from(raw), signature }));
    },
    setDown: () => Promise.reject(new Error('the sandbox is never down')),
    async close() {
      await pool.end();
      await database.drop();
    },
  };
}

import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import type { Product } from './product.ts';

/** Half a minute until a lost job is released, plus time to run it. */
export const mailsWithinMs = 45_000;

/** The number of mails the product has not sent some time after everything works again. */
export async function unsentMails(product: Pick<Product, 'databaseUrl'>): Promise<number> {
  const client = new pg.Client({ connectionString: product.databaseUrl() });
  await client.connect();
  try {
    for (const deadline = performance.now() + mailsWithinMs; ; await pause(500)) {
      const { rows } = await client.query<{ unsent: number }>(
        `select count(*)::int as unsent from mail where status <> 'sent'`,
      );
      const unsent = rows[0]?.unsent ?? 0;
      if (unsent === 0 || performance.now() > deadline) return unsent;
    }
  } finally {
    await client.end();
  }
}

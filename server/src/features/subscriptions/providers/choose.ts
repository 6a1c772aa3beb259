import type { FastifyBaseLogger } from 'fastify';
import type { Clock } from '../../../platform/process/clock.ts';
import type { PaymentsConfig } from '../../../platform/config/payments.ts';
import type { Db } from '../../../platform/db/db.ts';
import { installationSecret } from '../../../platform/config/secrets.ts';
import type { PaymentProvider } from './provider.ts';
import type { PaymentSandbox } from '../../../../../demo/payments/door.ts';

/** The payment provider, null where premium cannot be bought; `sandbox` is the same object if it is the sandbox. */
export interface Payments {
  payments: PaymentProvider | null;
  sandbox: PaymentSandbox | null;
}

/** The provider that the configuration asks for. */
export async function choosePayments(
  config: PaymentsConfig,
  { db, clock, log }: { db: Db; clock: Clock; log: FastifyBaseLogger },
): Promise<Payments> {
  switch (config.provider) {
    case 'off':
      return { payments: null, sandbox: null };
    case 'stripe': {
      // Its library takes a tenth of a second to read.
      const { createStripePayments } = await import('./stripe/stripe.ts');
      return { payments: createStripePayments({ config, prices: config.prices, clock, log }), sandbox: null };
    }
    case 'sandbox': {
      const { createSandbox } = await import('../../../../../demo/payments/sandbox.ts');
      const webhookSecret = await installationSecret(db, 'paymentSandbox', null);
      const sandbox = createSandbox({ db, clock, prices: config.prices, webhookSecret });
      return { payments: sandbox, sandbox };
    }
  }
}

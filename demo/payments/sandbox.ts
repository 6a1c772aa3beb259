import { msg } from '@lingui/core/runtime-macro';
import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import * as z from 'zod/mini';
import { apiBasePath } from '#contract/constants.ts';
import * as calls from '#contract/subscriptions/payments-sandbox.ts';
import { receivePaymentEvent } from '#contract/subscriptions/subscriptions.ts';
import type { Deps } from '../../server/src/deps.ts';
import { applyPendingPlans, nextPendingPlan } from '../../server/src/features/subscriptions/buying/change.ts';
import { paying } from '../../server/src/features/subscriptions/providers/payments.ts';
import { PaymentError, type PaymentProvider } from '../../server/src/features/subscriptions/providers/provider.ts';
import { payerOf } from '../../server/src/features/subscriptions/reads.ts';
import { installationSecret } from '#platform/config/secrets.ts';
import { AppError, notFound } from '#platform/http/app-error.ts';
import { mount } from '#platform/http/mount.ts';
import { job } from '#platform/jobs/job.ts';
import { requireMayAct } from '#platform/session/access.ts';
import type { ProviderContext } from '../../server/src/providers.ts';
import { customerCommands } from './customers.ts';
import { deliveryOf, readMessage } from './events.ts';
import { deliveryTask, sandboxNow, type SandboxParts } from './parts.ts';
import { paymentCommands } from './payments.ts';
import { periodCommands } from './periods.ts';
import { subscriptionCommands } from './subscriptions.ts';
import { createSandboxTables } from './tables.ts';

/**
 * A payment provider in our own database that moves no money. It behaves like real providers, with test cards instead of real
 * ones and a clock that can be moved forward.
 */
export const createSandbox = (parts: SandboxParts) =>
  ({
    name: 'sandbox',
    isTest: true,
    now: () => sandboxNow(parts.db, parts.clock),
    ...customerCommands(parts),
    ...subscriptionCommands(parts),
    ...paymentCommands(parts),
    ...periodCommands(parts),
    // There are no disputes here.
    customerOfCharge: () => Promise.resolve(null),
    parseWebhook: (raw: Buffer, signature: string, now: Date) => readMessage(parts.webhookSecret, raw, signature, now),
    /** The message of an event; null once it was delivered. */
    delivery: (eventId: string) => deliveryOf(parts, eventId),
    async delivered(eventId: string): Promise<void> {
      const event = sql`sandbox.event set delivered_at = ${parts.clock.now()} where id = ${eventId}`;
      await sql`update ${event} and delivered_at is null`.execute(parts.db);
    },
  }) satisfies PaymentProvider & Record<string, unknown>;

export type PaymentSandbox = ReturnType<typeof createSandbox>;

/** Opens the sandbox with its tables, its calls and the job that delivers its messages. */
export async function openSandbox({ db, clock, config, app, addFeature }: ProviderContext): Promise<PaymentProvider> {
  await createSandboxTables(db);
  const webhookSecret = await installationSecret(db, 'paymentSandbox', null);
  const sandbox = createSandbox({ db, clock, prices: config.payments.prices, webhookSecret });

  /** Sends an event to the webhook, as a real provider would. */
  async function deliver(eventId: string): Promise<void> {
    const delivery = await sandbox.delivery(eventId);
    if (delivery === null) return;
    const headers = { 'content-type': 'application/json', 'heartwood-signature': delivery.signature };
    const url = apiBasePath + receivePaymentEvent.path;
    const { statusCode } = await app.inject({ method: 'POST', url, headers, payload: delivery.raw });
    if (statusCode !== 200) throw new PaymentError('unavailable');
    await sandbox.delivered(eventId);
  }
  addFeature({
    routes: [(_, deps) => mountSandbox(app, deps, sandbox)],
    jobs: [
      job({
        name: deliveryTask,
        payload: z.object({ eventId: z.string() }),
        run: (_, { eventId }) => deliver(eventId),
      }),
    ],
  });
  return sandbox;
}

/** The sandbox's own calls, which replace a payer's browser, the passing of time and the provider's back office. */
function mountSandbox(app: FastifyInstance, deps: Deps, sandbox: PaymentSandbox): void {
  mount(app, deps, calls.answerSandboxIntent).to(async ({ params, body }) => {
    const { clientSecret, token, challenge } = body;
    const answer = challenge === undefined ? { token: token ?? '' } : { challenge };
    const status = await paying(() => sandbox.answerIntent(params.id, clientSecret, answer));
    if (status === null) throw notFound();
    return { data: { status } };
  });
  if (deps.config.production) return;
  mount(app, deps, calls.moveSandboxClock).to(async ({ body }) => {
    await moveClock(deps, sandbox, new Date(body.to));
    return { data: { now: (await sandbox.now()).toISOString() } };
  });
  mount(app, deps, calls.refundSandboxInvoice).to(async ({ caller, params }) => {
    const payer = await payerOf(deps.db, params.id);
    if (payer !== null) await requireMayAct(deps.db, caller, 'user', payer);
    if (!(await sandbox.refund(params.id))) throw notFound();
    return { data: { refunded: true } };
  });
}

/** Moves time forward step by step, so that everything happens at its time; 409 for a time in the past. */
async function moveClock(deps: Deps, sandbox: PaymentSandbox, to: Date): Promise<void> {
  if (to < (await sandbox.now())) throw new AppError('CONFLICT', msg`The clock can only move forward`);
  for (;;) {
    const dues = await Promise.all([sandbox.nextDue(), nextPendingPlan(deps.db)]);
    const next = Math.min(to.getTime(), ...dues.map((due) => due?.getTime() ?? Infinity));
    await sandbox.moveClock(new Date(next));
    await applyPendingPlans(deps, await sandbox.now());
    await sandbox.tick();
    if (next >= to.getTime()) return;
  }
}

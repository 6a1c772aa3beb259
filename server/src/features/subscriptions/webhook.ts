import { msg } from '@lingui/core/runtime-macro';
import { invalid } from '#platform/http/app-error.ts';
import type { Deps } from '../../deps.ts';
import { addJob } from '#platform/jobs/jobs.ts';
import { BadSignature, type ProviderEvent } from './providers/provider.ts';
import type { FastifyInstance } from 'fastify';
import { receivePaymentEvent } from '#contract/subscriptions/subscriptions.ts';
import { type CommandContext, mount } from '#platform/http/mount.ts';

const signatureHeaders = ['stripe-signature', 'heartwood-signature'] as const;

/** The signature of a delivery, in either provider's header. */
function signatureOf(headers: Record<string, unknown>): string {
  const given = signatureHeaders.map((name) => headers[name]).find((value) => typeof value === 'string');
  return typeof given === 'string' ? given : '';
}

/** Records that something changed at the provider, once per message; the change itself is read afterwards. */
async function receive(
  { tx, now }: Pick<CommandContext, 'tx' | 'now'>,
  event: ProviderEvent,
): Promise<{ duplicate: boolean }> {
  const { id, type, subscriptionId, customerId, chargeId, createdAt } = event;
  const setupIntentId = type === 'setup_intent.succeeded' ? event.objectId : null;
  const stored = await tx
    .insertInto('provider_event')
    .values({
      id,
      type,
      subscription_id: subscriptionId,
      customer_id: customerId,
      created_at: createdAt,
      received_at: now,
      setup_intent_id: setupIntentId,
    })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning('id')
    .executeTakeFirst();
  if (stored === undefined) return { duplicate: true };
  if (setupIntentId !== null)
    await addJob(
      tx,
      'subscriptions.keepCard',
      { setupIntentId },
      { jobKey: `subscriptions.keepCard ${setupIntentId}` },
    );
  if (subscriptionId !== null)
    await addJob(
      tx,
      'subscriptions.sync',
      { providerId: subscriptionId },
      { jobKey: `subscription:${subscriptionId}` },
    );
  else if (customerId !== null)
    await addJob(tx, 'subscriptions.syncCustomer', { customerId }, { jobKey: `customer:${customerId}` });
  else if (chargeId !== null)
    await addJob(tx, 'subscriptions.syncCharge', { chargeId }, { jobKey: `charge:${chargeId}` });
  return { duplicate: false };
}

/** The event in a delivery. Throws 400 for anything the provider did not sign just now. */
function readEvent(deps: Deps, raw: unknown, signature: string): ProviderEvent {
  try {
    if (deps.payments !== null && Buffer.isBuffer(raw))
      return deps.payments.parseWebhook(raw, signature, deps.clock.now());
  } catch (error) {
    if (!(error instanceof BadSignature)) deps.log.warn('a signed message from the payment provider cannot be read');
  }
  throw invalid('signature', msg`This was not signed by the payment provider just now`);
}

/** Receives the provider's messages. It is a separate part of the app, since their signature covers the raw bytes. */
export async function mountPaymentWebhook(app: FastifyInstance, deps: Deps): Promise<void> {
  await app.register(async (part) => {
    part.removeAllContentTypeParsers();
    part.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => {
      done(null, body);
    });
    mount(part, deps, receivePaymentEvent)
      // Anyone may send anything here, so unsigned messages must not cost a transaction.
      .before(async ({ request }) => readEvent(deps, request.body, signatureOf(request.headers)))
      .to(async (context, event) => {
        const { duplicate } = await receive(context, event);
        return { message: duplicate ? 'duplicate' : 'OK', data: { duplicate } };
      });
  });
}

import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { daysAfter, subscribe } from '../../server/test/payments/payment-bench.ts';
import { sandboxSecret, startSandboxBench, type SandboxBench } from '../test/sandbox-bench.ts';
import { drainJobs } from '#platform/jobs/jobs.ts';
import { createLog } from '#platform/process/log.ts';
import type { PaymentSandbox } from './sandbox.ts';

type Delivery = NonNullable<Awaited<ReturnType<PaymentSandbox['delivery']>>>;

describe('the webhook messages of the sandbox', () => {
  let bench: SandboxBench;
  beforeAll(async () => {
    bench = await startSandboxBench();
  });
  afterAll(() => bench.close());

  /** The events that were enqueued since then, in order. */
  async function enqueued(): Promise<string[]> {
    const ids: string[] = [];
    const note = (payload: unknown) => void ids.push((payload as { eventId: string }).eventId);
    await drainJobs(bench.pool, { 'payments.deliver': note }, createLog('silent'));
    return ids;
  }
  const parse = ({ raw, signature }: Delivery, at = bench.clock.now()) =>
    bench.provider.parseWebhook(Buffer.from(raw), signature, at);
  async function newest(): Promise<Delivery> {
    await subscribe(bench);
    const delivery = await bench.provider.delivery((await enqueued()).at(-1) ?? '');
    if (delivery === null) throw new Error('nothing to deliver');
    return delivery;
  }

  it('are each enqueued once with their content', async () => {
    await enqueued();
    const { id, customerId } = await subscribe(bench);
    const ids = await enqueued();
    const messages = await Promise.all(ids.map((eventId) => bench.provider.delivery(eventId)));
    const events = messages.map((message) => message && parse(message));
    expect(events.map((event) => event?.id)).toEqual(ids);
    expect(events.map((event) => event?.type).toSorted()).toEqual([
      'customer.subscription.created',
      'customer.subscription.updated',
      'invoice.paid',
      'payment_method.attached',
    ]);
    expect(events.find((event) => event?.type === 'customer.subscription.created')).toMatchObject({
      createdAt: await bench.provider.now(),
      objectId: id,
      subscriptionId: id,
      customerId,
    });
    expect(await enqueued()).toEqual([]);
  });

  it('are available until they are delivered', async () => {
    await subscribe(bench);
    const [eventId = ''] = await enqueued();
    expect(await bench.provider.delivery(eventId)).toEqual(await bench.provider.delivery(eventId));
    await bench.provider.delivered(eventId);
    expect(await bench.provider.delivery(eventId)).toBeNull();
    expect(await bench.provider.delivery('evt_unknown')).toBeNull();
  });

  it('are deleted a month after delivery; undelivered ones are kept', async () => {
    await subscribe(bench);
    const [arrived = '', waiting = ''] = await enqueued();
    await bench.provider.delivered(arrived);
    bench.clock.advance(31 * 86_400);
    await bench.provider.tick();
    const kept = await bench.pool.query('select id from sandbox.event where id = any ($1)', [[arrived, waiting]]);
    expect(kept.rows).toEqual([{ id: waiting }]);
  });

  it('are signed at the product’s time, however far the sandbox clock was moved', async () => {
    await bench.moveTo(daysAfter(await bench.provider.now(), 200));
    const { raw, signature } = await newest();
    const seconds = bench.clock.now().getTime() / 1000;
    const digest = createHmac('sha256', sandboxSecret).update(`${seconds}.${raw}`).digest('hex');
    expect(signature).toBe(`t=${seconds},v1=${digest}`);
  });
});

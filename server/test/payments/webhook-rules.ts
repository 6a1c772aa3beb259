import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { secondsAfter } from '#platform/process/clock.ts';
import { BadSignature, type ProviderEvent } from '../../src/features/subscriptions/providers/provider.ts';
import { type PaymentBench, begin, newCustomer, passBeyond, subscribe } from './payment-bench.ts';

const toleranceSeconds = 300;

type Delivery = Awaited<ReturnType<PaymentBench['deliveries']>>[number];

/** When a delivery was signed, from the start of its signature. */
function signedAt({ signature }: Delivery): Date {
  const seconds = /(?:^|,)\s*t=(\d+)/.exec(signature)?.[1];
  if (seconds === undefined) throw new Error(`${signature} contains no time`);
  return new Date(Number(seconds) * 1000);
}

export function webhookRules(bench: () => PaymentBench): void {
  const parse = (delivery: Delivery, lateSeconds = 0) =>
    bench().provider.parseWebhook(delivery.raw, delivery.signature, secondsAfter(signedAt(delivery), lateSeconds));
  const events = async (): Promise<ProviderEvent[]> => (await bench().deliveries()).map((delivery) => parse(delivery));
  const newest = async (): Promise<[Delivery, Delivery]> => {
    await subscribe(bench());
    const [one, other] = (await bench().deliveries()).slice(-2);
    if (one === undefined || other === undefined) throw new Error('nothing was sent');
    return [one, other];
  };

  it('name the subscription and the customer', async () => {
    const subscription = await subscribe(bench());
    const announced = (await events()).filter(({ subscriptionId }) => subscriptionId === subscription.id);
    expect(announced.length).toBeGreaterThan(0);
    for (const event of announced) {
      expect(event.customerId).toBe(subscription.customerId);
      expect(event.type).toMatch(/^[a-z_]+(\.[a-z_]+)+$/);
      expect(Math.abs(event.createdAt.getTime() - subscription.createdAt.getTime())).toBeLessThan(60_000);
    }
  });

  it('announce a stored card together with its setup', async () => {
    const customerId = await newCustomer(bench());
    const { setupIntentId, clientSecret } = await bench().provider.createSetupIntent(customerId, randomUUID());
    await bench().pay({ intentId: setupIntentId, clientSecret }, 'tok_visa');
    const announced = (await events()).filter(
      ({ type, objectId }) => type === 'setup_intent.succeeded' && objectId === setupIntentId,
    );
    expect(announced).toMatchObject([{ customerId, subscriptionId: null }]);
  });

  it('have unique ids', async () => {
    await subscribe(bench());
    const ids = (await events()).map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('are sent for every change', async () => {
    const { provider } = bench();
    const start = await begin(bench());
    const { id, customerId } = start.subscription;
    const tellings = async () =>
      (await events()).filter((event) => event.subscriptionId === id || event.customerId === customerId).length;
    const steps: [string, () => Promise<unknown>][] = [
      ['a payment', () => bench().pay(start, 'tok_renewal_fails')],
      ['a cancellation', () => provider.setCancelAtPeriodEnd(id, true)],
      ['undoing a cancellation', () => provider.setCancelAtPeriodEnd(id, false)],
      ['a renewal', () => passBeyond(bench(), start.subscription.currentPeriodEnd)],
      ['an end', () => provider.cancelNow(id)],
      [
        'a refund',
        async () => bench().refund((await provider.listInvoices(customerId, { limit: 9 })).data.at(-1)?.id ?? ''),
      ],
    ];
    let before = await tellings();
    expect(before).toBeGreaterThan(0);
    for (const [name, step] of steps) {
      await step();
      const after = await tellings();
      expect(after, name).toBeGreaterThan(before);
      before = after;
    }
  });

  it('are accepted for five minutes', async () => {
    const [delivery] = await newest();
    expect(parse(delivery, toleranceSeconds - 1)).toEqual(parse(delivery));
    expect(() => parse(delivery, toleranceSeconds + 1)).toThrow(BadSignature);
  });

  it('are refused when forged', async () => {
    const [delivery, other] = await newest();
    const { raw, signature } = delivery;
    const changed = Buffer.from(raw);
    changed[raw.length - 3] = (changed[raw.length - 3] ?? 0) ^ 1;
    const later = signature.replace(/t=\d+/, `t=${signedAt(delivery).getTime() / 1000 + 60}`);
    const forgeries: [string, Buffer, string][] = [
      ['another body', other.raw.equals(raw) ? changed : other.raw, signature],
      ['one bit', changed, signature],
      ['a later time', raw, later],
      ['a wrong digest', raw, signature.replace(/v1=[0-9a-f]{8}/, 'v1=00000000')],
      ['another length', raw, signature.replace(/v1=[0-9a-f]{8}/, 'v1=')],
      ['no digest', raw, signature.split(',')[0] ?? ''],
      ['no time', raw, signature.replace(/t=\d+,?/, '')],
      ['no signature', raw, ''],
      ['nonsense', raw, 't=,v1=,,=;'],
    ];
    const now = signedAt(delivery);
    for (const [name, body, header] of forgeries) {
      expect(() => bench().provider.parseWebhook(body, header, now), name).toThrow(BadSignature);
    }
    expect(() => parse(delivery)).not.toThrow();
  });

  it('are refused when truncated', async () => {
    const [{ raw, signature }] = await newest();
    const now = signedAt({ raw, signature });
    for (const length of [0, 1, Math.floor(raw.length / 2), raw.length - 1]) {
      expect(() => bench().provider.parseWebhook(raw.subarray(0, length), signature, now)).toThrow(BadSignature);
    }
  });
}

import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import type { ProviderInvoice } from '../../src/features/subscriptions/providers/provider.ts';
import {
  type PaymentBench,
  begin,
  daysAfter,
  invoicesOf,
  keepCard,
  newCustomer,
  passBeyond,
  refusalOf,
  subscribe,
} from './payment-bench.ts';

export function recordRules(bench: () => PaymentBench): void {
  const standing = (id: string) => bench().provider.getSubscription(id);

  it('create one customer per account, even when requested repeatedly with the same key', async () => {
    const { provider } = bench();
    const accountId = randomUUID();
    const person = { accountId, email: `${accountId}@example.org`, name: null };
    const made = await Promise.all(Array.from({ length: 10 }, () => provider.ensureCustomer(person, accountId)));
    expect(new Set(made).size).toBe(1);
    expect(await provider.ensureCustomer(person, accountId)).toBe(made[0]);
    expect(await newCustomer(bench())).not.toBe(made[0]);
  });

  it('have no subscription and no card after the customer was deleted', async () => {
    const { provider } = bench();
    const paid = await subscribe(bench());
    const { customerId } = paid;
    const unpaid = await begin(bench(), { customerId, plan: 'annual' });
    await keepCard(bench(), customerId, 'tok_mastercard');
    await provider.deleteCustomer(customerId);
    expect((await standing(paid.id)).status).toBe('canceled');
    expect(['canceled', 'incomplete_expired']).toContain((await standing(unpaid.subscription.id)).status);
    expect(await refusalOf(bench().pay(unpaid, 'tok_visa'))).toBe('invalid');
    expect(await provider.listPaymentMethods(customerId).catch(() => [])).toEqual([]);
    expect(await refusalOf(begin(bench(), { customerId }))).toBe('invalid');
    await passBeyond(bench(), paid.currentPeriodEnd);
    expect((await standing(paid.id)).status).toBe('canceled');
  });

  it('accept deleting a customer again, or an unknown one', async () => {
    const { provider } = bench();
    const { customerId } = await subscribe(bench());
    await provider.deleteCustomer(customerId);
    expect(await refusalOf(provider.deleteCustomer(customerId))).toBeNull();
    expect(await refusalOf(provider.deleteCustomer('cus_unknown'))).toBeNull();
  });

  it('end the paid time when it is refunded', async () => {
    const first = await subscribe(bench());
    await passBeyond(bench(), first.currentPeriodEnd);
    const [second, oldest] = await invoicesOf(bench(), first.customerId);
    await bench().refund(second?.id ?? '');
    expect((await invoicesOf(bench(), first.customerId)).map(({ status }) => status)).toEqual(['refunded', 'paid']);
    expect((await standing(first.id)).paidThrough).toEqual(first.currentPeriodEnd);
    await bench().refund(oldest?.id ?? '');
    expect((await standing(first.id)).paidThrough).toBeNull();
  });

  it('a part is refunded once per key, and no more than was paid', async () => {
    const { provider } = bench();
    const { id, customerId, currentPeriodEnd } = await subscribe(bench());
    const [invoice] = await invoicesOf(bench(), customerId);
    const wish = { invoiceId: invoice?.id ?? '', amountMinor: 500 };
    await provider.refundPart(wish, 'refund:1');
    await provider.refundPart(wish, 'refund:1');
    expect(await invoicesOf(bench(), customerId)).toMatchObject([{ status: 'paid', refundedMinor: 500 }]);
    expect((await standing(id)).paidThrough).toEqual(currentPeriodEnd);
    const total = invoice?.total.amountMinor ?? 0;
    expect(await refusalOf(provider.refundPart({ ...wish, amountMinor: total }, 'refund:2'))).toBe('invalid');
    await provider.refundPart({ ...wish, amountMinor: total - 500 }, 'refund:3');
    expect(await invoicesOf(bench(), customerId)).toMatchObject([{ status: 'refunded', refundedMinor: total }]);
    expect((await standing(id)).paidThrough).toBeNull();
  });

  it('list invoices newest first, page by page', async () => {
    const { provider } = bench();
    const { customerId, currentPeriodEnd } = await subscribe(bench());
    await passBeyond(bench(), daysAfter(currentPeriodEnd, 65));
    const all = await invoicesOf(bench(), customerId);
    expect(all).toHaveLength(4);
    expect(new Set(all.map(({ number }) => number)).size).toBe(4);
    const times = all.map(({ createdAt }) => createdAt.getTime());
    expect(times).toEqual(times.toSorted((one, other) => other - one));

    const pagesOf = async (limit: number) => {
      const pages: ProviderInvoice[][] = [];
      for (let hasMore = true; hasMore;) {
        const last = pages.at(-1)?.at(-1);
        const page = await provider.listInvoices(customerId, { limit, ...(last && { startingAfter: last.id }) });
        pages.push(page.data);
        hasMore = page.hasMore;
      }
      return pages;
    };
    expect(await pagesOf(3)).toEqual([all.slice(0, 3), all.slice(3)]);
    expect(await pagesOf(2)).toEqual([all.slice(0, 2), all.slice(2)]);
    expect((await provider.listInvoices(await newCustomer(bench()), { limit: 3 })).data).toEqual([]);
    expect(await refusalOf(provider.listInvoices(customerId, { limit: 3, startingAfter: 'in_unknown' }))).toBe(
      'invalid',
    );
  });

  it('move the clock to the requested time', async () => {
    const before = await bench().provider.now();
    await bench().moveTo(daysAfter(before, 1));
    const passed = (await bench().provider.now()).getTime() - daysAfter(before, 1).getTime();
    expect(passed).toBeGreaterThanOrEqual(0);
    expect(passed).toBeLessThan(60_000);
  });
}

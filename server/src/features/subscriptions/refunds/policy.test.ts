import { describe, expect, it } from 'vitest';
import { type PaidInvoice, refundOf, withdrawableUntil } from './policy.ts';

const at = (iso: string) => new Date(iso);

const invoice = (changes: Partial<PaidInvoice> = {}): PaidInvoice => ({
  id: 'newest',
  total_minor: 1499,
  currency: 'USD',
  refunded_minor: 0,
  receipt: null,
  period_start: at('2026-06-01T12:00:00Z'),
  period_end: at('2026-07-01T12:00:00Z'),
  ...changes,
});
const annual = invoice({
  total_minor: 11_988,
  period_start: at('2026-01-01T00:00:00Z'),
  period_end: at('2027-01-01T00:00:00Z'),
});
const yen = (total_minor: number) => invoice({ total_minor, currency: 'JPY' });
const upgraded = [invoice({ total_minor: 500, receipt: { creditMinor: 999 } }), invoice({ id: 'before' })];

describe('refundOf', () => {
  it.each<[string, PaidInvoice[], string, number | null, number | null]>([
    ['all of it at the start of the period', [invoice()], '2026-06-01T12:00:00Z', 30, 1499],
    ['all of it before the period', [invoice()], '2026-05-20T00:00:00Z', 30, 1499],
    ['a day that has begun in full', [invoice()], '2026-06-02T11:59:59Z', 30, 1499],
    ['29 of 30 days once a day is over', [invoice()], '2026-06-02T12:00:00Z', 29, 1449],
    ['half at the middle', [invoice()], '2026-06-16T12:00:00Z', 15, 750],
    ['one day just before the end', [invoice()], '2026-07-01T11:59:59Z', 1, 50],
    ['nothing at the end', [invoice()], '2026-07-01T12:00:00Z', null, null],
    ['nothing after the end', [invoice()], '2026-08-01T00:00:00Z', null, null],
    ['nothing without a payment', [], '2026-06-16T12:00:00Z', null, null],
    ['nothing of a free invoice', [yen(0)], '2026-06-16T12:00:00Z', null, null],
    ['184 of 365 days of a year', [annual], '2026-07-01T00:00:00Z', 184, 6043],
    ['whole units of a currency without hundredths', [yen(1500)], '2026-06-15T12:00:00Z', 16, 800],
    ['a rounded amount in such a currency', [yen(1000)], '2026-06-15T12:00:00Z', 16, 533],
    ['no more than is left of the payment', [invoice({ refunded_minor: 1000 })], '2026-06-16T12:00:00Z', 15, 499],
    ['nothing of a payment that was returned', [invoice({ refunded_minor: 1499 })], '2026-06-16T12:00:00Z', null, null],
    ['what an earlier plan paid of the period, too', upgraded, '2026-06-01T12:00:00Z', 30, 1499],
    ['the newest payment alone where it suffices', upgraded, '2026-06-26T12:00:00Z', 5, 250],
  ])('pays back %s', (_, invoices, from, days, amount) => {
    const refund = refundOf(invoices, at(from));
    expect(refund?.days ?? null).toBe(days);
    expect(refund?.amount.amountMinor ?? null).toBe(amount);
  });

  it('uses the invoice before the newest one for what is missing there', () => {
    expect(refundOf(upgraded, at('2026-06-01T12:00:00Z'))?.parts).toEqual([
      { invoiceId: 'newest', amountMinor: 500 },
      { invoiceId: 'before', amountMinor: 999 },
    ]);
  });

  it('never mixes currencies', () => {
    const [newest] = upgraded;
    const invoices = [newest ?? invoice(), { ...yen(1500), id: 'before' }];
    expect(refundOf(invoices, at('2026-06-01T12:00:00Z'))?.parts).toEqual([{ invoiceId: 'newest', amountMinor: 500 }]);
  });
});

describe('withdrawableUntil', () => {
  // The last hour of the 14th day in the EU's westernmost zone, counted from the day of the purchase in the easternmost.
  it.each([
    ['on a Monday', '2026-11-02T12:00:00Z', '2026-11-17T04:00:00Z'],
    ['at the first second of a day', '2026-11-03T00:00:00Z', '2026-11-18T04:00:00Z'],
    ['when it is already the next day in the east', '2026-11-02T20:00:00Z', '2026-11-18T04:00:00Z'],
    ['just before', '2026-11-02T19:59:59Z', '2026-11-17T04:00:00Z'],
    ['on a Saturday', '2026-11-07T12:00:00Z', '2026-11-24T04:00:00Z'],
    ['on a Sunday', '2026-11-08T12:00:00Z', '2026-11-24T04:00:00Z'],
    ['in a short month', '2027-02-19T12:00:00Z', '2027-03-06T04:00:00Z'],
    ['before a leap day', '2028-02-15T12:00:00Z', '2028-03-01T04:00:00Z'],
  ])('is 14 days later and never on a weekend for a purchase %s', (_, bought, until) => {
    expect(withdrawableUntil(at(bought))).toEqual(at(until));
  });
});

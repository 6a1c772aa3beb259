import { act, screen, waitFor, within } from '@testing-library/react';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { getInvoice, getInvoicePdf, type ReceiptView } from '#contract/subscriptions/subscriptions.ts';
import { failWith, RawAnswer, received, Refusal, serve } from '../../../test/fake-server.ts';
import { ownUser } from '../../../test/fixtures/people.ts';
import { ownInvoice } from '../../../test/fixtures/premium.ts';
import { renderApp } from '../../../test/render-app.tsx';
import { speak } from '../../ui/text/catalogues.ts';
import { setLanguage } from '../../ui/text/text.ts';

const billedTo = { name: 'Ada Byron', email: 'ada@heartwood.test' };

const amount = (netMinor: number, taxMinor: number) => ({ netMinor, taxMinor, grossMinor: netMinor + taxMinor });

/** A credited upgrade that was partly refunded, as in the test of the PDF. */
const receipt: ReceiptView = {
  title: 'Receipt',
  seller: { name: 'Heartwood GmbH', address: 'Am Ring 1, Wien', taxId: 'ATU1', taxName: 'VAT', taxPercent: 20 },
  card: { brand: 'visa', last4: '4242' },
  lines: [
    { text: 'Heartwood Premium, annual', ...amount(9990, 1998) },
    { text: 'Credit for the unused part of your earlier plan', ...amount(-611, -122) },
  ],
  total: amount(9379, 1876),
  refund: {
    line: { text: 'Partial refund', ...amount(-417, -83) },
    remaining: amount(8962, 1793),
    at: '2025-10-25T12:00:00.000Z',
  },
  note: null,
};

function open(
  invoice = ownInvoice(),
  to: { name: string | null; email: string } = billedTo,
  said: ReceiptView | undefined = undefined,
) {
  serve(getInvoice, () => ({ data: { invoice, billedTo: to, ...(said && { receipt: said }) } }));
  return renderApp('/app/premium/invoices/invoice-1', ownUser());
}

const lines = () =>
  Object.fromEntries(
    within(screen.getByRole('article'))
      .getAllByRole('term')
      .map((term) => [term.textContent, term.nextElementSibling?.textContent]),
  );

describe('an invoice', () => {
  it('shows the payer, the item, the amount and the date', async () => {
    open();
    expect(await screen.findByRole('heading', { level: 1, name: 'Invoice HW-0001' })).toBeVisible();
    expect(document.title).toBe('Invoice HW-0001 · Heartwood');
    expect(lines()).toEqual({
      Number: 'HW-0001',
      Date: 'Oct 20, 2025',
      'Billed to': 'Ada Byron',
      For: 'Premium, Monthly',
      Period: 'Oct 20, 2025 – Nov 20, 2025',
      Status: 'Paid',
      'Paid on': 'Oct 20, 2025',
    });
    expect(screen.getByText('ada@heartwood.test')).toBeVisible();
    expect(screen.getByRole('article')).toHaveTextContent('Total$14.99');
    expect(screen.getByRole('link', { name: 'Your plan in Settings' })).toHaveAttribute('href', '/app/settings/plan');
    expect(received(getInvoice)[0]?.params).toEqual({ id: 'invoice-1' });
    expect(await screen.findByText('Test payments. No money moves.')).toBeVisible();
  });

  it('shows seller, tax, credit and refund as the PDF does', async () => {
    open(ownInvoice({ status: 'refunded' }), billedTo, receipt);
    expect(await screen.findByText('Heartwood GmbH')).toBeVisible();
    expect(lines()).toMatchObject({ Seller: 'Heartwood GmbH', 'Paid with': 'Visa ending in 4242' });
    for (const words of ['Receipt', 'Am Ring 1', 'Wien', 'VAT ID: ATU1']) expect(screen.getByText(words)).toBeVisible();
    const rows = within(screen.getByRole('table')).getAllByRole('row');
    expect(rows.map((row) => [...row.children].map(({ textContent }) => textContent).join(' | '))).toEqual([
      'Description | Net | VAT 20 % | Gross',
      'Heartwood Premium, annual | $99.90 | $19.98 | $119.88',
      'Credit for the unused part of your earlier plan | -$6.11 | -$1.22 | -$7.33',
      'Total | $93.79 | $18.76 | $112.55',
      'Partial refund on Oct 25, 2025 | -$4.17 | -$0.83 | -$5.00',
      'Paid after refund | $89.62 | $17.93 | $107.55',
    ]);
  });

  it('shows only gross amounts without a tax rate, and why nothing was paid', async () => {
    const seller = { name: null, address: null, taxId: null, taxName: 'VAT', taxPercent: null };
    const total = { netMinor: 1499, taxMinor: null, grossMinor: 1499 };
    const line = { text: 'Heartwood Premium', ...total };
    const note = 'This invoice is not paid yet.';
    const unpaid: ReceiptView = { title: 'Invoice', seller, card: null, lines: [line], total, refund: null, note };
    open(ownInvoice({ status: 'open', paidAt: null }), billedTo, unpaid);
    expect(await screen.findByText(note)).toBeVisible();
    expect(screen.getByRole('table')).toHaveTextContent('DescriptionAmountHeartwood Premium$14.99Total$14.99');
    expect(lines()).not.toHaveProperty('Seller');
  });

  it('shows no gaps with almost no data', async () => {
    open(ownInvoice({ number: null, plan: null, paidAt: null, status: 'void' }), { name: null, email: 'a@b.test' });
    expect(await screen.findByRole('heading', { level: 1, name: 'Invoice' })).toBeVisible();
    expect(await screen.findByText('Void')).toBeVisible();
    expect(lines()).toMatchObject({ Number: '—', For: '—', 'Billed to': 'a@b.test' });
    expect(document.body.textContent).not.toMatch(/undefined|NaN|Invalid Date|null/);
  });

  it('links to the provider’s page if there is one', async () => {
    open(ownInvoice({ hostedUrl: 'https://invoice.stripe.com/i/1' }));
    const link = await screen.findByRole('link', { name: 'View at the payment provider' });
    expect(link).toHaveAttribute('href', 'https://invoice.stripe.com/i/1');
    expect(link).toHaveAttribute('rel', 'noopener noreferrer');
  });

  it('downloads as a PDF and shows an error when that fails', async () => {
    const saved: string[] = [];
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
      saved.push(this.download);
    });
    vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:heartwood');
    failWith(getInvoicePdf, new RawAnswer(502, ''));
    const { person } = open();
    const button = await screen.findByRole('button', { name: 'Download PDF' });
    await person.click(button);
    expect(await screen.findByRole('alert')).toHaveTextContent('Server error: 502');
    serve(getInvoicePdf, () => '%PDF-1.7');
    await person.click(button);
    await waitFor(() => expect(saved).toEqual(['heartwood-receipt.pdf']));
    expect(received(getInvoicePdf).at(-1)?.params).toEqual({ id: 'invoice-1' });
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('is loaded again when the language changes', async () => {
    open(undefined, undefined, receipt);
    expect(await screen.findByText('Receipt')).toBeVisible();
    await act(() => speak('de'));
    expect(await screen.findByText('Beleg')).toBeVisible();
    expect(received(getInvoice)).toHaveLength(2);
  });

  it('can only be printed in languages that are written from right to left', async () => {
    setLanguage('ar');
    open(undefined, undefined, receipt);
    expect(await screen.findByRole('button', { name: 'Print' })).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Download PDF' })).toBeNull();
    expect(screen.getByText('\u2068VAT\u2069 ID: \u2068ATU1\u2069')).toBeVisible();
  });

  it('is printed without the page around it', async () => {
    const print = vi.fn();
    vi.stubGlobal('print', print);
    const { person, container } = open();
    await person.click(await screen.findByRole('button', { name: 'Print' }));
    expect(print).toHaveBeenCalledOnce();
    expect(screen.getByRole('button', { name: 'Print' }).closest('[data-screen-only]')).not.toBeNull();
    const sheet = screen.getByRole('article');
    expect(sheet).toHaveAttribute('data-printable');
    for (const landmark of container.querySelectorAll('header, footer, [data-screen-only]')) {
      expect(landmark).not.toContainElement(sheet);
    }
    const style = readFileSync(
      join(import.meta.dirname, '../../features/subscriptions/plan/invoice.module.css'),
      'utf8',
    );
    const printed = style.slice(style.indexOf('@media print'));
    expect(printed).toMatch(
      /:global\(header\), :global\(footer\), :global\(\[data-screen-only\]\)\) \{\s+display: none;/,
    );
  });

  it('is not found if it is missing or another member’s', async () => {
    failWith(getInvoice, new Refusal('NOT_FOUND', 'Not found'));
    renderApp('/app/premium/invoices/foreign', ownUser());
    expect(await screen.findByText('Invoice not found.')).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Print' })).toBeNull();
  });
});

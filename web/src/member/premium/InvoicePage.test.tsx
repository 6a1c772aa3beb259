import { screen, within } from '@testing-library/react';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { getInvoice, getInvoicePdf } from '#contract/subscriptions/subscriptions.ts';
import { RawAnswer, received, Refusal, serve } from '../../../test/fake-server.ts';
import { ownUser } from '../../../test/fixtures/people.ts';
import { ownInvoice } from '../../../test/fixtures/premium.ts';
import { renderApp } from '../../../test/render-app.tsx';

const billedTo = { name: 'Ada Byron', email: 'ada@heartwood.test' };

function open(invoice = ownInvoice(), to: { name: string | null; email: string } = billedTo) {
  serve(getInvoice, () => ({ data: { invoice, billedTo: to } }));
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
      'Billed to': 'Ada Byronada@heartwood.test',
      For: 'Premium, Monthly',
      Period: 'Oct 20, 2025 – Nov 20, 2025',
      Status: 'Paid',
      'Paid on': 'Oct 20, 2025',
    });
    expect(screen.getByRole('article')).toHaveTextContent('Total$14.99');
    expect(screen.getByRole('link', { name: 'Your plan in Settings' })).toHaveAttribute('href', '/app/settings/plan');
    expect(received(getInvoice)[0]?.params).toEqual({ id: 'invoice-1' });
    expect(await screen.findByText('Test payments. No money moves.')).toBeVisible();
  });

  it('looks right with almost no data', async () => {
    open(ownInvoice({ number: null, plan: null, paidAt: null, status: 'void' }), { name: null, email: 'a@b.test' });
    expect(await screen.findByRole('heading', { level: 1, name: 'Invoice' })).toBeVisible();
    expect(await screen.findByText('Void')).toBeVisible();
    expect(lines()).toMatchObject({ Number: '—', For: '—', 'Billed to': 'a@b.test' });
    expect(document.body.textContent).not.toMatch(/undefined|NaN|Invalid Date|null/);
  });

  it('links to the provider’s page where there is one', async () => {
    open(ownInvoice({ hostedUrl: 'https://invoice.stripe.com/i/1' }));
    const link = await screen.findByRole('link', { name: 'View at the payment provider' });
    expect(link).toHaveAttribute('href', 'https://invoice.stripe.com/i/1');
    expect(link).toHaveAttribute('rel', 'noopener noreferrer');
  });

  it('downloads as a PDF, and says so when that fails', async () => {
    const saved: string[] = [];
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
      saved.push(this.download);
    });
    vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:heartwood');
    serve(getInvoicePdf, () => {
      throw new RawAnswer(502, '');
    });
    const { person } = open();
    const button = await screen.findByRole('button', { name: 'Download PDF' });
    await person.click(button);
    expect(await screen.findByRole('alert')).toHaveTextContent('Server error: 502');
    serve(getInvoicePdf, () => '%PDF-1.7');
    await person.click(button);
    await vi.waitFor(() => expect(saved).toEqual(['heartwood-receipt.pdf']));
    expect(received(getInvoicePdf).at(-1)?.params).toEqual({ id: 'invoice-1' });
    expect(screen.queryByRole('alert')).toBeNull();
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

  it('is not found if missing or another member’s', async () => {
    serve(getInvoice, () => {
      throw new Refusal('NOT_FOUND', 'Not found');
    });
    renderApp('/app/premium/invoices/foreign', ownUser());
    expect(await screen.findByText('Invoice not found.')).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Print' })).toBeNull();
  });

  it('shows loading and errors', async () => {
    serve(getInvoice, () => new Promise(() => undefined));
    const { unmount } = renderApp('/app/premium/invoices/invoice-1', ownUser());
    expect((await screen.findByText('Loading your invoice...')).closest('[role=status]')).not.toBeNull();
    unmount();
    serve(getInvoice, () => {
      throw new RawAnswer(502, '');
    });
    const { person } = renderApp('/app/premium/invoices/invoice-1', ownUser());
    expect(await screen.findByRole('alert')).toHaveTextContent("Couldn't load your invoice: Server error: 502");
    serve(getInvoice, () => ({ data: { invoice: ownInvoice(), billedTo } }));
    await person.click(screen.getByRole('button', { name: 'Retry' }));
    expect(await screen.findByRole('article')).toBeVisible();
  });
});

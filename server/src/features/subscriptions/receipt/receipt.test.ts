import sharp from 'sharp';
import { extractText } from 'unpdf';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { apiBasePath } from '#contract/constants.ts';
import { usualSettings } from '#contract/service/settings.ts';
import { refundSandboxInvoice } from '#contract/subscriptions/payments-sandbox.ts';
import { getInvoice, getInvoicePdf, updateSubscription } from '#contract/subscriptions/subscriptions.ts';
import { makeAdministrator, makeMember, type TestMember } from '../../../../test/factories.ts';
import { startApp, type TestApp } from '../../../../test/harness.ts';
import { plainPng } from '../../../../test/pictures.ts';
import { buyPremium, newestInvoiceId, settle } from '../../../../test/premium.ts';
import { inLanguage } from '#platform/process/log.ts';
import { showBrand } from '#platform/service/brand.ts';
import { printable, receiptAsPdf } from './pdf.ts';
import { type Receipt, receiptOf, splitTax } from './receipt.ts';

const seller = {
  name: 'Example Demo Ltd',
  address: '1 Example Street, London EC1A 1AA, United Kingdom',
  taxId: 'GB 000 0000 00',
  taxName: 'VAT',
  taxPercent: 20,
};
const unknownSeller = { name: null, address: null, taxId: null, taxName: 'VAT', taxPercent: null };

/** The text of a PDF, read by a parser that is not the one that wrote it. */
async function textOf(pdf: Uint8Array): Promise<string> {
  const { text, totalPages } = await extractText(new Uint8Array(pdf), { mergePages: true });
  expect(totalPages).toBe(1);
  return text.replaceAll(/\s+/g, ' ');
}

const moment = new Date('2026-03-05T23:30:00Z');

function receipt(
  changes: Partial<Parameters<typeof receiptOf>[0]> = {},
  customer = { name: 'Ada Byron' as string | null, email: 'ada@heartwood.test' },
): Receipt {
  const row = {
    id: 'in_1',
    account_id: null,
    subscription_id: null,
    provider: 'sandbox' as const,
    number: 'HW-2026-000007',
    status: 'paid' as const,
    plan: 'monthly' as const,
    total_minor: 1499,
    currency: 'USD',
    created_at: moment,
    period_start: moment,
    period_end: new Date('2026-04-05T23:30:00Z'),
    paid_at: moment,
    hosted_url: null,
    is_as_asked: true,
    receipt: { seller, card: { brand: 'visa', last4: '4242' }, creditMinor: 0, discountMinor: 0 },
    refunded_minor: 0,
    refunded_at: null,
  };
  return receiptOf({ ...row, ...changes }, customer, unknownSeller);
}

const printed = async (of: Receipt) => await textOf(await receiptAsPdf(of, { isTest: false }));

describe('a receipt', () => {
  it('states the tax included in an amount, for refunds as for payments', () => {
    const usd = (amountMinor: number) => ({ amountMinor, currency: 'USD' });
    expect(splitTax(usd(1499), 20)).toEqual({ netMinor: 1249, taxMinor: 250, grossMinor: 1499 });
    expect(splitTax(usd(-1499), 20)).toEqual({ netMinor: -1249, taxMinor: -250, grossMinor: -1499 });
    expect(splitTax(usd(1499), null)).toEqual({ netMinor: 1499, taxMinor: null, grossMinor: 1499 });
    expect(splitTax(usd(0), 20)).toEqual({ netMinor: 0, taxMinor: 0, grossMinor: 0 });
  });

  it('contains seller, customer, number, dates, card, lines and tax', async () => {
    const text = await printed(receipt());
    for (const part of [
      'Receipt',
      'Seller Example Demo Ltd 1 Example Street London EC1A 1AA United Kingdom VAT ID: GB 000 0000 00',
      'Billed to Ada Byron ada@heartwood.test',
      'Receipt number HW-2026-000007',
      'Date of issue 5 March 2026',
      'Paid on 5 March 2026',
      'Paid with Visa ending in 4242',
      'Period 5 March 2026 – 5 April 2026',
      'Description Net VAT 20 % Gross',
      'Heartwood Premium, monthly 12.49 2.50 14.99',
      'Total (USD) 12.49 2.50 14.99',
    ])
      expect(text).toContain(part);
    expect(text).not.toMatch(/Test payment|Refund|not paid/);
  });

  it('lists credit and discount as lines that add up', async () => {
    const facts = { seller, card: null, creditMinor: 733, discountMinor: 100 };
    const of = receipt({ plan: 'annual', total_minor: 11155, receipt: facts });
    expect(of.total.netMinor + (of.total.taxMinor ?? 0)).toBe(11155);
    const text = await printed(of);
    expect(text).toContain('Heartwood Premium, annual 99.90 19.98 119.88');
    expect(text).toContain('Credit for the unused part of your earlier plan −6.11 −1.22 −7.33');
    expect(text).toContain('Discount −0.83 −0.17 −1.00');
    expect(text).toContain('Total (USD) 92.96 18.59 111.55');
  });

  it('subtracts a refund, whole or partial', async () => {
    const refunded = { status: 'refunded' as const, refunded_at: new Date('2026-03-09T08:00:00Z') };
    const whole = await printed(receipt({ ...refunded, refunded_minor: 1499 }));
    expect(whole).toContain('Refund on 9 March 2026 −12.49 −2.50 −14.99');
    expect(whole).toContain('Paid after refund (USD) 0.00 0.00 0.00');
    const part = await printed(receipt({ ...refunded, status: 'paid', refunded_minor: 500 }));
    expect(part).toContain('Partial refund on 9 March 2026 −4.17 −0.83 −5.00');
    expect(part).toContain('Paid after refund (USD) 8.32 1.67 9.99');
  });

  it('states only what is known, and no tax without a rate', async () => {
    const text = await printed(receipt({ receipt: null, number: null, plan: null }));
    expect(text).toContain('Receipt number in_1');
    expect(text).toContain('Description Amount Heartwood Premium 14.99 Total (USD) 14.99');
    expect(text).not.toMatch(/Seller|VAT|Paid with|null|undefined|NaN/);
  });

  it('is titled as an invoice while it is unpaid', async () => {
    const text = await printed(receipt({ status: 'open', paid_at: null, receipt: null }));
    expect(text).toContain('Invoice number HW-2026-000007');
    expect(text).toContain('This invoice is not paid yet.');
    expect(text).not.toMatch(/Receipt|Paid on/);
  });

  it('uses the decimals of its currency', async () => {
    expect(await printed(receipt({ currency: 'JPY', total_minor: 1500 }))).toContain('Total (JPY) 1,250 250 1,500');
  });

  it.each([
    [
      'de',
      'Beleg Anbieter Example Demo Ltd',
      'VAT-Nummer: GB 000 0000 00 Rechnung an Ada Byron',
      'Ausgestellt am 5. März 2026 Bezahlt am 5. März 2026 Bezahlt mit Visa mit den Endziffern 4242',
      'Zeitraum 5. März 2026 – 5. April 2026 Währung USD Beschreibung Netto VAT 20 % Brutto',
      'Heartwood Premium, monatlich 12,49 2,50 14,99 Gesamt (USD) 12,49 2,50 14,99',
      'Teilerstattung am 9. März 2026 −4,17 −0,83 −5,00 Bezahlt nach Erstattung (USD) 8,32 1,67 9,99',
    ],
    ['pl', 'Data płatności 5 marca 2026 Sposób płatności Visa', 'Sprzedawca Example Demo Ltd', '12,49 2,50 14,99'],
  ] as const)('is in the reader’s language: %s', async (language, ...parts) => {
    const refund = { refunded_minor: 500, refunded_at: new Date('2026-03-09T08:00:00Z') };
    const text = await inLanguage(language, async () => await printed(receipt(refund)));
    for (const part of parts) expect(text).toContain(part);
  });

  it('is the same file every time', async () => {
    const [one, other] = await Promise.all([receipt(), receipt()].map((each) => receiptAsPdf(each, { isTest: true })));
    expect(one?.equals(other ?? Buffer.alloc(0))).toBe(true);
  });

  it.each([
    ['Ångström Çelik-Łukasiewicz Nguyễn', 'Ångström Çelik-Łukasiewicz Nguyễn'],
    ['Анастасия Ющенко', 'Анастасия Ющенко'],
    ['Ελένη Παπαδοπούλου', 'Ελένη Παπαδοπούλου'],
    ["O'Brien \n\r\t ‮<b>Tj) (x\\", "O'Brien <b>Tj) (x\\"],
    ['Anna 🌸', 'Anna'],
  ])('prints the name %j', async (name, shown) => {
    expect(await printed(receipt({}, { name, email: 'a@b.test' }))).toContain(`Billed to ${shown} a@b.test`);
  });

  it.each(['山田太郎', 'محمد علي', 'דנה', '🌸🌸', '\u0000\u202e', ''])(
    'falls back to the email address for the name %j',
    async (name) => {
      expect(printable(name)).toBe('');
      expect(await printed(receipt({}, { name, email: 'a@b.test' }))).toContain('Billed to a@b.test');
    },
  );

  it('stays on one page with the longest texts', async () => {
    const long = { ...seller, name: 'W'.repeat(500), address: 'Ж'.repeat(500), taxId: '9'.repeat(500) };
    const facts = { seller: long, card: { brand: 'x'.repeat(99), last4: '0000' }, creditMinor: 1, discountMinor: 1 };
    const customer = { name: 'Ω'.repeat(300), email: `${'a'.repeat(240)}@heartwood.test` };
    expect(await printed(receipt({ receipt: facts, refunded_minor: 5 }, customer))).toContain('Paid after refund');
  });
});

describe('GET /subscription/invoices/{id}/pdf', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startApp();
  });
  afterAll(() => app.close());

  /** Downloads the newest receipt in a language. Returns its name and text, and whether it has a picture. */
  async function download({ token }: TestMember, language = 'en') {
    const id = await newestInvoiceId(app, { token });
    const answer = await app.app.inject({
      url: apiBasePath + getInvoicePdf.path.replace('{id}', id),
      headers: { authorization: `Bearer ${token}`, 'accept-language': language },
    });
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'application/pdf']);
    const hasPicture = answer.rawPayload.includes('/Subtype /Image');
    return { name: answer.headers['content-disposition'], text: await textOf(answer.rawPayload), hasPicture };
  }

  it('returns what was paid, with the card and the note that it was a test', async () => {
    const payer = await makeMember(app, { firstName: 'Зоя', lastName: 'Иванова' });
    await buyPremium(app, payer);
    const { name, text } = await download(payer);
    expect(name).toMatch(/^attachment; filename="heartwood-receipt-hw-\d{4}-\d{6}\.pdf"$/);
    expect(text).toContain('Test payment. No money was moved.');
    expect(text).toContain(`Billed to Зоя Иванова ${payer.email}`);
    expect(text).toContain('Paid with Visa ending in 4242');
    expect(text).toContain('Total (USD) 12.49 2.50 14.99');
  });

  it('shows the icon of the brand in place of the product’s heart', async () => {
    const payer = await makeMember(app);
    await buyPremium(app, payer);
    expect((await download(payer)).hasPicture).toBe(false);
    const png = await sharp(plainPng(64, 64)).ensureAlpha(0.5).png().toBuffer();
    const icon = 'c'.repeat(64);
    await app.db.insertInto('brand_picture').values({ id: icon, png, uploaded_at: moment }).execute();
    showBrand({ ...usualSettings.brand, icon });
    const { hasPicture, text } = await download(payer);
    showBrand(usualSettings.brand);
    expect(hasPicture).toBe(true);
    expect(text).toContain('Billed to');
  });

  it('is in the requested language, or in English if that language is written from right to left', async () => {
    const payer = await makeMember(app);
    await buyPremium(app, payer);
    const german = await download(payer, 'de');
    expect(german.name).toMatch(/filename="heartwood-beleg-hw-\d{4}-\d{6}\.pdf"$/);
    expect(german.text).toContain('Testzahlung. Es ist kein Geld geflossen.');
    expect(await download(payer, 'ar')).toEqual(await download(payer));
    const params = { id: await newestInvoiceId(app, payer) };
    const shown = await app.call(getInvoice, { token: payer.token, params, headers: { 'accept-language': 'de' } });
    expect(shown.body.data.receipt).toMatchObject({
      title: 'Receipt',
      lines: [{ text: 'Heartwood Premium, monatlich' }],
    });
  });

  it('shows the credit of an upgrade and then its refund', async () => {
    const payer = await makeMember(app);
    await buyPremium(app, payer);
    await app.call(updateSubscription, { token: payer.token, body: { plan: 'annual' } });
    await settle(app);
    const { text } = await download(payer);
    expect(text).toContain('Heartwood Premium, annual 99.90 19.98 119.88');
    expect(text).toMatch(/Credit for the unused part of your earlier plan −\d/);
    const { token } = await makeAdministrator(app);
    await app.call(refundSandboxInvoice, { token, params: { id: await newestInvoiceId(app, payer) } });
    await settle(app);
    expect((await download(payer)).text).toMatch(/Refund on .* Paid after refund \(USD\) 0\.00 0\.00 0\.00/);
  });

  it('keeps the seller and the tax that applied on the day of the payment', async () => {
    const payer = await makeMember(app);
    await buyPremium(app, payer);
    const former = {
      seller: { ...seller, name: 'Former Ltd', taxPercent: 7 },
      card: null,
      creditMinor: 0,
      discountMinor: 0,
    };
    await app.db
      .updateTable('invoice')
      .set({ receipt: JSON.stringify(former) })
      .where('id', '=', await newestInvoiceId(app, payer))
      .execute();
    await app.app.background.tasks['subscriptions.reconcile']?.({}, undefined as never);
    const { text } = await download(payer);
    expect(text).toContain('Seller Former Ltd');
    expect(text).toContain('Total (USD) 14.01 0.98 14.99');
  });
});

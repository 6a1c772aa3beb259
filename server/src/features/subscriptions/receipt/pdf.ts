import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/runtime-macro';
import PDFDocument from 'pdfkit';
import { currencyRule, majorOf } from '#contract/subscriptions/currency.ts';
import { presentLanguage } from '#platform/process/log.ts';
import { longDate, textOf } from '#platform/texts.ts';
import { presentBrand } from '#platform/service/brand.ts';
import { type Amount, type Receipt, titleOf } from './receipt.ts';

const { resolve } = createRequire(import.meta.url);
const fontFile = (name: string) => readFileSync(resolve(`@expo-google-fonts/noto-sans/${name}.ttf`));
const fonts = {
  regular: fontFile('400Regular/NotoSans_400Regular'),
  bold: fontFile('600SemiBold/NotoSans_600SemiBold'),
} as const;

const ink = '#241a16';
const soft = '#64554b';
const rule = '#d9cbbd';
const usualAccent = '#972f33';
const accentNow = () => presentBrand().colours?.light ?? usualAccent;
const heart =
  'M24 42.5C13.2 35.6 4.5 28 4.5 18.2 4.5 11.6 9.4 6.5 15.6 6.5c3.5 0 6.5 1.7 8.4 4.5 1.9-2.8 4.9-4.5 8.4-4.5 6.2 0 11.1 5.1 11.1 11.7 0 9.8-8.7 17.4-19.5 24.3Z';
const margin = 56;
const pageWidth = 595.28;
const width = pageWidth - 2 * margin;
const longest = 200;
const mostPartyLines = 7;

/**
 * The characters of `text` that the typeface can show: Latin, Cyrillic and Greek, in one line. Empty for a name in another script; the
 * customer is then identified by their email address.
 */
export function printable(text: string): string {
  const shown = text
    .normalize('NFC')
    .replaceAll(/\s+/gu, ' ')
    .replaceAll(/[^\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{Mn}\x20-\x7e·’‘“”–—°№€£]/gu, '')
    .trim();
  return /[\p{L}\p{N}]/u.test(shown) ? shown.slice(0, longest) : '';
}

/** An amount in minor units with its currency's decimals, as in 1,234.50. */
function amountText(minor: number, currency: string): string {
  const { shownDigits } = currencyRule(currency);
  const format = new Intl.NumberFormat(presentLanguage(), {
    minimumFractionDigits: shownDigits,
    maximumFractionDigits: shownDigits,
  });
  return format.format(majorOf({ amountMinor: minor, currency })).replace(/^-/, '−');
}

type Document = InstanceType<typeof PDFDocument>;

interface Style {
  font?: keyof typeof fonts;
  size?: number;
  color?: string;
}

const mostLines = 3;

/** Writes `text` in at most three lines. Returns where it ends. */
function write(
  doc: Document,
  text: string,
  x: number,
  y: number,
  options: PDFKit.Mixins.TextOptions & Style = {},
): number {
  const { font = 'regular', size = 9.5, color = ink, ...rest } = options;
  doc
    .font(font)
    .fontSize(size)
    .fillColor(color)
    .text(text, x, y, { lineGap: 2, height: mostLines * size * 1.6, ellipsis: true, ...rest });
  return doc.y;
}

/** Writes a heading above lines of text, each in one column. Returns where it ends. */
function block(doc: Document, title: string, lines: string[], x: number, y: number, columnWidth: number): number {
  if (lines.length === 0) return y;
  let at = write(doc, title, x, y, { size: 8.5, color: soft, width: columnWidth }) + 2;
  lines.forEach((line, index) => {
    at = write(doc, line, x, at, { width: columnWidth, font: index === 0 ? 'bold' : 'regular' });
  });
  return at;
}

function header(doc: Document, receipt: Receipt, { isTest, icon }: Shown): number {
  if (icon !== undefined) doc.image(icon, margin, 52, { fit: [26, 26] });
  else doc.save().translate(margin, 52).scale(0.55).path(heart).fill(accentNow()).restore();
  write(doc, presentBrand().name, margin + 34, 56, { font: 'bold', size: 14 });
  const after = write(doc, titleOf(receipt), margin, 104, { font: 'bold', size: 24 });
  const note = textOf(msg`Test payment. No money was moved.`);
  return isTest ? write(doc, note, margin, after + 2, { color: accentNow(), width }) : after;
}

function parties(doc: Document, { seller, customer }: Receipt, y: number): number {
  const { name, address, taxId, taxName } = seller;
  const taxNumber = taxId === null ? null : textOf(msg`${{ tax: taxName }} ID: ${{ id: taxId }}`);
  const from = [name, ...(address ?? '').split(','), taxNumber];
  const to = [customer.name, customer.email];
  const shown = (lines: (string | null)[]) =>
    lines
      .map((each) => printable(each ?? ''))
      .filter((each) => each !== '')
      .slice(0, mostPartyLines);
  const half = width / 2 - 16;
  return Math.max(
    block(doc, textOf(msg`Seller`), shown(from), margin, y, half),
    block(doc, textOf(msg`Billed to`), shown(to), margin + width / 2 + 16, y, half),
  );
}

const brands: Record<string, string> = { visa: 'Visa', mastercard: 'Mastercard', amex: 'American Express' };

function cardName({ brand, last4 }: NonNullable<Receipt['card']>): string {
  return textOf(msg`${{ brand: brands[brand] ?? printable(brand) }} ending in ${{ digits: printable(last4) }}`);
}

function facts(doc: Document, receipt: Receipt, y: number): number {
  const { number, createdAt, paidAt, card, periodStart, periodEnd, currency } = receipt;
  const rows: (false | [MessageDescriptor, string])[] = [
    [receipt.title === 'Receipt' ? msg`Receipt number` : msg`Invoice number`, printable(number)],
    [msg`Date of issue`, longDate(createdAt)],
    paidAt !== null && [msg`Paid on`, longDate(paidAt)],
    paidAt !== null && card !== null && [msg`Paid with`, cardName(card)],
    [msg`Period`, `${longDate(periodStart)} – ${longDate(periodEnd)}`],
    [msg`Currency`, currency],
  ];
  let at = y;
  for (const [name, value] of rows.filter((each) => each !== false)) {
    const after = write(doc, textOf(name), margin, at, { color: soft, width: 110 });
    at = Math.max(after, write(doc, value, margin + 120, at, { width: width - 120 })) + 1;
  }
  return at;
}

const amountWidth = 80;

/** Writes a row of the table. Without a tax rate, only the gross amount is stated. */
function row(doc: Document, text: string, cells: string[], y: number, style: Style = {}): number {
  const textWidth = width - cells.length * amountWidth;
  const after = write(doc, text, margin, y, { ...style, width: textWidth - 12 });
  cells.forEach((cell, index) =>
    write(doc, cell, margin + textWidth + index * amountWidth, y, { ...style, width: amountWidth, align: 'right' }),
  );
  return after + 6;
}

const line = (doc: Document, y: number) => {
  doc
    .moveTo(margin, y)
    .lineTo(margin + width, y)
    .lineWidth(0.7)
    .strokeColor(rule)
    .stroke();
  return y + 8;
};

function table(doc: Document, receipt: Receipt, y: number): number {
  const { seller, currency, lines, total, refund, note } = receipt;
  const hasTax = seller.taxPercent !== null;
  const money = (minor: number | null) => amountText(minor ?? 0, currency);
  const cells = ({ netMinor, taxMinor, grossMinor }: Amount) =>
    hasTax ? [money(netMinor), money(taxMinor), money(grossMinor)] : [money(grossMinor)];
  const percent = seller.taxPercent?.toLocaleString(presentLanguage());
  const tax = msg`${{ tax: printable(seller.taxName) }} ${{ percent }} %`;
  const heads = (hasTax ? [msg`Net`, tax, msg`Gross`] : [msg`Amount`]).map((head) => textOf(head));
  let at = line(doc, row(doc, textOf(msg`Description`), heads, y, { color: soft }));
  for (const each of lines) at = row(doc, each.text, cells(each), at);
  at = row(doc, `${textOf(msg`Total`)} (${currency})`, cells(total), line(doc, at), { font: 'bold' });
  if (refund !== null) {
    const what = refund.line.text;
    const text = refund.at === null ? what : textOf(msg`${{ what }} on ${{ date: longDate(refund.at) }}`);
    at = row(doc, text, cells(refund.line), line(doc, at));
    at = row(doc, `${textOf(msg`Paid after refund`)} (${currency})`, cells(refund.remaining), line(doc, at), {
      font: 'bold',
    });
  }
  return note === null ? at : write(doc, note, margin, at + 8, { width });
}

/** What a receipt shows besides its facts: that no money moved, and the icon of the brand in place of the product's heart. */
interface Shown {
  isTest: boolean;
  icon?: Buffer | undefined;
}

/**
 * A receipt as a PDF page. The same receipt always produces the same bytes in a language, which has to be written from left
 * to right.
 */
export async function receiptAsPdf(receipt: Receipt, shown: Shown): Promise<Buffer> {
  const doc = new PDFDocument({
    size: 'A4',
    margins: { top: 40, bottom: 40, left: margin, right: margin },
    lang: presentLanguage(),
    displayTitle: true,
    info: {
      Title: `${titleOf(receipt)} ${printable(receipt.number)}`,
      Creator: presentBrand().name,
      Producer: presentBrand().name,
      CreationDate: receipt.paidAt ?? receipt.createdAt,
    },
  });
  // Fonts are registered by name, because a font that is given as bytes is parsed again for each text.
  for (const [name, bytes] of Object.entries(fonts)) doc.registerFont(name, bytes);
  const afterParties = parties(doc, receipt, header(doc, receipt, shown) + 24);
  table(doc, receipt, facts(doc, receipt, afterParties + 24) + 28);
  doc.end();
  const parts: Buffer[] = [];
  for await (const part of doc) parts.push(part as Buffer);
  return Buffer.concat(parts);
}

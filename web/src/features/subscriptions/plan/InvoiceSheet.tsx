import { t } from '@lingui/core/macro';
import { Button, Group, Stack, Text } from '@mantine/core';
import { IconPrinter } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { InvoiceView, ReceiptView } from '#contract/subscriptions/subscriptions.ts';
import { readableAddress } from '#contract/text.ts';
import table from '../../../ui/data/CardTable.module.css';
import { Tag } from '../../../ui/data/Tag.tsx';
import { useBrand } from '../../../brand.ts';
import { LogoMark } from '../../../ui/shell/Logo.tsx';
import { formatMoney } from '../../../ui/text/format-payment.ts';
import { formatDate, formatNumber } from '../../../ui/text/format.ts';
import { cardName, invoicedPlan, invoiceStatusTone, invoiceStatusWord } from '../plan-words.ts';
import type { BilledInvoice } from '../queries.ts';
import { DownloadPdf, offersPdf } from './InvoiceList.tsx';
import classes from './invoice.module.css';

function Line({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className={classes.line}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** The first and the last day of the paid period. */
function periodOf({ period_start: start, period_end: end }: InvoiceView) {
  return `${formatDate(start)} – ${formatDate(end)}`;
}

type Amount = ReceiptView['total'];

/** The seller or the customer: a name with details below, one per line. */
function Party({ title, lines }: { title: string; lines: readonly (string | null)[] }) {
  const shown = lines.flatMap((line) => line?.trim() || []);
  if (shown.length === 0) return null;
  return (
    <div>
      <dt>{title}</dt>
      {shown.map((line) => (
        <dd key={line}>
          <bdi>{line}</bdi>
        </dd>
      ))}
    </div>
  );
}

/** The items with tax, credit and refund, as in the PDF; without a tax rate, only gross amounts. */
function ReceiptTable({ receipt, currency }: { receipt: ReceiptView; currency: string }) {
  const { lines, total, refund, seller } = receipt;
  const heads =
    seller.taxPercent === null
      ? [t`Amount`]
      : [t`Net`, t`${{ tax: seller.taxName }} ${{ percent: formatNumber(seller.taxPercent) }} %`, t`Gross`];
  const cells = ({ netMinor, taxMinor, grossMinor }: Amount) =>
    (seller.taxPercent === null ? [grossMinor] : [netMinor, taxMinor ?? 0, grossMinor]).map((amountMinor, index) => (
      <td key={heads[index]} data-label={heads[index]}>
        {formatMoney({ amountMinor, currency })}
      </td>
    ));
  const row = (text: string, amount: Amount, isSum = false) => (
    <tr key={text} data-sum={isSum || undefined}>
      <th scope="row">{text}</th>
      {cells(amount)}
    </tr>
  );
  return (
    <div className={table.place}>
      <table className={`${table.table} ${classes.amounts}`}>
        <thead>
          <tr>
            <th scope="col">{t`Description`}</th>
            {heads.map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {lines.map((line) => row(line.text, line))}
          {row(t`Total`, total, true)}
          {refund !== null && (
            <>
              {row(
                refund.at === null
                  ? refund.line.text
                  : t`${{ what: refund.line.text }} on ${{ date: formatDate(refund.at) }}`,
                refund.line,
              )}
              {row(t`Paid after refund`, refund.remaining, true)}
            </>
          )}
        </tbody>
      </table>
    </div>
  );
}

/** One invoice as a sheet of paper. Only the sheet is printed. */
export function InvoiceSheet({ invoice, billedTo, receipt }: BilledInvoice) {
  const { status, paidAt, hostedUrl } = invoice;
  const { name } = useBrand();
  return (
    <>
      <article className={classes.sheet} data-printable>
        <Group component="p" gap="0.6rem" mb="1.5rem" ff="heading" fz="title" fw={600}>
          <LogoMark size={28} />
          <span>{name}</span>
        </Group>
        {receipt && (
          <Text mb="1rem" fz="1.6rem" fw={600}>
            {receipt.title === 'Receipt' ? t`Receipt` : t`Invoice`}
          </Text>
        )}
        <dl className={classes.parties}>
          {receipt && (
            <Party
              title={t`Seller`}
              lines={[
                receipt.seller.name,
                ...(receipt.seller.address ?? '').split(','),
                receipt.seller.taxId && t`${{ tax: receipt.seller.taxName }} ID: ${{ id: receipt.seller.taxId }}`,
              ]}
            />
          )}
          <Party title={t`Billed to`} lines={[billedTo.name, readableAddress(billedTo.email)]} />
        </dl>
        <Stack component="dl" gap="0.6rem">
          <Line name={t`Number`}>{invoice.number ?? '—'}</Line>
          <Line name={t`Date`}>
            <time dateTime={invoice.created}>{formatDate(invoice.created)}</time>
          </Line>
          {!receipt && <Line name={t`For`}>{invoicedPlan(invoice)}</Line>}
          <Line name={t`Period`}>{periodOf(invoice)}</Line>
          <Line name={t`Status`}>
            <Tag tone={invoiceStatusTone(status)}>{invoiceStatusWord(status)}</Tag>
          </Line>
          {paidAt !== null && (
            <Line name={t`Paid on`}>
              <time dateTime={paidAt}>{formatDate(paidAt)}</time>
            </Line>
          )}
          {receipt?.card && paidAt !== null && <Line name={t`Paid with`}>{cardName(receipt.card)}</Line>}
        </Stack>
        {receipt ? (
          <ReceiptTable receipt={receipt} currency={invoice.total.currency} />
        ) : (
          <p className={classes.total}>
            <span>{t`Total`}</span>
            <span>{formatMoney(invoice.total)}</span>
          </p>
        )}
        {receipt?.note && (
          <Text mt="1rem" c="dimmed">
            {receipt.note}
          </Text>
        )}
      </article>
      <Group gap="0.6rem" my="1.25rem" data-screen-only>
        {offersPdf() && <DownloadPdf invoice={invoice} />}
        <Button
          variant="default"
          leftSection={<IconPrinter size={18} stroke={1.75} aria-hidden="true" />}
          onClick={() => window.print()}
        >
          {t`Print`}
        </Button>
        {hostedUrl !== null && (
          <Button component="a" href={hostedUrl} target="_blank" rel="noopener noreferrer" variant="default">
            {t`View at the payment provider`}
          </Button>
        )}
      </Group>
    </>
  );
}

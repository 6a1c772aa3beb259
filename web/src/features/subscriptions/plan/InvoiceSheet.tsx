import { Button } from '@mantine/core';
import { IconPrinter } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { InvoiceView } from '#contract/subscriptions/subscriptions.ts';
import { Tag } from '../../../ui/data/Tag.tsx';
import { LogoMark } from '../../../ui/shell/Logo.tsx';
import { formatMoney } from '../../../ui/text/format-payment.ts';
import { formatDate } from '../../../ui/text/format.ts';
import { t } from '../../../ui/text/text.ts';
import { invoicedPlan, invoiceStatusTones, invoiceStatusWords } from '../plan-words.ts';
import type { BilledInvoice } from '../queries.ts';
import { DownloadPdf } from './DownloadPdf.tsx';
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

/** One invoice as a sheet of paper; only the sheet is printed. */
export function InvoiceSheet({ invoice, billedTo }: BilledInvoice) {
  const { status, paidAt, hostedUrl } = invoice;
  return (
    <>
      <article className={classes.sheet} data-printable>
        <p className={classes.from}>
          <LogoMark size={28} />
          <span>Heartwood</span>
        </p>
        <dl className={classes.lines}>
          <Line name={t('Number')}>{invoice.number ?? '—'}</Line>
          <Line name={t('Date')}>
            <time dateTime={invoice.created}>{formatDate(invoice.created)}</time>
          </Line>
          <Line name={t('Billed to')}>
            {billedTo.name !== null && (
              <>
                <bdi>{billedTo.name}</bdi>
                <br />
              </>
            )}
            <bdi>{billedTo.email}</bdi>
          </Line>
          <Line name={t('For')}>{invoicedPlan(invoice)}</Line>
          <Line name={t('Period')}>{periodOf(invoice)}</Line>
          <Line name={t('Status')}>
            <Tag tone={invoiceStatusTones[status]}>{t(invoiceStatusWords[status])}</Tag>
          </Line>
          {paidAt !== null && (
            <Line name={t('Paid on')}>
              <time dateTime={paidAt}>{formatDate(paidAt)}</time>
            </Line>
          )}
        </dl>
        <p className={classes.total}>
          <span>{t('Total')}</span>
          <span>{formatMoney(invoice.total)}</span>
        </p>
      </article>
      <div className={classes.invoiceButtons} data-screen-only>
        <DownloadPdf invoice={invoice} />
        <Button
          variant="default"
          leftSection={<IconPrinter size={18} stroke={1.75} aria-hidden="true" />}
          onClick={() => window.print()}
        >
          {t('Print')}
        </Button>
        {hostedUrl !== null && (
          <Button component="a" href={hostedUrl} target="_blank" rel="noopener noreferrer" variant="default">
            {t('View at the payment provider')}
          </Button>
        )}
      </div>
    </>
  );
}

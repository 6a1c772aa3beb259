import { t } from '@lingui/core/macro';
import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { Link } from 'react-router';
import { directionOf } from '#contract/languages.ts';
import { getInvoicePdf, type InvoiceView } from '#contract/subscriptions/subscriptions.ts';
import table from '../../../ui/data/CardTable.module.css';
import { InfiniteList } from '../../../ui/data/InfiniteList.tsx';
import { Tag } from '../../../ui/data/Tag.tsx';
import { QueryStates } from '../../../ui/feedback/PageStates.tsx';
import { Hint } from '../../../ui/layout/text-blocks.tsx';
import { Part } from '../../../ui/layout/Page.tsx';
import { formatMoney } from '../../../ui/text/format-payment.ts';
import { formatDate, formatExactTime } from '../../../ui/text/format.ts';
import { language } from '../../../ui/text/text.ts';
import { invoicedPlan, invoiceName, invoiceStatusTone, invoiceStatusWord } from '../plan-words.ts';
import { invoicesOf, invoicesQuery, refreshingOf } from '../queries.ts';
import classes from './invoice.module.css';
import { IconDownload } from '@tabler/icons-react';
import { callForFile } from '../../../api/call.ts';
import { brandFile, saveFile } from '../../../ui/data/save-file.ts';
import { ErrorNotice } from '../../../ui/feedback/Notice.tsx';
import { BusyButton } from '../../../ui/form/BusyButton.tsx';
import { answered, fallbackTexts } from '../errors.ts';

/** Whether there are PDFs in the reader's language: not if it is written from right to left. Its receipts are printed. */
export const offersPdf = () => directionOf(language) === 'ltr';

interface DownloadPdfProps {
  invoice: Pick<InvoiceView, '_id' | 'number'>;
  /** Only shows an icon, for tables. Its accessible name includes the invoice. */
  isCompact?: boolean;
}

/** A button that saves the receipt for an invoice as a PDF. */
export function DownloadPdf({ invoice, isCompact = false }: DownloadPdfProps) {
  const { mutate, isPending, error } = useMutation({
    mutationFn: async () => {
      const params = { id: invoice._id };
      const { blob, name } = await answered(() => callForFile(getInvoicePdf, { params }), fallbackTexts.pdf);
      saveFile(blob, name ?? brandFile('receipt.pdf'));
    },
  });
  const icon = <IconDownload size={18} stroke={1.75} aria-hidden="true" />;
  const press = { isBusy: isPending, onClick: () => mutate() };
  const name = t`Download PDF of ${{ invoice: invoiceName(invoice) }}`;
  return (
    <>
      {isCompact ? (
        <BusyButton {...press} busyText="" variant="subtle" size="compact-md" px="xs" aria-label={name} title={name}>
          {icon}
        </BusyButton>
      ) : (
        <BusyButton {...press} busyText={t`Downloading...`} leftSection={icon}>
          {t`Download PDF`}
        </BusyButton>
      )}
      <ErrorNotice error={error} />
    </>
  );
}

function InvoiceTable({ invoices }: { invoices: readonly InvoiceView[] }) {
  const columns = [t`Date`, t`Invoice`, t`Plan`, t`Total`, t`Status`, ...(offersPdf() ? [t`PDF`] : [])];
  return (
    <div className={table.place}>
      <table className={table.table} aria-label={t`Invoices`}>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {invoices.map((invoice) => (
            <tr key={invoice._id}>
              <td data-label={columns[0]}>
                <time
                  className={classes.invoiceDate}
                  dateTime={invoice.created}
                  title={formatExactTime(invoice.created)}
                >
                  {formatDate(invoice.created)}
                </time>
              </td>
              <td data-label={columns[1]}>
                <Link
                  to={`/app/premium/invoices/${invoice._id}`}
                  className={classes.invoiceLink}
                  aria-label={invoiceName(invoice)}
                >
                  {invoice.number ?? t`Invoice`}
                </Link>
              </td>
              <td data-label={columns[2]}>{invoicedPlan(invoice)}</td>
              <td data-label={columns[3]}>{formatMoney(invoice.total)}</td>
              <td data-label={columns[4]} className={classes.status}>
                <Tag tone={invoiceStatusTone(invoice.status)}>{invoiceStatusWord(invoice.status)}</Tag>
              </td>
              {offersPdf() && (
                <td data-label={columns[5]} className={classes.pdf}>
                  <DownloadPdf invoice={invoice} isCompact />
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/**
 * The member's invoices, newest first, each with a link to its page. Without a plan, the list is only shown if there
 * are any.
 */
export function InvoiceList({ hasPlan }: { hasPlan: boolean }) {
  const query = useInfiniteQuery({ ...invoicesQuery, select: ({ pages }) => invoicesOf(pages) });
  if (!hasPlan && (query.data ?? []).length === 0) return null;
  return (
    <Part title={t`Invoices`}>
      <QueryStates
        query={query}
        loadingText={t`Loading your invoices...`}
        skeleton="5rem"
        errorText={(error) => t`Couldn't load your invoices: ${error}`}
        refreshing={refreshingOf(query)}
      >
        {(invoices) =>
          invoices.length === 0 ? (
            <Hint>{t`No invoices yet.`}</Hint>
          ) : (
            <InfiniteList query={query} size="xs" margin="1.75rem 0 0">
              <InvoiceTable invoices={invoices} />
            </InfiniteList>
          )
        }
      </QueryStates>
    </Part>
  );
}

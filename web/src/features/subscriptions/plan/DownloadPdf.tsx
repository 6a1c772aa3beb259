import { IconDownload } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { getInvoicePdf, type InvoiceView } from '#contract/subscriptions/subscriptions.ts';
import { callForFile } from '../../../api/call.ts';
import { saveFile } from '../../../ui/data/save-file.ts';
import { ErrorNotice } from '../../../ui/feedback/Notice.tsx';
import { BusyButton } from '../../../ui/form/BusyButton.tsx';
import { t } from '../../../ui/text/text.ts';
import { answered, fallbackTexts } from '../errors.ts';
import { invoiceName } from '../plan-words.ts';

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
      saveFile(blob, name ?? 'heartwood-receipt.pdf');
    },
  });
  const icon = <IconDownload size={18} stroke={1.75} aria-hidden="true" />;
  const press = { isBusy: isPending, onClick: () => mutate() };
  const name = t('Download PDF of {invoice}', { invoice: invoiceName(invoice) });
  return (
    <>
      {isCompact ? (
        <BusyButton {...press} busyText="" variant="subtle" size="compact-md" px="xs" aria-label={name} title={name}>
          {icon}
        </BusyButton>
      ) : (
        <BusyButton {...press} busyText={t('Downloading...')} leftSection={icon}>
          {t('Download PDF')}
        </BusyButton>
      )}
      <ErrorNotice error={error} />
    </>
  );
}

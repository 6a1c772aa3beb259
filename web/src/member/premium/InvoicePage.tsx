import { t } from '@lingui/core/macro';
import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import { ApiError } from '../../api/api-error.ts';
import { useServiceConfig } from '../../api/service-config.ts';
import { SandboxBanner } from '../../features/subscriptions/buying/PlanParts.tsx';
import { invoiceName } from '../../features/subscriptions/plan-words.ts';
import { InvoiceSheet } from '../../features/subscriptions/plan/InvoiceSheet.tsx';
import { invoiceQuery } from '../../features/subscriptions/queries.ts';
import { EmptyState, QueryStates } from '../../ui/feedback/PageStates.tsx';
import { NarrowPage } from '../layout/NarrowPage.tsx';

function OneInvoice({ id }: { id: string }) {
  const config = useServiceConfig();
  const query = useQuery(invoiceQuery(id));
  const isUnknown = query.error instanceof ApiError && query.error.status === 404;
  return (
    <NarrowPage
      title={query.data ? invoiceName(query.data.invoice) : t`Invoice`}
      back={{ to: '/app/settings/plan', text: t`Your plan in Settings` }}
    >
      {isUnknown ? (
        <EmptyState isFramed text={t`Invoice not found.`} />
      ) : (
        <QueryStates
          query={query}
          loadingText={t`Loading your invoice...`}
          skeleton="24rem"
          errorText={(error) => t`Couldn't load your invoice: ${error}`}
        >
          {(billed) => (
            <>
              <InvoiceSheet {...billed} />
              <SandboxBanner payments={config?.providers.payments} />
            </>
          )}
        </QueryStates>
      )}
    </NarrowPage>
  );
}

/** One of the member's invoices, to read and to print. */
export function InvoicePage() {
  const { id = '' } = useParams();
  return <OneInvoice key={id} id={id} />;
}

import { useEffect } from 'react';
import type { InvoiceView, PaymentMethodView, SubscriptionView } from '#contract/subscriptions/subscriptions.ts';
import { readCurrent, readInvoices, readPaymentMethods, readSubscriptions } from './subscription-reads.ts';
import { type ReadState, useSubscription } from './subscription-store.ts';

/** A part of the store as `QueryStates` takes it. */
interface Known<T> {
  data: T | undefined;
  error: Error | null;
  isFetching: boolean;
  refetch: () => unknown;
  /** That what is shown could not be asked for anew. */
  refreshing: { hasFailed: boolean; refresh: () => unknown };
}

function known<T>(data: T, { isKnown, error, loading }: ReadState, refetch: () => unknown): Known<T> {
  return {
    data: isKnown ? data : undefined,
    error,
    isFetching: loading,
    refetch,
    refreshing: { hasFailed: isKnown && error !== null, refresh: refetch },
  };
}

/** The current subscription, null for none; asked for anew by each screen that opens. */
export function useCurrentSubscription(): Known<SubscriptionView | null> {
  useEffect(() => void readCurrent(), []);
  const current = useSubscription((state) => state.currentSubscription);
  return known(
    current,
    useSubscription((state) => state.currentRead),
    readCurrent,
  );
}

/** The kept cards. */
export function usePaymentMethods(): Known<readonly PaymentMethodView[]> {
  useEffect(() => void readPaymentMethods(), []);
  const methods = useSubscription((state) => state.paymentMethods);
  return known(
    methods,
    useSubscription((state) => state.paymentMethodsRead),
    readPaymentMethods,
  );
}

/** The newest invoices, `pages` times twenty. */
export function useInvoices(pages: number): Known<readonly InvoiceView[]> {
  useEffect(() => void readInvoices(pages), [pages]);
  const invoices = useSubscription((state) => state.invoices);
  return known(
    invoices,
    useSubscription((state) => state.invoicesRead),
    () => readInvoices(pages),
  );
}

/** All subscriptions there ever were. */
export function useAllSubscriptions(): Known<readonly SubscriptionView[]> {
  useEffect(() => void readSubscriptions(), []);
  const all = useSubscription((state) => state.userSubscriptions);
  return known(
    all,
    useSubscription((state) => state.allRead),
    readSubscriptions,
  );
}

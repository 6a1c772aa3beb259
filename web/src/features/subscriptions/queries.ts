import { infiniteQueryOptions, type QueryKey, queryOptions, useQuery } from '@tanstack/react-query';
import type { AnswerOf } from '#contract/endpoint.ts';
import type { Plan } from '#contract/subscriptions/plan.ts';
import {
  currentSubscription,
  getInvoice,
  getSubscription,
  type InvoiceView,
  listInvoices,
  listPaymentMethods,
  listSubscriptions,
  type PaymentMethodView,
  previewChange,
  type SubscriptionView,
} from '#contract/subscriptions/subscriptions.ts';
import { ApiError } from '../../api/api-error.ts';
import { call } from '../../api/call.ts';
import { keys } from '../../api/keys.ts';
import { queryClient } from '../../api/query-client.ts';
import { configQuery, type ServiceConfig } from '../../api/service-config.ts';
import { answered, fallbackTexts } from './errors.ts';
import { isOwnersDevice, keepStored, readStored } from './stored.ts';

/** The answer of a call about the member's premium; throws its structured error, or an abort if another user has signed in. */
async function own<T>(ask: () => Promise<T>, fallback: string): Promise<T> {
  const answer = await answered(ask, fallback);
  if (!isOwnersDevice()) throw new DOMException('Another user has signed in', 'AbortError');
  return answer;
}

/** The current subscription; null for none, which is also what a 404 means. */
export const currentSubscriptionQuery = queryOptions({
  queryKey: keys.currentSubscription,
  queryFn: ({ signal }): Promise<SubscriptionView | null> =>
    own(async () => {
      try {
        return (await call(currentSubscription, { signal })).subscription;
      } catch (failure) {
        if (failure instanceof ApiError && failure.status === 404) return null;
        throw failure;
      }
    }, fallbackTexts.current),
  initialData: () => readStored().currentSubscription ?? undefined,
  initialDataUpdatedAt: 0,
  staleTime: 0,
});

/** The saved cards. */
export const paymentMethodsQuery = queryOptions({
  queryKey: keys.paymentMethods,
  queryFn: ({ signal }): Promise<readonly PaymentMethodView[]> =>
    own(async () => (await call(listPaymentMethods, { signal })).data.paymentMethods, fallbackTexts.paymentMethods),
  initialData: () => {
    const { paymentMethods } = readStored();
    return paymentMethods.length > 0 ? paymentMethods : undefined;
  },
  initialDataUpdatedAt: 0,
  staleTime: 0,
});

interface InvoicePage {
  invoices: readonly InvoiceView[];
  total: number;
}

const invoicesPerPage = 20;

/** The invoices of these pages, each once: a new one may have moved the others to the next page. */
export function invoicesOf(pages: readonly InvoicePage[]): InvoiceView[] {
  const invoices = pages.flatMap((page) => page.invoices);
  return [...new Map(invoices.map((invoice) => [invoice._id, invoice])).values()];
}

/** The invoices, newest first, in pages. */
export const invoicesQuery = infiniteQueryOptions({
  queryKey: keys.invoices,
  queryFn: ({ pageParam, signal }): Promise<InvoicePage> =>
    own(async () => {
      const { data } = await call(listInvoices, { query: { page: pageParam, limit: invoicesPerPage }, signal });
      return { invoices: data.invoices, total: data.pagination.total };
    }, fallbackTexts.invoices),
  initialPageParam: 1,
  getNextPageParam: (last, pages) => (invoicesOf(pages).length < last.total ? pages.length + 1 : undefined),
  initialData: () => {
    const { invoices } = readStored();
    const page: InvoicePage = { invoices, total: invoices.length };
    return invoices.length > 0 ? { pages: [page], pageParams: [1] } : undefined;
  },
  initialDataUpdatedAt: 0,
  staleTime: 0,
});

/** Every subscription the member ever had, newest first. */
export const subscriptionsQuery = queryOptions({
  queryKey: keys.subscriptions,
  queryFn: ({ signal }): Promise<readonly SubscriptionView[]> =>
    own(async () => (await call(listSubscriptions, { signal })).data.subscriptions, fallbackTexts.all),
  staleTime: 0,
});

export type BilledInvoice = AnswerOf<typeof getInvoice>['data'];

/** One of the member's invoices, with the person it is made out to. */
export const invoiceQuery = (id: string) =>
  queryOptions({
    queryKey: keys.invoice(id),
    queryFn: ({ signal }): Promise<BilledInvoice> =>
      own(async () => (await call(getInvoice, { params: { id }, signal })).data, fallbackTexts.invoice),
  });

export type PlanChange = AnswerOf<typeof previewChange>['data'];

/** What a change of plan costs now, and when it takes effect. */
export const planChangeQuery = (plan: Plan) =>
  queryOptions({
    queryKey: keys.planChange(plan),
    queryFn: ({ signal }): Promise<PlanChange> =>
      own(async () => (await call(previewChange, { query: { plan }, signal })).data, fallbackTexts.preview),
    staleTime: 0,
  });

/** One subscription, in whatever state; throws the `SubscriptionError`. */
export function readSubscription(id: string): Promise<SubscriptionView> {
  return own(async () => (await call(getSubscription, { params: { id } })).data.subscription, fallbackTexts.one);
}

/** Asks the server again now, even if a request is already on its way; undefined when there is no answer. */
async function readAgain<T>(query: { queryKey: QueryKey }, load: () => Promise<T>): Promise<T | undefined> {
  await queryClient.cancelQueries({ queryKey: query.queryKey });
  return load().catch(() => undefined);
}

export const readCurrent = () =>
  readAgain(currentSubscriptionQuery, () => queryClient.fetchQuery(currentSubscriptionQuery));
export const readPaymentMethods = () =>
  readAgain(paymentMethodsQuery, () => queryClient.fetchQuery(paymentMethodsQuery));
export const readInvoices = () => readAgain(invoicesQuery, () => queryClient.fetchInfiniteQuery(invoicesQuery));
export const readSubscriptions = () => readAgain(subscriptionsQuery, () => queryClient.fetchQuery(subscriptionsQuery));

/** What `QueryStates` needs to say above data that it could not be refreshed. */
export const refreshingOf = (query: { data: unknown; error: Error | null; refetch: () => unknown }) => ({
  hasFailed: query.data !== undefined && query.error !== null,
  refresh: query.refetch,
});

/** What can be bought and which provider takes the payment; `payments` null: nothing can. */
export interface Offer {
  payments: ServiceConfig['providers']['payments'];
  publishableKey: string | null;
  plans: ServiceConfig['premium']['plans'];
  trialDays: number;
}

export type OfferedPlan = Offer['plans'][number];

const offerOf = ({ providers, stripePublishableKey, premium }: ServiceConfig): Offer => ({
  payments: providers.payments,
  publishableKey: stripePublishableKey,
  ...premium,
});

/** The current offer, asked for again on each screen: prices may have changed since the app was opened. */
export function useOffer() {
  return useQuery({ ...configQuery, staleTime: 0, select: offerOf });
}

const storedParts: Record<string, (data: never) => Parameters<typeof keepStored>[0]> = {
  [JSON.stringify(keys.currentSubscription)]: (data: SubscriptionView | null) => ({ currentSubscription: data }),
  [JSON.stringify(keys.paymentMethods)]: (data: readonly PaymentMethodView[]) => ({ paymentMethods: data }),
  [JSON.stringify(keys.invoices)]: (data: { pages: InvoicePage[] }) => ({ invoices: invoicesOf(data.pages) }),
};

// Keeps the parts that outlive a reload. A query that was removed belongs to a user who is gone.
queryClient.getQueryCache().subscribe(({ type, query }) => {
  const part = storedParts[query.queryHash];
  const isCurrent = queryClient.getQueryCache().get(query.queryHash) === query;
  if (part && isCurrent && type === 'updated' && query.state.data !== undefined)
    keepStored(part(query.state.data as never));
});

import type { MessageDescriptor } from '@lingui/core';
import { infiniteQueryOptions, type QueryKey, queryOptions, useMutation, useQuery } from '@tanstack/react-query';
import type { AnswerOf, BodyInput } from '#contract/endpoint.ts';
import type { Plan } from '#contract/subscriptions/plan.ts';
import {
  cancelSubscription,
  confirmSubscription,
  createSetupIntent,
  createSubscription,
  currentSubscription,
  getInvoice,
  getSubscription,
  type InvoiceView,
  listInvoices,
  listPaymentMethods,
  listSubscriptions,
  pauseSubscription,
  type PaymentMethodView,
  previewChange,
  reactivateSubscription,
  removePaymentMethod,
  resumeSubscription,
  setDefaultPaymentMethod,
  type SetupIntentView,
  type StartedPayment,
  type SubscriptionView,
  updateSubscription,
  withdrawSubscription,
} from '#contract/subscriptions/subscriptions.ts';
import { getProfile } from '#contract/profiles/profiles.ts';
import { getPremiumGift } from '#contract/subscriptions/grants.ts';
import { ApiError } from '../../api/api-error.ts';
import { call } from '../../api/call.ts';
import { completedPagination } from '../../api/completed.ts';
import { keys } from '../../api/keys.ts';
import { queryClient } from '../../api/query-client.ts';
import { configQuery, type ServiceConfig } from '../../api/service-config.ts';
import { onSessionChange, readSession } from '../../api/session/stored-session.ts';
import { language } from '../../ui/text/text.ts';
import { answered, fallbackTexts, type SubscriptionError } from './errors.ts';
import { shownSubscription } from './shown-subscription.ts';
import { deviceStorage } from '../../browser-storage.ts';

/**
 * Sends a request about the member's premium. Throws a `SubscriptionError`, or an abort if another user has signed in.
 */
async function own<T>(ask: () => Promise<T>, fallback: MessageDescriptor): Promise<T> {
  const answer = await answered(ask, fallback);
  if (!isOwnersDevice()) throw new DOMException('Another user has signed in', 'AbortError');
  return answer;
}

/** The current subscription; null if there is none, which includes a 404. */
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

/** The current subscription with defaults for missing fields; null if there is none. */
export function useCurrentSubscription() {
  return useQuery({
    ...currentSubscriptionQuery,
    select: (subscription) => (subscription === null ? null : shownSubscription(subscription)),
  });
}

/** Until when the member has premium as a gift from the team; null without one. */
export const premiumGiftQuery = queryOptions({
  queryKey: keys.premiumGift,
  queryFn: ({ signal }) => own(async () => (await call(getPremiumGift, { signal })).data.gift, fallbackTexts.current),
  staleTime: 60_000,
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

/** The invoices of these pages without duplicates, because a new invoice may have moved others to the next page. */
export function invoicesOf(pages: readonly InvoicePage[]): InvoiceView[] {
  const invoices = pages.flatMap((page) => page.invoices);
  return [...new Map(invoices.map((invoice) => [invoice._id, invoice])).values()];
}

/** The invoices, newest first, page by page. */
export const invoicesQuery = infiniteQueryOptions({
  queryKey: keys.invoices,
  queryFn: ({ pageParam, signal }): Promise<InvoicePage> =>
    own(async () => {
      const { data } = await call(listInvoices, { query: { page: pageParam, limit: invoicesPerPage }, signal });
      return { invoices: data.invoices, total: completedPagination(data.pagination, data.invoices.length).total };
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

/** All subscriptions that the member ever had, newest first. */
export const subscriptionsQuery = queryOptions({
  queryKey: keys.subscriptions,
  queryFn: ({ signal }): Promise<readonly SubscriptionView[]> =>
    own(async () => (await call(listSubscriptions, { signal })).data.subscriptions, fallbackTexts.all),
  staleTime: 0,
});

export type BilledInvoice = AnswerOf<typeof getInvoice>['data'];

/** The member's subscriptions, with defaults for missing fields. */
export function useSubscriptions() {
  return useQuery({
    ...subscriptionsQuery,
    select: (all) => all.map((one, index) => shownSubscription(one, `${index}`)),
  });
}

/** One of the member's invoices, with the customer's details and words in the reader's language. */
export const invoiceQuery = (id: string) =>
  queryOptions({
    queryKey: [...keys.invoice(id), language],
    queryFn: ({ signal }): Promise<BilledInvoice> =>
      own(async () => (await call(getInvoice, { params: { id }, signal })).data, fallbackTexts.invoice),
  });

export type PlanChange = AnswerOf<typeof previewChange>['data'];

/** What a change of plan costs now, and when it would take effect. */
export const planChangeQuery = (plan: Plan) =>
  queryOptions({
    queryKey: keys.planChange(plan),
    queryFn: ({ signal }): Promise<PlanChange> =>
      own(async () => (await call(previewChange, { query: { plan }, signal })).data, fallbackTexts.preview),
    staleTime: 0,
  });

/** Loads one subscription in any status; throws a `SubscriptionError` on failure. */
export function readSubscription(id: string): Promise<SubscriptionView> {
  return own(async () => (await call(getSubscription, { params: { id } })).data.subscription, fallbackTexts.one);
}

/** Loads a query again, even if a request is already running; undefined if there is no answer. */
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

/** The props with which `QueryStates` shows that the data above could not be refreshed. */
export const refreshingOf = (query: { data: unknown; error: Error | null; refetch: () => unknown }) => ({
  hasFailed: query.data !== undefined && query.error !== null,
  refresh: query.refetch,
});

/**
 * The plans that can be bought, and the provider that takes the payment; if `payments` is null, nothing can be bought.
 */
export interface Offer {
  payments: ServiceConfig['providers']['payments'];
  publishableKey: string | null;
  plans: ServiceConfig['premium']['plans'];
  trialDays: number;
  withdrawalCountries?: ServiceConfig['premium']['withdrawalCountries'];
}

export type OfferedPlan = Offer['plans'][number];

const offerOf = ({ providers, stripePublishableKey, premium }: ServiceConfig): Offer => ({
  payments: providers.payments,
  publishableKey: stripePublishableKey,
  ...premium,
});

/** The current offer. It is fetched again on each screen, because prices may have changed since the app was opened. */
export function useOffer() {
  return useQuery({ ...configQuery, staleTime: 0, select: offerOf });
}

/** The country of the member's profile; null if it is unknown. */
const ownCountryQuery = queryOptions({
  queryKey: keys.ownCountry,
  queryFn: async ({ signal }) => (await call(getProfile, { signal })).userData.user.location?.country ?? null,
});

/** Whether the member can withdraw from what they buy; in doubt, they can. */
export function useMayWithdraw(): boolean {
  const countries = useOffer().data?.withdrawalCountries ?? null;
  const { data: country } = useQuery({ ...ownCountryQuery, enabled: countries !== null });
  if (countries === null || country === null) return true;
  return country !== undefined && countries.includes(country);
}

const storedParts: Record<string, (data: never) => Parameters<typeof keepStored>[0]> = {
  [JSON.stringify(keys.currentSubscription)]: (data: SubscriptionView | null) => ({ currentSubscription: data }),
  [JSON.stringify(keys.paymentMethods)]: (data: readonly PaymentMethodView[]) => ({ paymentMethods: data }),
  [JSON.stringify(keys.invoices)]: (data: { pages: InvoicePage[] }) => ({ invoices: invoicesOf(data.pages) }),
};

// Stores the data that should survive a reload. A query that is removed belongs to a user who has signed out.
queryClient.getQueryCache().subscribe(({ type, query }) => {
  const part = storedParts[query.queryHash];
  const isCurrent = queryClient.getQueryCache().get(query.queryHash) === query;
  if (part && isCurrent && type === 'updated' && query.state.data !== undefined)
    keepStored(part(query.state.data as never));
});

type CommandName = 'create' | 'update' | 'cancel' | 'withdraw' | 'reactivate' | 'pause' | 'resume' | 'confirm';

/**
 * A command on the subscription, with its loading, error and success flags. Its answer replaces the current
 * subscription.
 */
function useSubscriptionCommand<B, T>(
  name: CommandName,
  send: (body: B) => Promise<T>,
  currentOf: (answer: T) => SubscriptionView,
) {
  return useMutation<T, SubscriptionError, B>({
    mutationKey: [...keys.premium, name],
    mutationFn: (body) => answered(() => send(body), fallbackTexts[name]),
    onSuccess: (answer) => {
      const subscription = currentOf(answer);
      // A purchase that was started only counts once it has been paid.
      if (subscription.status !== 'incomplete') queryClient.setQueryData(keys.currentSubscription, subscription);
    },
  });
}

const itself = (subscription: SubscriptionView) => subscription;
const startedFor = ({ subscription }: StartedPayment) => subscription;

/** Starts premium, or resumes an unfinished payment for the same plan. */
export const useCreateSubscription = () =>
  useSubscriptionCommand(
    'create',
    async (body: BodyInput<typeof createSubscription>) => (await call(createSubscription, { body })).data,
    startedFor,
  );

/** Changes the plan. The answer contains a payment if one has to be completed. */
export const useUpdateSubscription = () =>
  useSubscriptionCommand(
    'update',
    async (body: BodyInput<typeof updateSubscription>) => (await call(updateSubscription, { body })).data,
    startedFor,
  );

export const useCancelSubscription = () =>
  useSubscriptionCommand(
    'cancel',
    async (_: void) => (await call(cancelSubscription, { body: {} })).data.subscription,
    itself,
  );

/** Withdraws from the contract. */
export const useWithdrawSubscription = () =>
  useSubscriptionCommand(
    'withdraw',
    async (_: void) => (await call(withdrawSubscription, { body: {} })).data,
    ({ subscription }) => subscription,
  );

/** Undoes a cancellation. */
export const useReactivateSubscription = () =>
  useSubscriptionCommand(
    'reactivate',
    async (_: void) => (await call(reactivateSubscription, { body: {} })).data.subscription,
    itself,
  );

/** Pauses premium from the end of the paid period. */
export const usePauseSubscription = () =>
  useSubscriptionCommand(
    'pause',
    async (body: BodyInput<typeof pauseSubscription>) => (await call(pauseSubscription, { body })).data.subscription,
    itself,
  );

/** Ends a pause. The answer contains a payment if one has to be completed. */
export const useResumeSubscription = () =>
  useSubscriptionCommand('resume', async (_: void) => (await call(resumeSubscription, { body: {} })).data, startedFor);

/** Makes the server check with the provider whether the payment went through. */
export const useConfirmSubscription = () =>
  useSubscriptionCommand(
    'confirm',
    async (body: BodyInput<typeof confirmSubscription>) =>
      (await call(confirmSubscription, { body })).data.subscription,
    itself,
  );

/** Starts saving a card, or resumes what was started before a reload; throws a `SubscriptionError` on failure. */
export async function startCard(): Promise<SetupIntentView> {
  const known = readStored().setupIntent;
  if (known !== null) return known;
  const { clientSecret, setupIntentId } = await answered(
    async () => (await call(createSetupIntent)).data,
    fallbackTexts.setupIntent,
  );
  const setupIntent = { clientSecret, setupIntentId };
  keepStored({ setupIntent });
  return setupIntent;
}

/** Forgets the setup intent, because its card has been saved or it has expired. */
export function dropCardIntent(): void {
  keepStored({ setupIntent: null });
}

async function changeCards(
  send: () => Promise<readonly PaymentMethodView[]>,
  fallback: MessageDescriptor,
): Promise<void> {
  queryClient.setQueryData(keys.paymentMethods, await answered(send, fallback));
}

/** Makes this the default card, which is also charged for anything due; throws a `SubscriptionError` on failure. */
export function makeDefault(id: string): Promise<void> {
  const send = async () => (await call(setDefaultPaymentMethod, { params: { id } })).data.paymentMethods;
  return changeCards(send, fallbackTexts.defaultMethod);
}

/** Removes a card; throws a `SubscriptionError` on failure. */
export function removeCard(id: string): Promise<void> {
  const send = async () => (await call(removePaymentMethod, { params: { id } })).data.paymentMethods;
  return changeCards(send, fallbackTexts.removeMethod);
}

/** The stored data about a member's premium, which can be shown before the first answer. */
interface StoredSubscription {
  currentSubscription: SubscriptionView | null;
  paymentMethods: readonly PaymentMethodView[];
  invoices: readonly InvoiceView[];
  setupIntent: SetupIntentView | null;
}

const entry = 'subscription';
const empty: StoredSubscription = { currentSubscription: null, paymentMethods: [], invoices: [], setupIntent: null };

let owner = readSession().user?._id;
if (owner === undefined) deviceStorage.remove(entry);
onSessionChange(({ user }) => {
  owner = user?._id;
});

/**
 * Whether this tab's user is still signed in on the device, because another tab may have just signed in someone else.
 */
function isOwnersDevice(): boolean {
  return owner !== undefined && readSession().user?._id === owner;
}

/** The stored data for the signed-in member; empty without a session or if the entry can't be read. */
export function readStored(): StoredSubscription {
  const json = deviceStorage.read(entry);
  if (json === null || !isOwnersDevice()) return empty;
  try {
    const { currentSubscription, paymentMethods, invoices, setupIntent } = JSON.parse(json) as StoredSubscription;
    return { currentSubscription, paymentMethods: [...paymentMethods], invoices: [...invoices], setupIntent };
  } catch {
    return empty;
  }
}

/** Stores the given parts until the session ends. */
function keepStored(changes: Partial<StoredSubscription>): void {
  const before = readStored();
  const json = JSON.stringify({ ...before, ...changes });
  if (isOwnersDevice() && json !== JSON.stringify(before)) deviceStorage.write(entry, json);
}

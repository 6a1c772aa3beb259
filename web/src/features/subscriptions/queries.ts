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
} from '#contract/subscriptions/subscriptions.ts';
import { getPremiumGift } from '#contract/subscriptions/grants.ts';
import { ApiError } from '../../api/api-error.ts';
import { call } from '../../api/call.ts';
import { completedPagination } from '../../api/completed.ts';
import { keys } from '../../api/keys.ts';
import { queryClient } from '../../api/query-client.ts';
import { configQuery, type ServiceConfig } from '../../api/service-config.ts';
import { onSessionChange, readSession } from '../../api/session/stored-session.ts';
import { answered, fallbackTexts, type SubscriptionError } from './errors.ts';
import { shownSubscription } from './shown-subscription.ts';

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

/** The current subscription with everything the screens read; null for none. */
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

/** The invoices of these pages, each once: a new one may have moved others to the next page. */
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

/** Every subscription the member ever had, newest first. */
export const subscriptionsQuery = queryOptions({
  queryKey: keys.subscriptions,
  queryFn: ({ signal }): Promise<readonly SubscriptionView[]> =>
    own(async () => (await call(listSubscriptions, { signal })).data.subscriptions, fallbackTexts.all),
  staleTime: 0,
});

export type BilledInvoice = AnswerOf<typeof getInvoice>['data'];

/** The member's subscriptions with everything the screens read. */
export function useSubscriptions() {
  return useQuery({
    ...subscriptionsQuery,
    select: (all) => all.map((one, index) => shownSubscription(one, `${index}`)),
  });
}

/** One of the member's invoices, with the person it is billed to. */
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

/** One subscription in any status; throws the `SubscriptionError`. */
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

/** What `QueryStates` needs to say that the data above could not be refreshed. */
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

/** The current offer, fetched again on each screen: prices may have changed since the app was opened. */
export function useOffer() {
  return useQuery({ ...configQuery, staleTime: 0, select: offerOf });
}

const storedParts: Record<string, (data: never) => Parameters<typeof keepStored>[0]> = {
  [JSON.stringify(keys.currentSubscription)]: (data: SubscriptionView | null) => ({ currentSubscription: data }),
  [JSON.stringify(keys.paymentMethods)]: (data: readonly PaymentMethodView[]) => ({ paymentMethods: data }),
  [JSON.stringify(keys.invoices)]: (data: { pages: InvoicePage[] }) => ({ invoices: invoicesOf(data.pages) }),
};

// Stores the parts that outlive a reload. A removed query belongs to a user who has left.
queryClient.getQueryCache().subscribe(({ type, query }) => {
  const part = storedParts[query.queryHash];
  const isCurrent = queryClient.getQueryCache().get(query.queryHash) === query;
  if (part && isCurrent && type === 'updated' && query.state.data !== undefined)
    keepStored(part(query.state.data as never));
});

type CommandName = 'create' | 'update' | 'cancel' | 'reactivate' | 'pause' | 'resume' | 'confirm';

/**
 * A command on the subscription, with its loading, error and success flags. Its answer becomes the current
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
      // A purchase that was started counts only once it is paid for.
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

/** Changes the plan; the answer says whether a payment has to be completed for it. */
export const useUpdateSubscription = () =>
  useSubscriptionCommand(
    'update',
    async (body: BodyInput<typeof updateSubscription>) => (await call(updateSubscription, { body })).data,
    startedFor,
  );

/** Cancels premium at the end of the paid period. */
export const useCancelSubscription = () =>
  useSubscriptionCommand(
    'cancel',
    async (_: void) => (await call(cancelSubscription, { body: {} })).data.subscription,
    itself,
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

/** Ends a pause; the answer says whether a payment has to be completed for it. */
export const useResumeSubscription = () =>
  useSubscriptionCommand('resume', async (_: void) => (await call(resumeSubscription, { body: {} })).data, startedFor);

/** Has the server ask the provider whether the payment went through. */
export const useConfirmSubscription = () =>
  useSubscriptionCommand(
    'confirm',
    async (body: BodyInput<typeof confirmSubscription>) =>
      (await call(confirmSubscription, { body })).data.subscription,
    itself,
  );

/** Starts saving a card, or resumes what was started before a reload; throws the `SubscriptionError`. */
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

/** Removes the setup intent: its card is saved, or it has expired. */
export function dropCardIntent(): void {
  keepStored({ setupIntent: null });
}

async function changeCards(send: () => Promise<readonly PaymentMethodView[]>, fallback: string): Promise<void> {
  queryClient.setQueryData(keys.paymentMethods, await answered(send, fallback));
}

/** Makes this card the one that pays, including anything due; throws the `SubscriptionError`. */
export function makeDefault(id: string): Promise<void> {
  const send = async () => (await call(setDefaultPaymentMethod, { params: { id } })).data.paymentMethods;
  return changeCards(send, fallbackTexts.defaultMethod);
}

/** Removes a card; throws the `SubscriptionError`. */
export function removeCard(id: string): Promise<void> {
  const send = async () => (await call(removePaymentMethod, { params: { id } })).data.paymentMethods;
  return changeCards(send, fallbackTexts.removeMethod);
}

/** What is stored on the device about a member's premium, so that it can be shown before the first answer. */
interface StoredSubscription {
  currentSubscription: SubscriptionView | null;
  paymentMethods: readonly PaymentMethodView[];
  invoices: readonly InvoiceView[];
  setupIntent: SetupIntentView | null;
}

const entry = 'subscription';
const empty: StoredSubscription = { currentSubscription: null, paymentMethods: [], invoices: [], setupIntent: null };

let owner = readSession().user?._id;
if (owner === undefined) localStorage.removeItem(entry);
onSessionChange(({ user }) => {
  owner = user?._id;
});

/** Whether the user of this tab is still the one signed in on the device: another tab may have signed in someone else just now. */
function isOwnersDevice(): boolean {
  return owner !== undefined && readSession().user?._id === owner;
}

/** What is stored for the signed-in member; nothing without a session, or if the entry can't be read. */
export function readStored(): StoredSubscription {
  const json = localStorage.getItem(entry);
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
  if (isOwnersDevice() && json !== JSON.stringify(before)) localStorage.setItem(entry, json);
}

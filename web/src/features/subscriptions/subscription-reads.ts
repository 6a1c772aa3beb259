import {
  currentSubscription,
  getSubscription,
  listInvoices,
  listPaymentMethods,
  listSubscriptions,
  type PaymentMethodView,
  type SubscriptionView,
} from '#contract/subscriptions/subscriptions.ts';
import { ApiError } from '../../api/api-error.ts';
import { call } from '../../api/call.ts';
import { noteAsker } from './stored-subscription.ts';
import { answered, fallbackTexts, subscriptionError } from './errors.ts';
import { type ReadName, type SubscriptionState, useSubscription } from './subscription-store.ts';

/** Asks for something with its state in the store; answers it, or undefined after its error is there. */
async function read<T>(
  name: ReadName,
  ask: () => Promise<T>,
  learn: (answer: T) => Partial<SubscriptionState>,
): Promise<T | undefined> {
  const isStillHere = noteAsker();
  const state = `${name}Read` as const;
  const { isKnown } = useSubscription.getState()[state];
  useSubscription.setState({ [state]: { loading: true, error: null, isKnown } });
  try {
    const answer = await ask();
    if (!isStillHere()) return undefined;
    useSubscription.setState({ ...learn(answer), [state]: { loading: false, error: null, isKnown: true } });
    return answer;
  } catch (failure) {
    const error = subscriptionError(failure, fallbackTexts[name]);
    if (isStillHere()) useSubscription.setState({ [state]: { loading: false, error, isKnown } });
    return undefined;
  }
}

async function askCurrent(): Promise<SubscriptionView | null> {
  try {
    return (await call(currentSubscription)).subscription;
  } catch (failure) {
    if (failure instanceof ApiError && failure.status === 404) return null;
    throw failure;
  }
}

/** Asks for the current subscription; null when there is none. */
export function readCurrent(): Promise<SubscriptionView | null | undefined> {
  return read('current', askCurrent, (answer) => ({ currentSubscription: answer }));
}

/** Asks for the kept cards. */
export function readPaymentMethods(): Promise<readonly PaymentMethodView[] | undefined> {
  const ask = async () => (await call(listPaymentMethods)).data.paymentMethods;
  return read('paymentMethods', ask, (paymentMethods) => ({ paymentMethods }));
}

const invoicesAPage = 20;

/** Asks for the newest invoices, as many as `pages` pages of twenty hold. */
export async function readInvoices(pages = 1): Promise<void> {
  const ask = () =>
    Promise.all(
      Array.from({ length: pages }, (_, index) =>
        call(listInvoices, { query: { page: index + 1, limit: invoicesAPage } }),
      ),
    );
  await read('invoices', ask, (answers) => {
    const invoices = new Map(answers.flatMap(({ data }) => data.invoices).map((invoice) => [invoice._id, invoice]));
    return { invoices: [...invoices.values()], invoiceTotal: answers.at(-1)?.data.pagination.total ?? 0 };
  });
}

/** Asks for all subscriptions there ever were. */
export function readSubscriptions(): Promise<readonly SubscriptionView[] | undefined> {
  const ask = async () => (await call(listSubscriptions)).data.subscriptions;
  return read('all', ask, (userSubscriptions) => ({ userSubscriptions }));
}

/** One subscription, however it stands; throws the `SubscriptionError`. */
export function readSubscription(id: string): Promise<SubscriptionView> {
  return answered(async () => (await call(getSubscription, { params: { id } })).data.subscription, fallbackTexts.one);
}

import type { BodyInput } from '#contract/endpoint.ts';
import {
  cancelSubscription,
  confirmSubscription,
  createSetupIntent,
  createSubscription,
  type PaymentMethodView,
  reactivateSubscription,
  removePaymentMethod,
  setDefaultPaymentMethod,
  type SetupIntentView,
  type StartedPayment,
  type SubscriptionView,
  updateSubscription,
} from '#contract/subscriptions/subscriptions.ts';
import { call } from '../../api/call.ts';
import { noteAsker } from './stored-subscription.ts';
import { answered, fallbackTexts, subscriptionError } from './errors.ts';
import { type CommandName, type SubscriptionState, untried, useSubscription } from './subscription-store.ts';

/**
 * Runs a command once at a time, with its state in the store. Answers what it brought, or null after its error is in the
 * store; an answer that arrives for somebody who has left is dropped.
 */
async function run<T>(
  name: CommandName,
  send: () => Promise<T>,
  learn: (answer: T) => Partial<SubscriptionState>,
): Promise<T | null> {
  if (useSubscription.getState()[name].loading) return null;
  const isStillHere = noteAsker();
  useSubscription.setState({ [name]: { ...untried, loading: true } });
  try {
    const answer = await send();
    if (!isStillHere()) return null;
    useSubscription.setState({ ...learn(answer), [name]: { ...untried, success: true } });
    return answer;
  } catch (failure) {
    const error = subscriptionError(failure, fallbackTexts[name]);
    if (isStillHere()) useSubscription.setState({ [name]: { ...untried, error } });
    return null;
  }
}

/** The command is as if it had never been tried. */
export function resetCommand(name: CommandName): void {
  useSubscription.setState({ [name]: untried });
}

const asCurrent = (subscription: SubscriptionView) => ({ currentSubscription: subscription });

/** What was begun counts only once it is paid for. */
const learnStarted = ({ subscription }: StartedPayment) =>
  subscription.status === 'incomplete' ? {} : asCurrent(subscription);

/** Begins premium, or takes an unfinished payment for the same plan up again. */
export function create(body: BodyInput<typeof createSubscription>): Promise<StartedPayment | null> {
  return run('create', async () => (await call(createSubscription, { body })).data, learnStarted);
}

/** Changes the plan; the answer says whether a payment has to be finished for that. */
export function update(body: BodyInput<typeof updateSubscription>): Promise<StartedPayment | null> {
  return run('update', async () => (await call(updateSubscription, { body })).data, learnStarted);
}

/** Ends premium when what is paid for ends. */
export function cancel(): Promise<SubscriptionView | null> {
  return run('cancel', async () => (await call(cancelSubscription, { body: {} })).data.subscription, asCurrent);
}

/** Takes a cancellation back. */
export function reactivate(): Promise<SubscriptionView | null> {
  return run('reactivate', async () => (await call(reactivateSubscription, { body: {} })).data.subscription, asCurrent);
}

/** Has the server ask the provider whether the payment went through. */
export function confirm(body: BodyInput<typeof confirmSubscription>): Promise<SubscriptionView | null> {
  return run('confirm', async () => (await call(confirmSubscription, { body })).data.subscription, asCurrent);
}

/** Begins to keep a card, or goes on with what was begun; throws the `SubscriptionError`. */
export async function beginCard(): Promise<SetupIntentView> {
  const { setupIntent } = useSubscription.getState();
  if (setupIntent !== null) return setupIntent;
  const isStillHere = noteAsker();
  const begun = await answered(async () => {
    const { clientSecret, setupIntentId } = (await call(createSetupIntent)).data;
    return { clientSecret, setupIntentId };
  }, fallbackTexts.setupIntent);
  if (isStillHere()) useSubscription.setState({ setupIntent: begun });
  return begun;
}

/** Forgets the setup intent: its card is kept, or it leads nowhere any more. */
export function dropCardIntent(): void {
  useSubscription.setState({ setupIntent: null });
}

/** Learns the cards as a command has left them. */
async function changeCards(send: () => Promise<readonly PaymentMethodView[]>, fallback: string): Promise<void> {
  const isStillHere = noteAsker();
  const paymentMethods = await answered(send, fallback);
  if (isStillHere()) useSubscription.setState({ paymentMethods });
}

/** Pays with this card from now on, also what is owed; throws the `SubscriptionError`. */
export function makeDefault(id: string): Promise<void> {
  const send = async () => (await call(setDefaultPaymentMethod, { params: { id } })).data.paymentMethods;
  return changeCards(send, fallbackTexts.defaultMethod);
}

/** Forgets a card; throws the `SubscriptionError`. */
export function removeCard(id: string): Promise<void> {
  const send = async () => (await call(removePaymentMethod, { params: { id } })).data.paymentMethods;
  return changeCards(send, fallbackTexts.removeMethod);
}

import { useMutation } from '@tanstack/react-query';
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
import { keys } from '../../api/keys.ts';
import { queryClient } from '../../api/query-client.ts';
import { answered, fallbackTexts, type SubscriptionError } from './errors.ts';
import { keepStored, readStored } from './stored.ts';

type CommandName = 'create' | 'update' | 'cancel' | 'reactivate' | 'confirm';

/** A command on the subscription, with its loading, error and success flags. What it answers becomes the current subscription. */
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

/** Changes the plan; the answer says whether a payment has to be finished for it. */
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

/** Takes a cancellation back. */
export const useReactivateSubscription = () =>
  useSubscriptionCommand(
    'reactivate',
    async (_: void) => (await call(reactivateSubscription, { body: {} })).data.subscription,
    itself,
  );

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

/** Forgets the setup intent: its card is saved, or it has expired. */
export function dropCardIntent(): void {
  keepStored({ setupIntent: null });
}

async function changeCards(send: () => Promise<readonly PaymentMethodView[]>, fallback: string): Promise<void> {
  queryClient.setQueryData(keys.paymentMethods, await answered(send, fallback));
}

/** Pays with this card from now on, including what is due; throws the `SubscriptionError`. */
export function makeDefault(id: string): Promise<void> {
  const send = async () => (await call(setDefaultPaymentMethod, { params: { id } })).data.paymentMethods;
  return changeCards(send, fallbackTexts.defaultMethod);
}

/** Removes a card; throws the `SubscriptionError`. */
export function removeCard(id: string): Promise<void> {
  const send = async () => (await call(removePaymentMethod, { params: { id } })).data.paymentMethods;
  return changeCards(send, fallbackTexts.removeMethod);
}

import type { PaymentMethodView, SetupIntentView } from '#contract/subscriptions/subscriptions.ts';
import { AppError, notFound } from '../../../platform/http/app-error.ts';
import type { Caller } from '../../../platform/session/caller.ts';
import type { Deps } from '../../../deps.ts';
import { newToken } from '../../../platform/config/secrets.ts';
import { PaymentError, type ProviderIntent } from '../providers/provider.ts';
import { customerFor } from './create.ts';
import { providerOf } from './paying.ts';
import { accountOfCustomer, customerOf, liveSubscription } from '../queries.ts';
import { syncSubscription } from '../sync.ts';
import { toPaymentMethod } from '../views.ts';

/** The caller's cards; none where nothing was ever bought, without asking the provider. */
export async function cardsOf(deps: Deps, accountId: string): Promise<PaymentMethodView[]> {
  if (deps.payments === null) return [];
  const customerId = await customerOf(deps.db, deps.payments.name, accountId);
  if (customerId === null) return [];
  return (await deps.payments.listPaymentMethods(customerId)).map(toPaymentMethod);
}

/** Begins to keep a card. */
export async function beginCard(deps: Deps, caller: Caller): Promise<SetupIntentView> {
  const customerId = await customerFor(deps, caller);
  return await providerOf(deps).createSetupIntent(customerId, `card:${newToken()}`);
}

/** Pays with the card of a finished setup from now on, and what is still owed with it at once. */
export async function keepCard(deps: Deps, { customerId, paymentMethodId }: ProviderIntent): Promise<void> {
  if (paymentMethodId === null) return;
  await providerOf(deps).setDefaultPaymentMethod(customerId, paymentMethodId);
  const accountId = await accountOfCustomer(deps.db, customerId);
  if (accountId !== null) await payDebt(deps, accountId);
}

/** Tries what a failed renewal left open once more. The old card's refusal is told as any other. */
async function payDebt(deps: Deps, accountId: string): Promise<void> {
  const row = await liveSubscription(deps.db, accountId);
  if (row?.provider_id == null || (row.status !== 'past_due' && row.status !== 'unpaid')) return;
  try {
    await providerOf(deps).payOpenInvoice(row.provider_id);
  } finally {
    await syncSubscription(deps, row.provider_id);
  }
}

/** Makes one of the caller's cards the one that pays; 404 for another's, 422 where it is refused for what is owed. */
export async function chooseCard(deps: Deps, caller: Caller, id: string): Promise<PaymentMethodView[]> {
  const customerId = await ownCard(deps, caller, id);
  await providerOf(deps).setDefaultPaymentMethod(customerId, id);
  await payDebt(deps, caller.accountId);
  return await cardsOf(deps, caller.accountId);
}

/** Forgets one of the caller's cards; 404 for another's, 409 for the one that the next period is to be paid with. */
export async function removeCard(deps: Deps, caller: Caller, id: string): Promise<PaymentMethodView[]> {
  const customerId = await ownCard(deps, caller, id);
  const [cards, row] = await Promise.all([
    cardsOf(deps, caller.accountId),
    liveSubscription(deps.db, caller.accountId),
  ]);
  const goesOn = row !== undefined && row.status !== 'incomplete' && !row.cancel_at_period_end;
  if (goesOn && cards.find(({ _id }) => _id === id)?.isDefault === true)
    throw new AppError('CONFLICT', 'This card pays for your premium. Choose another one first.');
  await providerOf(deps).removePaymentMethod(customerId, id);
  return await cardsOf(deps, caller.accountId);
}

async function ownCard(deps: Deps, { accountId }: Caller, id: string): Promise<string> {
  const provider = providerOf(deps);
  const customerId = await customerOf(deps.db, provider.name, accountId);
  if (customerId === null) throw notFound();
  const methods = await provider.listPaymentMethods(customerId);
  if (!methods.some((method) => method.id === id)) throw notFound();
  return customerId;
}

/** After the provider said that a setup is finished, wherever its owner has gone since. */
export async function keepCardOf(deps: Deps, setupIntentId: string): Promise<void> {
  const intent = await providerOf(deps).getIntent(setupIntentId);
  if (intent.kind !== 'setup' || intent.status !== 'succeeded') return;
  try {
    await keepCard(deps, intent);
  } catch (error) {
    // A card that is refused for what is owed is kept all the same.
    if (!(error instanceof PaymentError) || error.code === 'unavailable') throw error;
  }
}

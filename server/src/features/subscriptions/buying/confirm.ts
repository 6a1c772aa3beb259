import type { BodyOf } from '#contract/endpoint.ts';
import { paymentErrorTexts } from '#contract/subscriptions/plan.ts';
import type { confirmSubscription } from '#contract/subscriptions/subscriptions.ts';
import { isUuid, type Caller } from '../../../platform/session/caller.ts';
import { AppError, notFound } from '../../../platform/http/app-error.ts';
import type { Deps } from '../../../deps.ts';
import type { PaymentProvider, ProviderIntent } from '../providers/provider.ts';
import { keepCard } from './cards.ts';
import { providerOf } from './paying.ts';
import { customerOf, ownSubscription, type SubscriptionRow } from '../queries.ts';
import { isRefusedTrial, syncSubscription } from '../sync.ts';

type Named = BodyOf<typeof confirmSubscription>;

/**
 * Learns from the provider how a payment of the caller's went; what the caller says only names it. 404 for a subscription
 * that is not theirs, or an intent that is not of it; 422 while it is not paid, with the reason if there is one.
 */
export async function confirm(deps: Deps, caller: Caller, named: Named): Promise<SubscriptionRow> {
  const provider = providerOf(deps);
  const row = isUuid(named.subscriptionId)
    ? await ownSubscription(deps.db, caller.accountId, named.subscriptionId)
    : undefined;
  if (row?.provider_id == null) throw notFound();
  const intent = await ownIntent(deps, provider, row, named);
  if (intent.kind === 'setup' && intent.status === 'succeeded') await keepCard(deps, intent);
  const kept = await syncSubscription(deps, row.provider_id);
  if (kept === null) throw notFound();
  if (intent.status === 'succeeded' && (kept.status === 'active' || kept.status === 'trialing')) return kept;
  if (await isRefusedTrial(deps.db, kept))
    throw new AppError('PAYMENT_DECLINED', 'This card has had its free trial. You can begin without one.');
  if (intent.declined !== null) throw new AppError('PAYMENT_DECLINED', paymentErrorTexts[intent.declined]);
  if (intent.status === 'succeeded' && kept.status !== 'incomplete') return kept;
  if (intent.status === 'canceled') throw unfinished('This payment was given up. Please begin again.');
  throw unfinished(
    intent.status === 'processing'
      ? 'Your bank is still working on this payment. Premium begins when it has come through.'
      : 'This payment is not finished yet.',
  );
}

const unfinished = (words: string) => new AppError('PAYMENT_UNFINISHED', words);

async function ownIntent(
  deps: Deps,
  provider: PaymentProvider,
  row: SubscriptionRow,
  { paymentIntentId, setupIntentId }: Named,
): Promise<ProviderIntent> {
  const id = paymentIntentId ?? setupIntentId ?? '';
  const [customerId, said, intent] = await Promise.all([
    customerOf(deps.db, provider.name, row.account_id),
    provider.getSubscription(row.provider_id ?? ''),
    provider.getIntent(id).catch(() => null),
  ]);
  const isOwn = intent !== null && customerId !== null && intent.customerId === customerId;
  const isAsked = setupIntentId === undefined ? said.latestIntentId === id : intent?.kind === 'setup';
  if (!isOwn || !isAsked) throw notFound();
  return intent;
}

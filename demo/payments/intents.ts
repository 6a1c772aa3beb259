import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { PaymentErrorCode } from '#contract/subscriptions/plan.ts';
import { inTransaction, type Db } from '../../server/src/platform/db/db.ts';
import { hashToken } from '../../server/src/platform/config/secrets.ts';
import { PaymentError, type ProviderIntent } from '../../server/src/features/subscriptions/providers/provider.ts';
import { bankAnswer, isSandboxToken } from './cards.ts';
import { sandboxNow } from './clock.ts';
import type { IntentAnswer } from './door.ts';
import { emit } from './events.ts';
import { newId, type SandboxParts } from './parts.ts';
import { keepTrial, keepToken, makeDefault, settleInvoice } from './payments.ts';
import { keptCard, lockCustomer, lockSubscription } from './rows.ts';
import type { CardRow, IntentRow } from './tables.ts';
import { underKey } from './keys.ts';

type Asked = Pick<IntentRow, 'customer_id' | 'subscription_id' | 'invoice_id'> &
  Partial<Pick<IntentRow, 'declined' | 'asked_about'>>;

/** Creates an intent to pay an invoice or, without one, to store a card. */
export function openIntent(tx: Db, asked: Asked, at: Date): Promise<IntentRow> {
  const kind = asked.invoice_id === null ? 'setup' : 'payment';
  const id = newId(kind === 'setup' ? 'seti' : 'pi');
  return tx
    .insertInto('sandbox.intent')
    .values({
      declined: null,
      asked_about: null,
      ...asked,
      id,
      kind,
      client_secret: `${id}_secret_${randomBytes(18).toString('hex')}`,
      status: asked.asked_about == null ? 'open' : 'requires_action',
      payment_method_id: null,
      created_at: at,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Creates an intent to store a customer's card. */
export function createSetupIntent(
  parts: SandboxParts,
  customerId: string,
  key: string,
): Promise<{ clientSecret: string; setupIntentId: string }> {
  return underKey(parts, key, { command: 'createSetupIntent', customerId }, async (tx, now) => {
    await lockCustomer(tx, customerId);
    const asked = { customer_id: customerId, subscription_id: null, invoice_id: null };
    const { id, client_secret } = await openIntent(tx, asked, now);
    return { clientSecret: client_secret, setupIntentId: id };
  });
}

/** The state of an intent; `invalid` for an unknown one. */
export async function getIntent(db: Db, id: string): Promise<ProviderIntent> {
  const row = await db.selectFrom('sandbox.intent').selectAll().where('id', '=', id).executeTakeFirst();
  if (row === undefined) throw new PaymentError('invalid');
  const { kind, customer_id, status, declined, payment_method_id } = row;
  return { id, kind, customerId: customer_id, status, declined, paymentMethodId: payment_method_id };
}

/** Implements `PaymentSandbox.answerIntent`. A succeeded or cancelled intent does not change. */
export async function answerIntent(
  { db, clock, prices }: SandboxParts,
  id: string,
  clientSecret: string,
  answer: IntentAnswer,
): Promise<ProviderIntent['status'] | null> {
  const result = await inTransaction(db, async (tx) => {
    const intent = await lockIntent(tx, id, clientSecret);
    if (intent === null) return null;
    if (intent.status !== 'open' && intent.status !== 'requires_action') return intent.status;
    if ('challenge' in answer && intent.asked_about === null) return intent.status;
    const now = await sandboxNow(tx, clock);
    const given = 'token' in answer ? answer.token : (intent.asked_about ?? '');
    const kept = await keptCard(tx, intent.customer_id, given);
    const token = kept?.token ?? given;
    if (!isSandboxToken(token)) throw new PaymentError('invalid');
    const said = 'token' in answer ? bankAnswer(token, 'entered') : bankAfter(answer.challenge);
    if (said === 'asks') return await askBank(tx, intent, given, now);
    if (said !== 'pays') return await decline(tx, intent, said, now);
    const card = kept ?? (await keepToken(tx, intent.customer_id, token, now));
    await succeed(tx, prices, intent, card, now);
    return 'succeeded';
  });
  // Thrown after the transaction, so that the refusal is stored.
  if (result instanceof PaymentError) throw result;
  return result;
}

const bankAfter = (challenge: 'approve' | 'refuse') => (challenge === 'approve' ? 'pays' : 'authentication_failed');

/** Locks an intent with its customer and subscription, always in that order; null for an unknown one or a wrong secret. */
async function lockIntent(tx: Db, id: string, clientSecret: string): Promise<IntentRow | null> {
  const found = await tx.selectFrom('sandbox.intent').selectAll().where('id', '=', id).executeTakeFirst();
  if (found === undefined || !timingSafeEqual(hashToken(found.client_secret), hashToken(clientSecret))) return null;
  await tx.selectFrom('sandbox.customer').select('id').where('id', '=', found.customer_id).forNoKeyUpdate().execute();
  if (found.subscription_id !== null) await lockSubscription(tx, found.subscription_id);
  return await tx.selectFrom('sandbox.intent').selectAll().where('id', '=', id).forUpdate().executeTakeFirstOrThrow();
}

const aboutOf = ({ id, invoice_id, customer_id, subscription_id }: IntentRow) => ({
  objectId: invoice_id ?? id,
  customerId: customer_id,
  subscriptionId: subscription_id,
});

async function askBank(tx: Db, intent: IntentRow, given: string, now: Date): Promise<'requires_action'> {
  await tx
    .updateTable('sandbox.intent')
    .set({ status: 'requires_action', asked_about: given, declined: null })
    .where('id', '=', intent.id)
    .execute();
  if (intent.kind === 'payment') await emit(tx, 'invoice.payment_action_required', aboutOf(intent), now);
  return 'requires_action';
}

async function decline(tx: Db, intent: IntentRow, declined: PaymentErrorCode, now: Date): Promise<PaymentError> {
  await tx
    .updateTable('sandbox.intent')
    .set({ status: 'open', asked_about: null, declined })
    .where('id', '=', intent.id)
    .execute();
  if (intent.kind === 'payment') await emit(tx, 'invoice.payment_failed', aboutOf(intent), now);
  return new PaymentError(declined);
}

async function succeed(
  tx: Db,
  prices: SandboxParts['prices'],
  intent: IntentRow,
  card: CardRow,
  now: Date,
): Promise<void> {
  if (intent.subscription_id !== null) await makeDefault(tx, card, [intent.subscription_id]);
  if (intent.invoice_id !== null) {
    await settleInvoice(tx, prices, intent.invoice_id, card, now);
    return;
  }
  await tx
    .updateTable('sandbox.intent')
    .set({ status: 'succeeded', asked_about: null, declined: null, payment_method_id: card.id })
    .where('id', '=', intent.id)
    .execute();
  await emit(tx, 'setup_intent.succeeded', aboutOf(intent), now);
  if (intent.subscription_id !== null) await keepTrial(tx, intent.subscription_id, now);
}

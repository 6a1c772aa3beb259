import { answerSandboxIntent } from '#contract/subscriptions/payments-sandbox.ts';
import type { BodyInput } from '#contract/endpoint.ts';
import { call } from '../../../api/call.ts';
import type { AskBank, PaymentEnd, PaymentSecret } from '../buying/payer.ts';
import { answered, fallbackTexts, SubscriptionError } from '../subscription-errors.ts';

type Answer = Omit<BodyInput<typeof answerSandboxIntent>, 'clientSecret'>;

async function send({ intentId, clientSecret }: PaymentSecret, answer: Answer) {
  const body = { clientSecret, ...answer };
  return answered(
    async () => (await call(answerSandboxIntent, { params: { id: intentId }, body })).data.status,
    fallbackTexts.payment,
  );
}

/** Pays with a test token or a kept card, and puts the bank's question if it has one. */
export async function payInSandbox(secret: PaymentSecret, token: string, askBank: AskBank): Promise<PaymentEnd> {
  let status = await send(secret, { token });
  if (status === 'requires_action') {
    const challenge = await askBank();
    if (challenge === null) return 'open';
    status = await send(secret, { challenge });
  }
  if (status === 'succeeded' || status === 'processing') return status;
  if (status === 'canceled') {
    throw new SubscriptionError({
      message: 'This payment was given up. Please begin again.',
      code: 'CONFLICT',
      status: null,
    });
  }
  throw new SubscriptionError({ message: fallbackTexts.payment, code: 'PAYMENT_DECLINED', status: null });
}

import { useRef, useState } from 'react';
import type { Plan } from '#contract/subscriptions/plan.ts';
import type { StartedPayment } from '#contract/subscriptions/subscriptions.ts';
import { useConfirmSubscription, useCreateSubscription } from '../commands.ts';
import { fallbackTexts, type SubscriptionError } from '../errors.ts';
import { confirmationOf, secretOf, waitFor } from '../payers/payer.ts';
import { readCurrent, readPaymentMethods, readSubscription, readSubscriptions } from '../queries.ts';

/**
 * Buying premium, step by step: a plan, then its payment, then the server's confirmation. Once the provider has taken a
 * payment, only the server is asked again, so that nothing is paid twice.
 */
export function usePurchase(onPremium: () => void) {
  const creating = useCreateSubscription();
  const confirming = useConfirmSubscription();
  const [started, setStarted] = useState<StartedPayment | null>(null);
  const [isTaken, setTaken] = useState(false);
  const [isDone, setDone] = useState(false);
  /** Why the payment that was started cannot be finished. */
  const [failure, setFailure] = useState<string | null>(null);
  const isStarting = useRef(false);

  function finish() {
    setDone(true);
    onPremium();
    void readPaymentMethods();
  }

  /** Back to the plans, with the reason if it was not asked for. Choosing the same plan again resumes the payment. */
  function back(reason: string | null = null): void {
    confirming.reset();
    setStarted(null);
    setTaken(false);
    setFailure(reason);
    void readSubscriptions();
  }

  /** Starts buying a plan, or resumes it. */
  async function start(plan: Plan): Promise<void> {
    if (isStarting.current) return;
    isStarting.current = true;
    setFailure(null);
    try {
      const answer = await creating.mutateAsync({ plan });
      if (secretOf(answer) !== null) setStarted(answer);
      else if (answer.subscription.status === 'incomplete') setFailure(fallbackTexts.create);
      else finish();
    } catch (error) {
      // Paid in another tab, or just before this one was closed.
      if ((error as SubscriptionError).code === 'CONFLICT') void readCurrent();
    } finally {
      isStarting.current = false;
    }
  }

  /** Whether the payment went through, as the server says; waits where that takes a moment. Throws a refusal. */
  async function isConfirmed(paid: StartedPayment): Promise<boolean> {
    const secret = secretOf(paid);
    if (secret === null) return false;
    try {
      await confirming.mutateAsync(confirmationOf(paid.subscriptionId, secret));
      return true;
    } catch (error) {
      const { code } = error as SubscriptionError;
      if (code === 'PAYMENT_DECLINED' || code === 'NOT_FOUND') throw error;
      if (code !== 'PAYMENT_UNFINISHED') return false;
      const settled = await waitFor(
        () => readSubscription(paid.subscriptionId).catch(() => undefined),
        ({ status }) => status !== 'incomplete',
      );
      if (settled?.status === 'incomplete_expired' || settled?.status === 'canceled') throw error;
      return settled !== null && Boolean(await readCurrent());
    }
  }

  /** Asks the server once the provider has taken the payment; throws a refusal after which another card can be tried. */
  async function check(): Promise<void> {
    if (started === null) return;
    try {
      if (await isConfirmed(started)) finish();
      else setTaken(true);
    } catch (refusal) {
      const { code, message } = refusal as SubscriptionError;
      // A refused trial cannot continue with another card: it has to be started again.
      if (started.secretKind === 'setup' || code !== 'PAYMENT_DECLINED') {
        back(message);
        return;
      }
      setTaken(false);
      throw refusal;
    }
  }

  return { creating, confirming, started, isTaken, isDone, failure, start, check, back };
}

export type Purchase = ReturnType<typeof usePurchase>;

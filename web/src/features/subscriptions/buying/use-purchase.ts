import { useRef, useState } from 'react';
import type { Plan } from '#contract/subscriptions/plan.ts';
import type { StartedPayment } from '#contract/subscriptions/subscriptions.ts';
import { confirmationOf, secretOf, waitFor } from '../payers/payer.ts';
import { confirm, create, resetCommand } from '../subscription-commands.ts';
import { fallbackTexts, type SubscriptionError } from '../errors.ts';
import { readCurrent, readPaymentMethods, readSubscription, readSubscriptions } from '../subscription-reads.ts';
import { useSubscription } from '../subscription-store.ts';

/**
 * Buying premium, step by step: a plan, then its payment, then the server's word that it went through. Once the provider has
 * taken a payment only the server is asked again, so that nothing is paid twice.
 */
export function usePurchase(onPremium: () => void) {
  const [started, setStarted] = useState<StartedPayment | null>(null);
  const [isTaken, setTaken] = useState(false);
  const [isDone, setDone] = useState(false);
  const [gone, setGone] = useState<string | null>(null);
  const isBeginning = useRef(false);

  function finish() {
    setDone(true);
    onPremium();
    void readPaymentMethods();
  }

  /** Back to the plans, with why if it was not asked for. Choosing the same plan again goes on with what was begun. */
  function back(reason: string | null = null): void {
    resetCommand('confirm');
    setStarted(null);
    setTaken(false);
    setGone(reason);
    void readSubscriptions();
  }

  /** Begins with a plan, or goes on where it was left. */
  async function begin(plan: Plan): Promise<void> {
    if (isBeginning.current) return;
    isBeginning.current = true;
    setGone(null);
    const answer = await create({ plan });
    isBeginning.current = false;
    if (answer === null) {
      // Paid in another tab, or just before this one was closed.
      if (useSubscription.getState().create.error?.code === 'CONFLICT') void readCurrent();
    } else if (secretOf(answer) !== null) setStarted(answer);
    else if (answer.subscription.status === 'incomplete') setGone(fallbackTexts.create);
    else finish();
  }

  /** Whether the payment went through, as the server says; waits where it still takes its time. Throws a refusal. */
  async function isConfirmed(paid: StartedPayment): Promise<boolean> {
    const secret = secretOf(paid);
    if (secret === null) return false;
    if ((await confirm(confirmationOf(paid.subscriptionId, secret))) !== null) return true;
    const { error } = useSubscription.getState().confirm;
    if (error?.code === 'PAYMENT_DECLINED' || error?.code === 'NOT_FOUND') throw error;
    if (error?.code !== 'PAYMENT_UNFINISHED') return false;
    const settled = await waitFor(
      () => readSubscription(paid.subscriptionId).catch(() => undefined),
      ({ status }) => status !== 'incomplete',
    );
    if (settled?.status === 'incomplete_expired' || settled?.status === 'canceled') throw error;
    return settled !== null && Boolean(await readCurrent());
  }

  /** Asks the server after the provider has taken the payment; throws a refusal, after which another card can be tried. */
  async function ask(): Promise<void> {
    if (started === null) return;
    try {
      if (await isConfirmed(started)) finish();
      else setTaken(true);
    } catch (refusal) {
      const { code, message } = refusal as SubscriptionError;
      // The trial is over before it began: what was begun takes no other card.
      if (started.secretKind === 'setup' || code !== 'PAYMENT_DECLINED') {
        back(message);
        return;
      }
      setTaken(false);
      throw refusal;
    }
  }

  return { started, isTaken, isDone, gone, begin, ask, back };
}

export type Purchase = ReturnType<typeof usePurchase>;

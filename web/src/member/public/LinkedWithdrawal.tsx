import { useState } from 'react';
import type { LockedAccount } from '#contract/moderation/appeals.ts';
import { withdrawWith } from '../../features/moderation/statements/linked.ts';
import { Withdrawal } from '../../features/subscriptions/plan/Withdrawal.tsx';
import { shownSubscription } from '../../features/subscriptions/shown-subscription.ts';
import { Notice } from '../../ui/feedback/Notice.tsx';

type LinkedWithdrawalProps = NonNullable<LockedAccount['withdrawal']> & { token: string };

/** The two steps in which a locked-out member withdraws from their contract with the link about the decision. */
export function LinkedWithdrawal({ token, subscription, ...person }: LinkedWithdrawalProps) {
  const [done, setDone] = useState<string | null>(null);
  if (done !== null) return <Notice kind="success">{done}</Notice>;
  const contract = { subscription: shownSubscription(subscription), send: () => withdrawWith(token) };
  return <Withdrawal {...person} {...contract} onDone={setDone} />;
}

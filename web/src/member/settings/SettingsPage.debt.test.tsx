import { t } from '@lingui/core/macro';
import { describe, expect, it } from 'vitest';
import { paymentErrorTexts } from '#contract/subscriptions/plan.ts';
import { setDefaultPaymentMethod } from '#contract/subscriptions/subscriptions.ts';
import { failWith, received, Refusal, serve } from '../../../test/fake-server.ts';
import { ownPlan, openPlan } from '../../../test/fixtures/own-plan.tsx';
import { keptCard, ownSubscription } from '../../../test/fixtures/premium.ts';

const ahead = '2099-01-20T12:00:00.000Z';
const button = (name: string | RegExp) => ownPlan().findByRole('button', { name });

describe('a renewal that failed', () => {
  it('shows how long premium lasts, and can be paid with the same card', async () => {
    const current = ownSubscription({ status: 'past_due', currentPeriodEnd: ahead });
    const { person, known } = await openPlan({ current, cards: [keptCard()] });
    expect(ownPlan().getByText(/^You keep premium until Jan 20, 2099\. Pay before/)).toBeVisible();
    expect(ownPlan().queryByRole('button', { name: 'Change plan' })).toBeNull();
    serve(setDefaultPaymentMethod, () => {
      known.current = ownSubscription();
      return { data: { paymentMethods: known.cards } };
    });
    await person.click(await button('Pay now with Visa ending in 4242'));
    expect(await ownPlan().findByText('Thank you, your payment went through.')).toBeVisible();
    expect(received(setDefaultPaymentMethod)[0]?.params).toEqual({ id: 'card-1' });
    expect(await ownPlan().findByText('Active')).toBeVisible();
  });

  it('shows when the card is declined again and offers another one', async () => {
    failWith(setDefaultPaymentMethod, new Refusal('PAYMENT_DECLINED', t(paymentErrorTexts.card_declined)));
    const current = ownSubscription({ status: 'unpaid', currentPeriodEnd: '2020-01-01T00:00:00.000Z' });
    const { person } = await openPlan({ current, cards: [keptCard()] });
    expect(ownPlan().getByText('Premium is off until you pay.')).toBeVisible();
    await person.click(await button('Pay now with Visa ending in 4242'));
    expect(await ownPlan().findByText(t(paymentErrorTexts.card_declined))).toHaveAttribute('role', 'alert');
    await person.click(await button('Pay with another card'));
    expect(await ownPlan().findByRole('group', { name: 'Add a card' })).toHaveFocus();
  });
});

import { t } from '@lingui/core/macro';
import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { getProfile } from '#contract/profiles/profiles.ts';
import { answerSandboxIntent } from '#contract/subscriptions/payments-sandbox.ts';
import { paymentErrorTexts } from '#contract/subscriptions/plan.ts';
import {
  cancelSubscription,
  confirmSubscription,
  currentSubscription,
  pauseSubscription,
  previewChange,
  reactivateSubscription,
  resumeSubscription,
  type SubscriptionView,
  updateSubscription,
  withdrawSubscription,
} from '#contract/subscriptions/subscriptions.ts';
import { failWith, received, Refusal, serve } from '../../../test/fake-server.ts';
import { ownPlan, openPlan } from '../../../test/fixtures/own-plan.tsx';
import { serveSettings } from '../../../test/fixtures/own-settings.ts';
import { administrator, ownUser } from '../../../test/fixtures/people.ts';
import { keptCard, ownSubscription, startedPayment, usd } from '../../../test/fixtures/premium.ts';
import { renderApp, serviceConfig } from '../../../test/render-app.tsx';

const button = (name: string | RegExp) => ownPlan().findByRole('button', { name });

describe("the member's plan", () => {
  it('shows a link to premium when there is none', async () => {
    await openPlan();
    expect(ownPlan().getByRole('link', { name: 'What premium adds' })).toHaveAttribute('href', '/app/premium');
    expect(ownPlan().getByText('Test payments. No money moves.')).toBeVisible();
    expect(ownPlan().queryByRole('region')).toBeNull();
  });

  it('shows the plan without offers if nothing can be bought', async () => {
    const providers = { ...serviceConfig().providers, payments: null };
    const off = () => serviceConfig({ providers });
    const { unmount } = await openPlan({}, off);
    expect(ownPlan().queryByRole('link', { name: 'What premium adds' })).toBeNull();
    unmount();
    await openPlan({ current: ownSubscription() }, off);
    expect(ownPlan().getByText(/^Renews on/)).toBeVisible();
    expect(ownPlan().queryByRole('button', { name: 'Change plan' })).toBeNull();
    expect(ownPlan().getByRole('button', { name: 'Cancel premium' })).toBeVisible();
  });

  it('is hidden for staff', async () => {
    serveSettings();
    renderApp('/app/settings/plan', administrator());
    expect(await screen.findByRole('heading', { level: 1, name: 'Settings' })).toBeVisible();
    expect(screen.queryByRole('region', { name: 'Your plan' })).toBeNull();
    expect(received(currentSubscription)).toEqual([]);
  });

  it.each([
    [{ status: 'trialing', trialEnd: '2025-10-27T12:00:00.000Z' }, 'Free trial', /^Free until Oct 27, 2025\. Then/],
    [{}, 'Active', 'Renews on Nov 20, 2025 for $14.99.'],
    [{ cancelAtPeriodEnd: true }, 'Active', /^Ends on Nov 20, 2025\. You keep everything until then/],
    [{ status: 'past_due' }, 'Payment failed', /^Your last payment did not go through\. We'll try again/],
    [{ status: 'unpaid' }, 'Unpaid', /^Your last payment did not go through, and premium is on hold/],
    [{ status: 'paused' }, 'Paused', 'Premium is on hold. Nothing is charged.'],
  ] as const)('shows its state: %o', async (changes, tag, words) => {
    await openPlan({ current: ownSubscription(changes) });
    expect(ownPlan().getByText(tag)).toBeVisible();
    expect(ownPlan().getByText(words)).toBeVisible();
    const isChangeable = tag === 'Active' && !('cancelAtPeriodEnd' in changes);
    expect(ownPlan().queryAllByRole('button', { name: 'Change plan' })).toHaveLength(isChangeable ? 1 : 0);
  });
});

describe('withdrawing from the contract', () => {
  const withdrawable = { withdrawableUntil: '2025-11-04T04:00:00.000Z', withdrawalRefund: usd(1249) };

  it('takes two steps, which show who withdraws from which contract and what is refunded', async () => {
    const { person, known } = await openPlan({ current: ownSubscription(withdrawable) });
    const refund = { amount: 1249, currency: 'USD', until: '2025-11-10T12:00:00.000Z' };
    serve(withdrawSubscription, () => {
      known.current = null;
      return { data: { subscription: ownSubscription({ status: 'canceled' }), refund } };
    });
    await person.click(await button('Withdraw from this contract'));
    for (const fact of ['Ada Byron', ownUser().email, 'Monthly · $14.99 a month · bought on Oct 20, 2025'])
      expect(ownPlan().getByText(fact)).toBeVisible();
    expect(ownPlan().getByText('Premium ends at once, and you get back $12.49.')).toBeVisible();
    expect(received(withdrawSubscription)).toEqual([]);
    await person.click(await button('Confirm withdrawal'));
    expect(
      await ownPlan().findByText(/^You have withdrawn from the contract\. You get \$12\.49 back by/),
    ).toBeVisible();
    expect(await ownPlan().findByText(/^You have no plan/)).toBeVisible();
    expect(document.activeElement).toContainElement(ownPlan().getByText(/^You have withdrawn/));
    expect(document.activeElement).not.toBe(document.body);
    expect(received(withdrawSubscription).map(({ body }) => body)).toEqual([{}]);
  });

  it('shows a refusal', async () => {
    const { person } = await openPlan({ current: ownSubscription(withdrawable) });
    failWith(withdrawSubscription, new Refusal('CONFLICT', "You can't withdraw"));
    await person.click(await button('Withdraw from this contract'));
    await person.click(await button('Confirm withdrawal'));
    expect(await ownPlan().findByText("You can't withdraw")).toBeVisible();
    await person.click(await button('Keep premium'));
    expect(await button('Withdraw from this contract')).toHaveFocus();
  });

  it('is not offered after the deadline', async () => {
    await openPlan({ current: ownSubscription({ withdrawableUntil: null }) });
    expect(ownPlan().queryByRole('button', { name: 'Withdraw from this contract' })).toBeNull();
  });
});

describe('pausing the plan', () => {
  const pausedUntil = '2025-12-20T12:00:00.000Z';

  it('shows the day it would have renewed, not the day of a shorter month before', async () => {
    const current = ownSubscription({ currentPeriodEnd: '2026-02-28T12:00:00.000Z', anchorDay: 31 });
    const { person } = await openPlan({ current });
    await person.click(await button('Pause premium'));
    for (const [months, until] of [
      ['1 month', 'Mar 31, 2026'],
      ['2 months', 'Apr 30, 2026'],
      ['3 months', 'May 31, 2026'],
    ] as const) {
      await person.click(ownPlan().getByRole('radio', { name: months }));
      expect(ownPlan().getByText(`nothing is charged until ${until}`, { exact: false })).toBeVisible();
    }
  });

  it('takes two clicks next to cancelling and shows what is charged when', async () => {
    const { person, known } = await openPlan({ current: ownSubscription() });
    serve(pauseSubscription, () => {
      known.current = ownSubscription({ pausedUntil });
      return { data: { subscription: known.current } };
    });
    expect(await button('Cancel premium')).toBeVisible();
    await person.click(await button('Pause premium'));
    expect(ownPlan().getByRole('radio', { name: '1 month' })).toHaveFocus();
    await person.click(ownPlan().getByRole('radio', { name: '3 months' }));
    expect(ownPlan().getByText(/nothing is charged until Feb 20, 2026/)).toBeVisible();
    await person.click(ownPlan().getByRole('radio', { name: '1 month' }));
    await person.click(await button('Pause for 1 month'));
    expect(await ownPlan().findByText('Premium pauses on Nov 20, 2025, until Dec 20, 2025.')).toBeVisible();
    expect(received(pauseSubscription).map(({ body }) => body)).toEqual([{ months: 1 }]);
    expect(ownPlan().getByText(/^You have premium until Nov 20, 2025\. Then it pauses/)).toBeVisible();
    expect(ownPlan().queryByRole('button', { name: 'Change plan' })).toBeNull();
    expect(await button('Cancel premium')).toBeVisible();
  });

  it('can be undone for free during the paid period', async () => {
    const { person, known } = await openPlan({ current: ownSubscription({ pausedUntil }) });
    serve(resumeSubscription, () => {
      known.current = ownSubscription();
      return { data: startedPayment({ subscription: known.current, clientSecret: null, requiresAction: false }) };
    });
    await person.click(await button('Resume premium'));
    expect(ownPlan().getByText('Nothing is charged now. Your plan renews on Nov 20, 2025 for $14.99.')).toHaveFocus();
    await person.click(await button('Resume'));
    expect(await ownPlan().findByText('Premium continues as before.')).toBeVisible();
  });

  it('can end early for the shown price, with the bank’s confirmation if needed', async () => {
    const current = ownSubscription({ status: 'paused', pendingPlan: 'quarterly', pausedUntil });
    const { person, known } = await openPlan({ current, cards: [keptCard()] });
    failWith(resumeSubscription, new Refusal('PAYMENT_DECLINED', t(paymentErrorTexts.card_declined)));
    await person.click(await button('Resume premium'));
    await person.click(await button('Pay $35.97 and resume'));
    expect(await ownPlan().findByText(t(paymentErrorTexts.card_declined))).toBeVisible();
    expect(ownPlan().getByText(/^Premium stays paused/)).toBeVisible();
    serve(resumeSubscription, () => ({ data: startedPayment({ subscription: current }) }));
    serve(answerSandboxIntent, () => ({ data: { status: 'succeeded' as const } }));
    serve(confirmSubscription, () => {
      known.current = ownSubscription({ plan: 'quarterly' });
      return { data: { subscription: known.current } };
    });
    await person.click(await button('Pay $35.97 and resume'));
    await person.click(await button('Pay and resume'));
    expect(await ownPlan().findByText('Premium is back. You paid $35.97.')).toBeVisible();
  });
});

describe('cancelling the plan', () => {
  it('takes two clicks and shows how long premium lasts', async () => {
    const { person, known } = await openPlan({ current: ownSubscription() });
    serve(cancelSubscription, () => {
      known.current = ownSubscription({ cancelAtPeriodEnd: true });
      return { data: { subscription: known.current } };
    });
    const asked = received(getProfile).length;
    await person.click(await button('Cancel premium'));
    expect(
      ownPlan().getByText('Premium ends on Nov 20, 2025. You keep it until then, and nothing more is charged.'),
    ).toHaveFocus();
    await person.click(await button('Yes, cancel premium'));
    expect(await ownPlan().findByText('Premium is canceled. You keep it until Nov 20, 2025.')).toBeVisible();
    expect(received(cancelSubscription)).toHaveLength(1);
    expect(await button('Resume premium')).toBeVisible();
    await waitFor(() => expect(received(getProfile).length).toBeGreaterThan(asked));
    await waitFor(() => expect(received(currentSubscription)).toHaveLength(2));
    expect(ownPlan().getByText(/^Ends on Nov 20, 2025\. You keep everything until then/)).toBeVisible();
  });

  it('ends an unpaid plan immediately', async () => {
    const { person, known } = await openPlan({ current: ownSubscription({ status: 'past_due' }) });
    serve(cancelSubscription, () => {
      known.current = null;
      return { data: { subscription: ownSubscription({ status: 'canceled', currentPeriodEnd: null }) } };
    });
    await person.click(await button('Cancel premium'));
    expect(ownPlan().getByText('Your plan ends now, and nothing more is charged.')).toHaveFocus();
    await person.click(await button('Yes, cancel premium'));
    expect(await ownPlan().findByText(/^You have no plan/)).toBeVisible();
  });

  it('can be aborted with a click', async () => {
    const { person } = await openPlan({ current: ownSubscription() });
    await person.click(await button('Cancel premium'));
    await person.click(await button('Keep premium'));
    expect(await button('Cancel premium')).toBeVisible();
    expect(received(cancelSubscription)).toEqual([]);
  });

  it('can be undone', async () => {
    const { person, known } = await openPlan({ current: ownSubscription({ cancelAtPeriodEnd: true }) });
    serve(reactivateSubscription, () => {
      known.current = ownSubscription();
      return { data: { subscription: known.current } };
    });
    expect(ownPlan().queryByRole('button', { name: 'Cancel premium' })).toBeNull();
    await person.click(await button('Resume premium'));
    expect(await ownPlan().findByText('Premium continues as before.')).toBeVisible();
    expect(ownPlan().getByText(/^Renews on/)).toBeVisible();
  });
});

describe('changing the plan', () => {
  const preview = (amount: number, isImmediate: boolean) =>
    serve(previewChange, ({ query: { plan } }) => ({
      data: { plan, amountDueNow: usd(amount), effectiveAt: '2025-11-20T12:00:00.000Z', isImmediate },
    }));

  const changed = (subscription: SubscriptionView) =>
    startedPayment({ subscription, requiresAction: false, clientSecret: null, secretKind: null });

  async function choose(name: RegExp, current = ownSubscription()) {
    const app = await openPlan({ current, cards: [keptCard()] });
    await app.person.click(await button('Change plan'));
    await app.person.click(ownPlan().getByRole('radio', { name }));
    return app;
  }

  it('shows the price before a change to a longer plan', async () => {
    preview(10_489, true);
    const { person, known } = await choose(/^Annual/);
    serve(updateSubscription, ({ body: { plan } }) => {
      known.current = ownSubscription({ plan });
      return { data: changed(known.current) };
    });
    expect(await ownPlan().findByText(/^The Annual plan starts now\. You pay \$104\.89:/)).toBeVisible();
    expect(received(updateSubscription)).toEqual([]);
    await person.click(await button('Pay $104.89 and change'));
    expect(await ownPlan().findByText('You now have the Annual plan.')).toBeVisible();
    expect(received(updateSubscription).map(({ body }) => body)).toEqual([{ plan: 'annual' }]);
    expect(ownPlan().queryByRole('radio')).toBeNull();
  });

  it('takes effect at the end of the period for a shorter plan, and can be undone', async () => {
    preview(0, false);
    const { person, known } = await choose(/^Monthly/, ownSubscription({ plan: 'annual' }));
    serve(updateSubscription, ({ body: { plan } }) => {
      known.current = ownSubscription({ plan: 'annual', pendingPlan: plan === 'annual' ? null : plan });
      return { data: changed(known.current) };
    });
    expect(
      await ownPlan().findByText(/^The Monthly plan starts on Nov 20, 2025.*Nothing is charged now\.$/),
    ).toBeVisible();
    await person.click(await button('Change on Nov 20, 2025'));
    expect(await ownPlan().findByText('You will switch to the Monthly plan on Nov 20, 2025.')).toBeVisible();
    expect(ownPlan().getByText('Changes to the Monthly plan on Nov 20, 2025.')).toBeVisible();
    await person.click(await button('Keep the Annual plan'));
    expect(await ownPlan().findByText('You keep the Annual plan.')).toBeVisible();
    expect(ownPlan().queryByText(/^Changes to/)).toBeNull();
    expect(received(updateSubscription).map(({ body }) => body.plan)).toEqual(['monthly', 'annual']);
  });

  it('offers the other plans', async () => {
    const { person } = await openPlan({ current: ownSubscription({ plan: 'quarterly', price: usd(3597) }) });
    await person.click(await button('Change plan'));
    const names = ownPlan()
      .getAllByRole('radio')
      .map((radio) => radio.getAttribute('value'));
    expect(names).toEqual(['monthly', 'annual']);
    expect(ownPlan().getByRole('radio', { name: /^Monthly/ })).toHaveFocus();
    await person.click(await button('Keep my plan'));
    expect(ownPlan().queryByRole('radio')).toBeNull();
  });

  it('leaves the plan unchanged when the card is declined', async () => {
    preview(10_489, true);
    failWith(updateSubscription, new Refusal('PAYMENT_DECLINED', t(paymentErrorTexts.insufficient_funds)));
    const { person } = await choose(/^Annual/);
    await person.click(await button('Pay $104.89 and change'));
    expect(await ownPlan().findByRole('alert')).toHaveTextContent(t(paymentErrorTexts.insufficient_funds));
    expect(ownPlan().getByText(/^Your plan has not changed\. You can try again with another card/)).toBeVisible();
  });

  it("asks for the bank's confirmation if it is required", async () => {
    preview(10_489, true);
    serve(updateSubscription, () => ({ data: startedPayment({ subscription: ownSubscription() }) }));
    serve(answerSandboxIntent, ({ body }) => ({
      data: { status: body.challenge === 'approve' ? ('succeeded' as const) : ('requires_action' as const) },
    }));
    const { person, known } = await choose(/^Annual/);
    serve(confirmSubscription, () => {
      known.current = ownSubscription({ plan: 'annual' });
      return { data: { subscription: known.current } };
    });
    await person.click(await button('Pay $104.89 and change'));
    expect(await ownPlan().findByText(/^Your bank asks you to confirm/)).toBeVisible();
    expect(await ownPlan().findByRole('radio', { name: /^Visa ending in 4242/ })).toBeChecked();
    await person.click(await button('Pay and change'));
    await person.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Approve' }));
    expect(await ownPlan().findByText('You now have the Annual plan.')).toBeVisible();
    expect(received(answerSandboxIntent).map(({ body }) => body.token ?? body.challenge)).toEqual([
      'card-1',
      'approve',
    ]);
    expect(received(confirmSubscription)[0]?.body).toEqual({
      subscriptionId: 'subscription-1',
      paymentIntentId: 'intent-1',
    });
  });
});

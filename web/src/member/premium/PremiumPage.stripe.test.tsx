import { t } from '@lingui/core/macro';
import { screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { paymentErrorTexts } from '#contract/subscriptions/plan.ts';
import { confirmSubscription, createSubscription } from '#contract/subscriptions/subscriptions.ts';
import { received, serve } from '../../../test/fake-server.ts';
import { ownUser } from '../../../test/fixtures/people.ts';
import {
  keptCard,
  ownSubscription,
  servePremium,
  serveSandbox,
  startedPayment,
} from '../../../test/fixtures/premium.ts';
import { putStripeScript, stripeScript } from '../../../test/fixtures/stripe-script.ts';
import { renderApp, serviceConfig } from '../../../test/render-app.tsx';

const stripeConfig = () =>
  serviceConfig({
    providers: { ...serviceConfig().providers, payments: 'stripe' },
    stripePublishableKey: 'pk_live_heartwood',
  });

async function openPayment(changes: Parameters<typeof servePremium>[0] = {}) {
  const known = servePremium(changes);
  serveSandbox(known);
  serve(confirmSubscription, () => {
    known.current = ownSubscription();
    return { data: { subscription: known.current } };
  });
  const app = renderApp('/app/premium', ownUser(), ownUser(), stripeConfig);
  await app.person.click(await screen.findByRole('button', { name: 'Continue to payment' }));
  return app;
}

const pay = () => screen.findByRole('button', { name: 'Pay $14.99' });
const bought = () => screen.findByRole('heading', { level: 2, name: 'Welcome to premium' });

describe('the Stripe form', () => {
  beforeEach(putStripeScript);

  it('shows Stripe’s fields for the payment’s secret and confirms without leaving the page', async () => {
    const { person } = await openPayment();
    expect(await screen.findByText('Card fields of Stripe for secret-1')).toBeVisible();
    expect(screen.queryByText('Test payments. No money moves.')).toBeNull();
    expect(screen.queryByRole('button', { name: 'Test cards' })).toBeNull();
    await person.click(await pay());
    expect(await bought()).toBeVisible();
    expect(stripeScript.confirmed).toEqual([
      { kind: 'payment', key: 'pk_live_heartwood', card: 'fields', clientSecret: 'secret-1', redirect: 'if_required' },
    ]);
    expect(received(confirmSubscription)).toHaveLength(1);
  });

  it('pays with a saved card by its id', async () => {
    const { person } = await openPayment({ cards: [keptCard()] });
    await screen.findByRole('radio', { name: /^Visa ending in 4242/ });
    await person.click(await pay());
    expect(await bought()).toBeVisible();
    expect(stripeScript.confirmed).toMatchObject([{ kind: 'payment', card: 'card-1', clientSecret: 'secret-1' }]);
  });

  it('saves the card for a trial', async () => {
    const { unmount } = await openPayment();
    unmount();
    const setup = { secretKind: 'setup' as const, paymentIntentId: null, setupIntentId: 'setup-1' };
    serve(createSubscription, () => ({ data: startedPayment(setup) }));
    const { person } = renderApp('/app/premium', ownUser(), ownUser(), stripeConfig);
    await person.click(await screen.findByRole('button', { name: 'Continue to payment' }));
    await person.click(await screen.findByRole('button', { name: 'Start free trial' }));
    expect(await bought()).toBeVisible();
    expect(stripeScript.confirmed).toMatchObject([{ kind: 'setup', card: 'fields' }]);
  });

  it.each([
    ['a decline', { type: 'card_error', code: 'card_declined' }, t(paymentErrorTexts.card_declined)],
    [
      'a decline with its reason',
      { type: 'card_error', code: 'card_declined', decline_code: 'insufficient_funds' },
      t(paymentErrorTexts.insufficient_funds),
    ],
    ['an old card', { type: 'card_error', code: 'expired_card' }, t(paymentErrorTexts.expired_card)],
    [
      'a failed bank confirmation',
      { type: 'invalid_request_error', code: 'payment_intent_authentication_failure' },
      t(paymentErrorTexts.authentication_failed),
    ],
    ['no answer', { type: 'api_connection_error' }, t(paymentErrorTexts.unavailable)],
    ['anything else', { type: 'invalid_request_error', code: 'parameter_missing' }, t(paymentErrorTexts.invalid)],
  ])('%s is shown in our words, and the card can be typed again', async (_, error, text) => {
    stripeScript.outcome = { error };
    const { person } = await openPayment();
    await person.click(await pay());
    expect(await screen.findByRole('alert')).toHaveTextContent(text);
    expect(stripeScript.areFieldsFocused).toBe(true);
    expect(received(confirmSubscription)).toEqual([]);
  });

  it('leaves the validation of incomplete fields to Stripe', async () => {
    stripeScript.outcome = { error: { type: 'validation_error', code: 'incomplete_number' } };
    const { person } = await openPayment();
    await person.click(await pay());
    await waitFor(() => expect(stripeScript.confirmed).toHaveLength(1));
    expect(await pay()).toBeVisible();
    expect(screen.queryByRole('alert')).toBeNull();
    expect(received(confirmSubscription)).toEqual([]);
  });

  it('does not repeat a payment that already went through', async () => {
    stripeScript.outcome = {
      error: {
        type: 'invalid_request_error',
        code: 'payment_intent_unexpected_state',
        payment_intent: { status: 'succeeded' },
      },
    };
    const { person } = await openPayment();
    await person.click(await pay());
    expect(await bought()).toBeVisible();
  });
});

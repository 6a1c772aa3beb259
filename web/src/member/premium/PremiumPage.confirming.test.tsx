import { screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { answerSandboxIntent } from '#contract/subscriptions/payments-sandbox.ts';
import { confirmSubscription, createSubscription, getSubscription } from '#contract/subscriptions/subscriptions.ts';
import { CutOff, failWith, received, Refusal, serve } from '../../../test/fake-server.ts';
import { fillIn, openPayment, payWith, type Person, sent } from '../../../test/fixtures/buying.ts';
import { ownUser } from '../../../test/fixtures/people.ts';
import {
  offeredPlans,
  ownSubscription,
  servePremium,
  serveSandbox,
  startedPayment,
  unfinished,
} from '../../../test/fixtures/premium.ts';
import { renderApp, serviceConfig } from '../../../test/render-app.tsx';

describe('a trial', () => {
  const beginTrial = async () => {
    const known = servePremium();
    serveSandbox(known);
    const setup = { secretKind: 'setup' as const, paymentIntentId: null, setupIntentId: 'setup-1' };
    serve(createSubscription, () => {
      known.all = [unfinished()];
      return { data: startedPayment(setup) };
    });
    const { person } = renderApp('/app/premium', ownUser(), ownUser(), () =>
      serviceConfig({ premium: { plans: offeredPlans, trialDays: 7 } }),
    );
    await person.click(await screen.findByRole('button', { name: 'Continue to payment' }));
    await fillIn(person, '4242424242424242');
    expect(screen.getByText(/^Nothing now: 7 days free/)).toBeVisible();
    return person;
  };

  const press = (person: Person) => person.click(screen.getByRole('button', { name: 'Start free trial' }));

  it('saves a card and charges nothing', async () => {
    await press(await beginTrial());
    await screen.findByRole('heading', { level: 2, name: 'Welcome to premium' });
    expect(received(confirmSubscription)[0]?.body).toEqual({
      subscriptionId: 'subscription-1',
      setupIntentId: 'setup-1',
    });
  });

  it('is refused for a used card, with a message at the plans', async () => {
    const person = await beginTrial();
    failWith(
      confirmSubscription,
      new Refusal('PAYMENT_DECLINED', 'This card has already had a free trial. You can start without one.'),
    );
    await press(person);
    expect(await screen.findByRole('heading', { level: 2, name: 'Choose your plan' })).toHaveFocus();
    expect(screen.getByRole('alert')).toHaveTextContent(/^This card has already had a free trial/);
  });
});

describe('a payment accepted by the provider', () => {
  it('is never repeated, only its state is requested again', async () => {
    const { person, known } = await openPayment();
    failWith(confirmSubscription, new CutOff());
    await payWith(person, '4242424242424242');
    expect(await screen.findByRole('alert')).toHaveTextContent(/You don't need to pay again\. No response from server/);
    expect(screen.queryByRole('button', { name: 'Pay $14.99' })).toBeNull();
    serve(confirmSubscription, () => {
      known.current = ownSubscription();
      return { data: { subscription: known.current } };
    });
    await person.click(screen.getByRole('button', { name: 'Check again' }));
    expect(await screen.findByRole('heading', { level: 2, name: 'Welcome to premium' })).toBeVisible();
    expect(sent()).toHaveLength(1);
  });

  it('waits while the bank processes it', async () => {
    const { person, known } = await openPayment();
    serve(answerSandboxIntent, () => ({ data: { status: 'processing' as const } }));
    serve(getSubscription, () => {
      known.current = ownSubscription();
      return { data: { subscription: known.current } };
    });
    await payWith(person, '4242424242424242');
    expect(await screen.findByRole('heading', { level: 2, name: 'Welcome to premium' })).toBeVisible();
    expect(received(getSubscription)[0]?.params).toEqual({ id: 'subscription-1' });
  });

  it('returns to the plans if the plan was canceled', async () => {
    const { person } = await openPayment();
    failWith(confirmSubscription, new Refusal('PAYMENT_UNFINISHED', 'This payment was canceled. Please start again.'));
    serve(getSubscription, () => ({ data: { subscription: unfinished({ status: 'incomplete_expired' }) } }));
    await payWith(person, '4242424242424242');
    expect(await screen.findByRole('heading', { level: 2, name: 'Choose your plan' })).toHaveFocus();
    expect(screen.getByRole('alert')).toHaveTextContent('This payment was canceled. Please start again.');
  });
});

describe('a payment that has expired', () => {
  it('shows at the plans that it was canceled', async () => {
    const { person } = await openPayment();
    serve(answerSandboxIntent, () => ({ data: { status: 'canceled' as const } }));
    await payWith(person, '4242424242424242');
    expect(await screen.findByRole('heading', { level: 2, name: 'Choose your plan' })).toHaveFocus();
    expect(screen.getByRole('alert')).toHaveTextContent('This payment was canceled. Please start again.');
    expect(received(confirmSubscription)).toEqual([]);
  });

  it('can be replaced by another plan', async () => {
    const { person } = await openPayment();
    await screen.findByLabelText(/^Card number/);
    await person.click(screen.getByRole('button', { name: 'Choose another plan' }));
    await person.click(await screen.findByRole('radio', { name: /^Annual/ }));
    await person.click(screen.getByRole('button', { name: 'Continue to payment' }));
    expect(await screen.findByRole('button', { name: 'Pay $119.88' })).toBeVisible();
    expect(received(createSubscription).map(({ body }) => body.plan)).toEqual(['monthly', 'annual']);
  });
});

describe('a tab closed during payment', () => {
  it('resumes the payment, and finishes it', async () => {
    const { unmount } = await openPayment();
    await screen.findByLabelText(/^Card number/);
    unmount();
    const { person } = renderApp('/app/premium', ownUser());
    await person.click(await screen.findByRole('button', { name: 'Finish payment' }));
    await payWith(person, '4242424242424242');
    expect(await screen.findByRole('heading', { level: 2, name: 'Welcome to premium' })).toBeVisible();
    expect(new Set(received(createSubscription).map(({ headers }) => headers.get('idempotency-key'))).size).toBe(2);
  });
});

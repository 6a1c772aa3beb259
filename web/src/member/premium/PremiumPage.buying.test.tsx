import { t } from '@lingui/core/macro';
import { screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { getProfile } from '#contract/profiles/profiles.ts';
import { answerSandboxIntent } from '#contract/subscriptions/payments-sandbox.ts';
import { paymentErrorTexts } from '#contract/subscriptions/plan.ts';
import { confirmSubscription, createSubscription } from '#contract/subscriptions/subscriptions.ts';
import { failWith, received, Refusal, serve } from '../../../test/fake-server.ts';
import { bank, fillIn, number, openPayment, payButton, payWith, sent } from '../../../test/fixtures/buying.ts';
import { ownUser } from '../../../test/fixtures/people.ts';
import { keptCard } from '../../../test/fixtures/premium.ts';
import { useSession } from '../../features/auth/session/session.ts';

describe('buying premium with a new card', () => {
  it('shows the new plan as the server reports it', async () => {
    const { person, known } = await openPayment();
    expect(screen.getByRole('heading', { level: 2, name: 'Payment' })).toHaveFocus();
    expect(screen.getByText('Monthly · $14.99 a month')).toBeVisible();
    await fillIn(person, '4242 4242 4242 4242');
    serve(getProfile, () => {
      const user = ownUser({ isVIP: true });
      return {
        userData: {
          user,
          privacySettings: user.settings,
          requiresVerification: false,
          requiresProfileCompletion: false,
          onboardingComplete: true,
        },
      };
    });
    const asked = received(getProfile).length;
    await person.click(payButton());
    expect(await screen.findByRole('heading', { level: 2, name: 'Welcome to premium' })).toHaveFocus();
    expect(screen.getByText(/^Renews on Nov 20, 2025 for \$14\.99\.$/)).toBeVisible();
    expect(useSession.getState().isVIP).toBe(true);
    expect(sent()).toEqual([{ id: 'intent-1', clientSecret: 'secret-1', token: 'tok_visa' }]);
    expect(received(confirmSubscription).map(({ body }) => body)).toEqual([
      { subscriptionId: 'subscription-1', paymentIntentId: 'intent-1' },
    ]);
    await waitFor(() => expect(received(getProfile).length).toBeGreaterThan(asked));
    expect(known.current).not.toBeNull();
  });

  it('keeps the form while the server declines, the bank challenges, declines and finally approves', async () => {
    const { person } = await openPayment();
    await payWith(person, '4000000000000002');
    expect(await screen.findByRole('alert')).toHaveTextContent(t(paymentErrorTexts.card_declined));
    expect(number()).toHaveFocus();
    expect(number()).toHaveValue('4000 0000 0000 0002');
    await person.clear(number());
    await person.type(number(), '4000 0025 0000 3155');
    expect(screen.queryByRole('alert')).toBeNull();
    await person.click(payButton());
    await person.click((await bank()).getByRole('button', { name: 'Decline' }));
    expect(await screen.findByRole('alert')).toHaveTextContent(t(paymentErrorTexts.authentication_failed));
    expect(screen.queryByRole('dialog')).toBeNull();
    await person.click(payButton());
    await person.click((await bank()).getByRole('button', { name: 'Approve' }));
    expect(await screen.findByRole('heading', { level: 2, name: 'Welcome to premium' })).toBeVisible();
    expect(sent().map(({ token, challenge }) => token ?? challenge)).toEqual([
      'tok_declined',
      'tok_challenge',
      'refuse',
      'tok_challenge',
      'approve',
    ]);
    expect(received(createSubscription)).toHaveLength(1);
  });

  it('keeps the bank’s request open when its dialog is closed', async () => {
    const { person } = await openPayment();
    await payWith(person, '4000002500003155');
    await bank();
    await person.keyboard('{Escape}');
    expect(
      await screen.findByText('Your bank is still waiting for your confirmation. Try again to see its request.'),
    ).toBeVisible();
    expect(received(confirmSubscription)).toEqual([]);
    await waitFor(() => expect(payButton()).toBeVisible());
  });
});

describe('the number of a card', () => {
  it('never leaves the browser, because real numbers are rejected', async () => {
    const { person } = await openPayment();
    await payWith(person, '4111 1111 1111 1111');
    expect(number()).toHaveAccessibleDescription(/^This is not one of the test cards\. It was not sent\./);
    expect(number()).toHaveFocus();
    expect(sent()).toEqual([]);
  });

  it('is not stored on the device, not even that of a test card', async () => {
    const { person } = await openPayment();
    await payWith(person, '4242424242424242');
    await screen.findByRole('heading', { level: 2, name: 'Welcome to premium' });
    const kept = JSON.stringify([Object.entries(localStorage), Object.entries(sessionStorage)]).replaceAll(' ', '');
    expect(kept).not.toContain('4242424242424242');
    expect(kept).not.toContain('secret-1');
    expect(JSON.stringify(sent())).not.toMatch(/\d{12}/);
  });

  it('is the first field, followed by the expiry date and the code', async () => {
    const { person } = await openPayment();
    await screen.findByLabelText(/^Card number/);
    await person.click(payButton());
    expect(number()).toHaveFocus();
    expect(number()).toBeInvalid();
    await person.type(number(), '4242424242424242');
    await person.click(payButton());
    const expires = screen.getByLabelText(/^Expires/);
    expect(expires).toHaveFocus();
    expect(expires).toHaveAccessibleDescription('This is required');
    expect(number()).toBeValid();
    expect(sent()).toEqual([]);
  });

  it('can be filled in from the list of test cards', async () => {
    const { person } = await openPayment();
    await person.click(await screen.findByRole('button', { name: 'Test cards' }));
    expect(screen.getByText('Has insufficient funds')).toBeVisible();
    await person.click(screen.getByRole('button', { name: 'Use 5555 5555 5555 4444' }));
    expect(number()).toHaveValue('5555 5555 5555 4444');
    expect(number()).toHaveFocus();
    await person.click(payButton());
    await screen.findByRole('heading', { level: 2, name: 'Welcome to premium' });
    expect(sent()[0]).toMatchObject({ token: 'tok_mastercard' });
  });
});

describe('buying premium with a saved card', () => {
  it('sends only its id and asks for no number', async () => {
    const { person } = await openPayment({
      cards: [keptCard(), keptCard({ _id: 'card-2', last4: '4444', brand: 'mastercard', isDefault: false })],
    });
    expect(await screen.findByRole('radio', { name: /^Visa ending in 4242/ })).toBeChecked();
    expect(screen.queryByLabelText(/^Card number/)).toBeNull();
    await person.click(screen.getByRole('radio', { name: /^Mastercard ending in 4444/ }));
    await person.click(payButton());
    await screen.findByRole('heading', { level: 2, name: 'Welcome to premium' });
    expect(sent()).toEqual([{ id: 'intent-1', clientSecret: 'secret-1', token: 'card-2' }]);
  });

  it('offers another card after a decline', async () => {
    const { person } = await openPayment({ cards: [keptCard()] });
    failWith(answerSandboxIntent, new Refusal('PAYMENT_DECLINED', t(paymentErrorTexts.expired_card)));
    await screen.findByRole('radio', { name: /^Visa ending in 4242/ });
    await person.click(payButton());
    expect(await screen.findByRole('alert')).toHaveTextContent(t(paymentErrorTexts.expired_card));
    expect(screen.getByRole('radio', { name: /^Visa ending in 4242/ })).toHaveFocus();
    await person.click(screen.getByRole('radio', { name: 'Another card' }));
    expect(screen.queryByRole('alert')).toBeNull();
    expect(number()).toBeVisible();
  });
});

import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { subscriptionStatuses } from '#contract/subscriptions/plan.ts';
import {
  createSubscription,
  currentSubscription,
  listInvoices,
  listPaymentMethods,
  listSubscriptions,
} from '#contract/subscriptions/subscriptions.ts';
import { serve } from '../../test/fake-server.ts';
import { answerWith, bareSubscription, expectWhole, type Row, variantsOf } from '../../test/fixtures/bare.ts';
import { serveSettings } from '../../test/fixtures/own-settings.ts';
import { ownUser } from '../../test/fixtures/people.ts';
import { servePremium, startedPayment } from '../../test/fixtures/premium.ts';
import { renderApp } from '../../test/render-app.tsx';

const subscriptions: [string, Row][] = [
  ...subscriptionStatuses.map((status): [string, Row] => [status, { ...bareSubscription, status }]),
  ...variantsOf(bareSubscription).map((row): [string, Row] => [row._id, row]),
  ['of an unknown status and plan', { ...bareSubscription, status: 'unheard_of', plan: 'weekly' }],
  ['paused until a date', { ...bareSubscription, status: 'paused', pausedUntil: '2099-01-01T00:00:00.000Z' }],
  ['about to change', { ...bareSubscription, pendingPlan: 'annual' }],
];

const serveCurrent = (subscription: Row) => {
  servePremium();
  serve(currentSubscription, () => answerWith(undefined, { subscription }));
};

describe('a subscription with only fields of the specification', () => {
  it.each(subscriptions)('is shown on the premium page: %s', async (_, subscription) => {
    serveCurrent(subscription);
    renderApp('/app/premium', ownUser());
    expect(await screen.findByRole('link', { name: 'Your plan in Settings' })).toBeVisible();
    expectWhole();
  });

  it.each(subscriptions)('is shown in the settings with all actions: %s', async (_, subscription) => {
    serveSettings();
    serveCurrent(subscription);
    const { person } = renderApp('/app/settings/plan', ownUser());
    const plan = within(await screen.findByRole('region', { name: 'Your plan' }));
    expect(await plan.findByRole('button', { name: 'Add a card' })).toBeVisible();
    expectWhole();
    for (const [step, back] of [
      ['Change plan', 'Keep my plan'],
      ['Pause premium', "Don't pause"],
      ['Resume premium', 'Stay paused'],
      ['Cancel premium', 'Keep premium'],
    ] as const) {
      const button = plan.queryByRole('button', { name: step });
      if (button === null) continue;
      await person.click(button);
      expectWhole();
      const leave = plan.queryByRole('button', { name: back });
      if (leave !== null) await person.click(leave);
    }
  });

  it('can be bought, even while another purchase is unfinished', async () => {
    servePremium();
    serve(listSubscriptions, () =>
      answerWith({ subscriptions: variantsOf({ ...bareSubscription, status: 'incomplete' }) }),
    );
    serve(createSubscription, () =>
      answerWith({ ...startedPayment(), subscription: { ...bareSubscription, status: 'incomplete' } }),
    );
    const { person } = renderApp('/app/premium?plan=annual', ownUser());
    await person.click(await screen.findByRole('button', { name: 'Continue to payment' }));
    expect(await screen.findByText('Annual · $119.88 a year')).toBeVisible();
    expectWhole();
  });
});

describe('invoices and cards with only fields of the specification', () => {
  it('are listed', async () => {
    serveSettings();
    serveCurrent(bareSubscription);
    const at = '2025-10-04T10:00:00.000Z';
    const invoices = variantsOf({ _id: 'invoice', created: at, period_start: at, period_end: at });
    serve(listInvoices, () => answerWith({ invoices }));
    serve(listPaymentMethods, () => answerWith({ paymentMethods: [{ _id: 'card' }] }));
    renderApp('/app/settings/plan', ownUser());
    const table = await screen.findByRole('table', { name: 'Invoices' });
    expect(within(table).getAllByRole('link', { name: 'Invoice' })).toHaveLength(invoices.length);
    expect(await screen.findByText('Card')).toBeVisible();
    await waitFor(expectWhole);
  });
});

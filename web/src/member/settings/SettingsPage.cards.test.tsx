import { t } from '@lingui/core/macro';
import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { answerSandboxIntent } from '#contract/subscriptions/payments-sandbox.ts';
import { paymentErrorTexts } from '#contract/subscriptions/plan.ts';
import {
  createSetupIntent,
  currentSubscription,
  listPaymentMethods,
  removePaymentMethod,
  setDefaultPaymentMethod,
} from '#contract/subscriptions/subscriptions.ts';
import { CutOff, failWith, received, Refusal, serve } from '../../../test/fake-server.ts';
import { openPlan, settingsPart } from '../../../test/fixtures/own-plan.tsx';
import { type KnownPremium, keptCard, ownInvoice, ownSubscription } from '../../../test/fixtures/premium.ts';
import { setLanguage } from '../../ui/text/text.ts';

const visa = keptCard();
const mastercard = keptCard({ _id: 'card-2', brand: 'mastercard', last4: '4444', isDefault: false });

const cards = () => settingsPart('Cards');
const listed = () =>
  cards()
    .getAllByRole('listitem')
    .map((item) => item.querySelector('p')?.textContent.trim());

async function open(changes: Partial<KnownPremium> = {}) {
  const app = await openPlan({ current: ownSubscription(), cards: [visa, mastercard], ...changes });
  await screen.findByRole('region', { name: 'Cards' });
  return app;
}

describe('the cards', () => {
  it('are listed with their last digits and expiry, and the default is marked', async () => {
    await open({ cards: [visa, keptCard({ ...mastercard, expMonth: 1, expYear: 2020 })] });
    await waitFor(() => expect(cards().getAllByRole('listitem')).toHaveLength(2));
    expect(listed().map((text) => text?.replace(/\s+/g, ' '))).toEqual([
      'Visa ending in 4242 Default',
      'Mastercard ending in 4444 Expired',
    ]);
    expect(cards().getByText('Expires 12/2099')).toBeVisible();
    expect(cards().queryByRole('button', { name: 'Make default: Visa ending in 4242' })).toBeNull();
  });

  it('stay with a notice when refreshing fails', async () => {
    const { unmount } = await open();
    await cards().findByText('Visa ending in 4242');
    unmount();
    await openPlan({ current: ownSubscription() }, undefined, () => failWith(listPaymentMethods, new CutOff()));
    await screen.findByRole('region', { name: 'Cards' });
    expect(await cards().findByText(/^Couldn't load your cards: No response from server/)).toBeVisible();
    expect(cards().getByText('Visa ending in 4242')).toBeVisible();
  });

  it('are hidden without a plan if there are none', async () => {
    const { unmount } = await openPlan();
    await waitFor(() => expect(received(listPaymentMethods).length).toBeGreaterThan(0));
    expect(screen.queryByRole('region', { name: 'Cards' })).toBeNull();
    unmount();
    await openPlan({ cards: [visa] });
    await screen.findByRole('region', { name: 'Cards' });
    expect(await cards().findByText('Visa ending in 4242')).toBeVisible();
  });

  it('can be made the default', async () => {
    const { person } = await open();
    serve(setDefaultPaymentMethod, ({ params: { id } }) => ({
      data: { paymentMethods: [visa, mastercard].map((card) => ({ ...card, isDefault: card._id === id })) },
    }));
    await person.click(await cards().findByRole('button', { name: 'Make default: Mastercard ending in 4444' }));
    expect(await cards().findByText('Mastercard ending in 4444 is now your default card.')).toBeVisible();
    expect(cards().getByRole('button', { name: 'Make default: Visa ending in 4242' })).toBeVisible();
    await waitFor(() => expect(received(currentSubscription).length).toBeGreaterThan(1));
  });

  it('can be removed after a confirmation', async () => {
    const { person } = await open();
    serve(removePaymentMethod, () => ({ data: { paymentMethods: [visa] } }));
    await person.click(await cards().findByRole('button', { name: 'Remove Mastercard ending in 4444' }));
    expect(cards().getByText(/^Remove Mastercard ending in 4444\?/)).toHaveFocus();
    await person.click(cards().getByRole('button', { name: 'Keep it' }));
    expect(received(removePaymentMethod)).toEqual([]);
    await person.click(cards().getByRole('button', { name: 'Remove Mastercard ending in 4444' }));
    await person.click(cards().getByRole('button', { name: 'Yes, remove it' }));
    expect(await cards().findByText('Mastercard ending in 4444 was removed.')).toBeVisible();
    expect(cards().getAllByRole('listitem')).toHaveLength(1);
    expect(received(removePaymentMethod)[0]?.params).toEqual({ id: 'card-2' });
  });

  it('stay with the server’s reason if they are still needed', async () => {
    const { person } = await open();
    failWith(removePaymentMethod, new Refusal('CONFLICT', 'This card pays for your plan'));
    await person.click(await cards().findByRole('button', { name: 'Remove Visa ending in 4242' }));
    await person.click(cards().getByRole('button', { name: 'Yes, remove it' }));
    expect(await cards().findByRole('alert')).toHaveTextContent('This card pays for your plan');
    expect(cards().getAllByRole('listitem')).toHaveLength(2);
  });
});

describe('adding a card', () => {
  let intents = 0;

  function serveKeeping(known: KnownPremium) {
    intents = 0;
    serve(createSetupIntent, () => {
      intents += 1;
      return { data: { clientSecret: `secret-${intents}`, setupIntentId: `setup-${intents}` } };
    });
    serveKept(known);
  }

  function serveKept(known: KnownPremium) {
    serve(answerSandboxIntent, ({ body }) => {
      if (body.token === 'tok_declined') throw new Refusal('PAYMENT_DECLINED', t(paymentErrorTexts.card_declined));
      known.cards = [{ ...visa, isDefault: false }, keptCard({ ...mastercard, isDefault: true })];
      return { data: { status: 'succeeded' as const } };
    });
  }

  const group = () => within(screen.getByRole('group', { name: 'Add a card' }));

  async function begin() {
    const app = await open({ cards: [visa] });
    serveKeeping(app.known);
    await app.person.click(cards().getByRole('button', { name: 'Add a card' }));
    return app;
  }

  async function typeIn(person: Awaited<ReturnType<typeof open>>['person'], card: string) {
    await person.type(await group().findByLabelText(/^Card number/), card);
    await person.type(group().getByLabelText(/^Expires/), '12/99');
    await person.type(group().getByLabelText(/^Security code/), '123');
    await person.click(group().getByRole('button', { name: 'Save card' }));
  }

  it('saves the new card as the default', async () => {
    const { person } = await begin();
    await typeIn(person, '5555555555554444');
    expect(await cards().findByText('Mastercard ending in 4444 was saved and is now your default card.')).toBeVisible();
    expect(received(answerSandboxIntent).map(({ params, body }) => [params.id, body])).toEqual([
      ['setup-1', { clientSecret: 'secret-1', token: 'tok_mastercard' }],
    ]);
    expect(screen.queryByRole('group', { name: 'Add a card' })).toBeNull();
    expect(JSON.parse(localStorage.getItem('subscription') ?? '{}')).toMatchObject({ setupIntent: null });
  });

  it('resumes the same setup after a reload, and can be canceled', async () => {
    const { unmount } = await begin();
    await group().findByLabelText(/^Card number/);
    unmount();
    const again = await open({ cards: [visa] });
    await again.person.click(cards().getByRole('button', { name: 'Add a card' }));
    await group().findByLabelText(/^Card number/);
    expect(received(createSetupIntent)).toHaveLength(1);
    await again.person.click(group().getByRole('button', { name: 'Cancel' }));
    expect(screen.queryByRole('group', { name: 'Add a card' })).toBeNull();
  });

  it('starts over when the setup has expired', async () => {
    const { person, known } = await begin();
    await group().findByLabelText(/^Card number/);
    failWith(answerSandboxIntent, new Refusal('NOT_FOUND', 'Not found'));
    await typeIn(person, '4242424242424242');
    expect(await group().findByText('That timed out, so we started over. Please try again.')).toBeVisible();
    serveKept(known);
    await person.click(await group().findByRole('button', { name: 'Save card' }));
    expect(await cards().findByText('Mastercard ending in 4444 was saved and is now your default card.')).toBeVisible();
    expect(received(answerSandboxIntent).map(({ params }) => params.id)).toEqual(['setup-1', 'setup-2']);
  });
});

describe('the invoices', () => {
  const invoices = () => settingsPart('Invoices');
  const rows = () =>
    within(invoices().getByRole('table', { name: 'Invoices' }))
      .getAllByRole('row')
      .slice(1)
      .map((row) => [...row.children].map((cell) => cell.textContent));

  it('are listed newest first and each has its own page', async () => {
    await open({
      invoices: [
        ownInvoice({ _id: 'invoice-2', number: null, status: 'open', plan: null, paidAt: null }),
        ownInvoice({ status: 'refunded' }),
      ],
    });
    await invoices().findByRole('table', { name: 'Invoices' });
    expect(rows()).toEqual([
      ['Oct 20, 2025', 'Invoice', '—', '$14.99', 'Not paid yet', ''],
      ['Oct 20, 2025', 'HW-0001', 'Premium, Monthly', '$14.99', 'Refunded', ''],
    ]);
    expect(invoices().getByRole('link', { name: 'Invoice HW-0001' })).toHaveAttribute(
      'href',
      '/app/premium/invoices/invoice-1',
    );
    expect(invoices().getByRole('button', { name: 'Download PDF of Invoice HW-0001' })).toBeVisible();
  });

  it('offer no PDF in languages that are written from right to left', async () => {
    setLanguage('ar');
    await open({ invoices: [ownInvoice()] });
    expect(await invoices().findByRole('link', { name: /HW-0001/ })).toBeVisible();
    expect(invoices().queryByText('PDF')).toBeNull();
    expect(invoices().queryByRole('button', { name: /PDF/ })).toBeNull();
  });
});

import { screen, within } from '@testing-library/react';
import { answerSandboxIntent } from '#contract/payments-sandbox.ts';
import { received } from './fake-server.ts';
import { ownUser } from './people.ts';
import { servePremium, serveSandbox } from './premium.ts';
import { renderApp, serviceConfig } from './render-app.tsx';

/** Who sits at keyboard and mouse. */
export type Person = ReturnType<typeof renderApp>['person'];

/** Up to the payment of the monthly plan. */
export async function openPayment(changes: Parameters<typeof servePremium>[0] = {}, config = serviceConfig) {
  const known = servePremium(changes);
  serveSandbox(known);
  const app = renderApp('/app/premium', ownUser(), ownUser({ isVIP: false }), config);
  await app.person.click(await screen.findByRole('button', { name: 'Go on to payment' }));
  await screen.findByRole('heading', { level: 2, name: 'Payment' });
  return { ...app, known };
}

/** The field of the card’s number. */
export const number = () => screen.getByLabelText(/^Card number/);
export const payButton = () => screen.getByRole('button', { name: 'Pay $14.99' });

/** Types a card in. */
export async function fillIn(person: Person, card: string) {
  await person.clear(await screen.findByLabelText(/^Card number/));
  await person.type(number(), card);
  await person.clear(screen.getByLabelText(/^Expires/));
  await person.type(screen.getByLabelText(/^Expires/), '12/99');
  await person.clear(screen.getByLabelText(/^Security code/));
  await person.type(screen.getByLabelText(/^Security code/), '123');
}

/** Types a card in and pays. */
export async function payWith(person: Person, card: string) {
  await fillIn(person, card);
  await person.click(payButton());
}

/** What was sent to the sandbox. */
export const sent = () => received(answerSandboxIntent).map(({ params, body }) => ({ id: params.id, ...body }));
/** The bank’s question. */
export const bank = async () => within(await screen.findByRole('dialog', { name: 'Your bank asks: is it you?' }));

import { cardOf, ensurePremium, namedPayment, namesIntent, newestInvoiceId, somethingToPay } from '../../premium.ts';
import { administrator, everyone, memberOnly, signedIn, type Row } from '../access-cells.ts';
import type { Scene } from '../requests.ts';

/** Another account's stored card. */
const anothersCard = async ({ test, other }: Scene) => {
  await ensurePremium(test, other);
  return await cardOf(test, other);
};

/** Who may call what about premium. */
export const premiumRows: Record<string, Row> = {
  'POST /subscription/create': {
    cells: memberOnly(201),
    others: {
      status: 404,
      request: async (scene) => ({ body: { plan: 'monthly', paymentMethodId: await anothersCard(scene) } }),
    },
  },
  'GET /subscription/current': { cells: { ...memberOnly(200), moderator: 404, administrator: 404 } },
  'GET /subscription/change-preview': { cells: memberOnly(200) },
  'PUT /subscription/update': { cells: memberOnly(200) },
  'POST /subscription/cancel': { cells: memberOnly(200) },
  'POST /subscription/reactivate': { cells: memberOnly(200) },
  'POST /subscription/confirm': {
    cells: memberOnly(200),
    others: {
      status: 404,
      request: async ({ test, other }) => ({ body: namedPayment(await somethingToPay(test, other)) }),
    },
  },
  'GET /subscription/payment-methods': { cells: memberOnly(200) },
  'POST /subscription/setup-intent': { cells: memberOnly(200) },
  'PUT /subscription/payment-methods/{id}/default': {
    cells: memberOnly(200),
    others: { status: 404, request: async (scene) => ({ params: { id: await anothersCard(scene) } }) },
  },
  'DELETE /subscription/payment-methods/{id}': {
    cells: memberOnly(200),
    others: { status: 404, request: async (scene) => ({ params: { id: await anothersCard(scene) } }) },
  },
  'GET /subscription/invoices': { cells: memberOnly(200) },
  'GET /subscription/invoices/{id}': {
    cells: memberOnly(200),
    others: {
      status: 404,
      request: async ({ test, other }) => {
        await ensurePremium(test, other);
        return { params: { id: await newestInvoiceId(test, other) } };
      },
    },
  },
  'GET /subscription/id/{id}': {
    cells: { ...signedIn(200), moderator: 403 },
    others: {
      status: 404,
      request: async ({ test, other }) => ({ params: { id: (await ensurePremium(test, other))._id } }),
    },
  },
  'GET /get_user_subscriptions': { cells: { ...signedIn(200), moderator: 403 } },
  'POST /webhooks/payments': { cells: everyone(400) },
  'GET /admin/revenue': { cells: administrator(200) },
  'POST /dev/payments/intents/{id}': {
    cells: everyone(200),
    others: {
      status: 404,
      request: async ({ test, other }) => ({
        params: { id: namesIntent(await somethingToPay(test, other)) },
        body: { clientSecret: 'not the right one', token: 'tok_visa' },
      }),
    },
  },
  'POST /dev/payments/clock': { cells: administrator(200) },
  'POST /dev/payments/invoices/{id}/refund': { cells: administrator(200) },
};

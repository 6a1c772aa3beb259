import { changePlan, nextDue, payOpenInvoice, previewChange, tick } from './periods.ts';
import { moveSandboxClock, type PaymentSandbox, sandboxNow, type SandboxParts } from './parts.ts';
import {
  deleteCustomer,
  ensureCustomer,
  listPaymentMethods,
  removePaymentMethod,
  setDefaultPaymentMethod,
} from './customers.ts';
import { deliveryOf, markDelivered, readMessage } from './events.ts';
import { answerIntent, createSetupIntent, getIntent, listInvoices, refundInvoice } from './payments.ts';
import { readSubscription } from './rows.ts';
import { cancelNow, createSubscription, giveUp, openPayment, pause, setCancelAtPeriodEnd } from './subscriptions.ts';

/**
 * The payment provider that lives in our own database and moves no money: it does what real providers do, with test cards
 * instead of real ones and a clock that can be moved forward.
 */
export function createSandbox(parts: SandboxParts): PaymentSandbox {
  const { db, clock, webhookSecret } = parts;
  const now = () => sandboxNow(db, clock);
  return {
    name: 'sandbox',
    now,
    ensureCustomer: (person, key) => ensureCustomer(parts, person, key),
    createSubscription: (wish, key) => createSubscription(parts, wish, key),
    openPayment: (subscriptionId) => openPayment(parts, subscriptionId),
    getSubscription: async (id) => readSubscription(db, id, await now()),
    getIntent: (id) => getIntent(db, id),
    // There are no disputes here.
    customerOfCharge: () => Promise.resolve(null),
    previewChange: (change) => previewChange(parts, change),
    changePlan: (change, key) => changePlan(parts, change, key),
    setCancelAtPeriodEnd: (subscriptionId, atPeriodEnd) => setCancelAtPeriodEnd(parts, subscriptionId, atPeriodEnd),
    pause: (subscriptionId, until) => pause(parts, subscriptionId, until),
    cancelNow: (subscriptionId) => cancelNow(parts, subscriptionId),
    giveUp: (subscriptionId) => giveUp(parts, subscriptionId),
    payOpenInvoice: (subscriptionId) => payOpenInvoice(parts, subscriptionId),
    createSetupIntent: (customerId, key) => createSetupIntent(parts, customerId, key),
    listPaymentMethods: (customerId) => listPaymentMethods(db, customerId),
    setDefaultPaymentMethod: (customerId, cardId) => setDefaultPaymentMethod(parts, customerId, cardId),
    removePaymentMethod: (customerId, cardId) => removePaymentMethod(parts, customerId, cardId),
    listInvoices: (customerId, page) => listInvoices(db, customerId, page),
    deleteCustomer: (customerId) => deleteCustomer(parts, customerId),
    parseWebhook: (raw, signature, at) => readMessage(webhookSecret, raw, signature, at),
    answerIntent: (id, clientSecret, answer) => answerIntent(parts, id, clientSecret, answer),
    nextDue: () => nextDue(db),
    moveClock: (to) => moveSandboxClock(db, clock, to),
    tick: () => tick(parts),
    refund: (invoiceId) => refundInvoice(parts, invoiceId),
    delivery: (eventId) => deliveryOf(db, clock, webhookSecret, eventId),
    delivered: (eventId) => markDelivered(db, clock, eventId),
  };
}

import type { PaymentProvider } from '../../server/src/features/subscriptions/providers/provider.ts';
import { customerCommands } from './customers.ts';
import { deliveryOf, markDelivered, readMessage } from './events.ts';
import { moveSandboxClock, sandboxNow, type SandboxParts } from './parts.ts';
import { paymentCommands } from './payments.ts';
import { periodCommands } from './periods.ts';
import { subscriptionCommands } from './subscriptions.ts';

/**
 * The payment provider that lives in our own database and moves no money: it does what real providers do, with test cards
 * instead of real ones and a clock that can be moved forward.
 */
export const createSandbox = (parts: SandboxParts) =>
  ({
    name: 'sandbox',
    isTest: true,
    now: () => sandboxNow(parts.db, parts.clock),
    ...customerCommands(parts),
    ...subscriptionCommands(parts),
    ...paymentCommands(parts),
    ...periodCommands(parts),
    // There are no disputes here.
    customerOfCharge: () => Promise.resolve(null),
    parseWebhook: (raw: Buffer, signature: string, now: Date) => readMessage(parts.webhookSecret, raw, signature, now),
    moveClock: (to: Date) => moveSandboxClock(parts, to),
    delivery: (eventId: string) => deliveryOf(parts, eventId),
    delivered: (eventId: string) => markDelivered(parts, eventId),
  }) satisfies PaymentProvider;

export type PaymentSandbox = ReturnType<typeof createSandbox>;

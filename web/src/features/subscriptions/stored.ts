import type {
  InvoiceView,
  PaymentMethodView,
  SetupIntentView,
  SubscriptionView,
} from '#contract/subscriptions/subscriptions.ts';
import { onSessionChange, readSession } from '../../api/session/stored-session.ts';

/** What of a member's premium is kept on the device, so that it can be shown before the first answer. */
export interface StoredSubscription {
  currentSubscription: SubscriptionView | null;
  paymentMethods: readonly PaymentMethodView[];
  invoices: readonly InvoiceView[];
  setupIntent: SetupIntentView | null;
}

const entry = 'subscription';
const empty: StoredSubscription = { currentSubscription: null, paymentMethods: [], invoices: [], setupIntent: null };

let owner = readSession().user?._id;
if (owner === undefined) localStorage.removeItem(entry);
onSessionChange(({ user }) => {
  owner = user?._id;
});

/** Whether the user of this tab is still the one signed in on the device: another tab may have signed in someone else just now. */
export function isOwnersDevice(): boolean {
  return owner !== undefined && readSession().user?._id === owner;
}

/** What is kept for the signed-in member; nothing without a session, or when the entry cannot be read. */
export function readStored(): StoredSubscription {
  const json = localStorage.getItem(entry);
  if (json === null || !isOwnersDevice()) return empty;
  try {
    const { currentSubscription, paymentMethods, invoices, setupIntent } = JSON.parse(json) as StoredSubscription;
    return { currentSubscription, paymentMethods: [...paymentMethods], invoices: [...invoices], setupIntent };
  } catch {
    return empty;
  }
}

/** Keeps the given parts until the session ends. */
export function keepStored(changes: Partial<StoredSubscription>): void {
  const before = readStored();
  const json = JSON.stringify({ ...before, ...changes });
  if (isOwnersDevice() && json !== JSON.stringify(before)) localStorage.setItem(entry, json);
}

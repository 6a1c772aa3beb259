import type {
  InvoiceView,
  PaymentMethodView,
  SetupIntentView,
  SubscriptionView,
} from '#contract/subscriptions/subscriptions.ts';
import { readSession } from '../../api/session/stored-session.ts';
import { premiumEntry, premiumOwner } from './premium-owner.ts';

/** What of a member's premium is kept on the device, so that it is drawn before the first answer. */
export interface StoredSubscription {
  currentSubscription: SubscriptionView | null;
  paymentMethods: readonly PaymentMethodView[];
  invoices: readonly InvoiceView[];
  setupIntent: SetupIntentView | null;
}

const nothingStored: StoredSubscription = {
  currentSubscription: null,
  paymentMethods: [],
  invoices: [],
  setupIntent: null,
};

/** Notes who asks now; what it answers says whether that is still who is signed in, in this tab and on the device. */
export function noteAsker(): () => boolean {
  const asker = premiumOwner();
  return () => premiumOwner() === asker && readSession().user?._id === asker;
}

/** Another tab may have signed somebody else in a moment ago. */
const isOwnersDevice = () => premiumOwner() !== undefined && noteAsker()();

/** What is kept of the signed-in member; nothing when there is no session or the entry cannot be read. */
export function readStored(): StoredSubscription {
  const json = localStorage.getItem(premiumEntry);
  if (json === null || !isOwnersDevice()) return nothingStored;
  try {
    const { currentSubscription, paymentMethods, invoices, setupIntent } = JSON.parse(json) as StoredSubscription;
    return { currentSubscription, paymentMethods: [...paymentMethods], invoices: [...invoices], setupIntent };
  } catch {
    return nothingStored;
  }
}

/** Keeps the four parts, and no other, for as long as the session lasts. */
export function keepStored({ currentSubscription, paymentMethods, invoices, setupIntent }: StoredSubscription): void {
  if (!isOwnersDevice()) return;
  const kept: StoredSubscription = { currentSubscription, paymentMethods, invoices, setupIntent };
  localStorage.setItem(premiumEntry, JSON.stringify(kept));
}

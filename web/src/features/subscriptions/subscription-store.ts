import { create } from 'zustand';
import type { SubscriptionView } from '#contract/subscriptions/subscriptions.ts';
import { onOwnerChange } from './premium-owner.ts';
import { keepStored, readStored, type StoredSubscription } from './stored-subscription.ts';
import type { SubscriptionError } from './errors.ts';

/** How the last command of a kind went. */
export interface CommandState {
  loading: boolean;
  error: SubscriptionError | null;
  success: boolean;
}

/** How asking for something stands; what is known stays while it is asked for anew, even when that fails. */
export interface ReadState {
  loading: boolean;
  error: SubscriptionError | null;
  isKnown: boolean;
}

export type CommandName = 'create' | 'update' | 'cancel' | 'reactivate' | 'confirm';
export type ReadName = 'current' | 'paymentMethods' | 'invoices' | 'all';

export interface SubscriptionState
  extends StoredSubscription, Record<CommandName, CommandState>, Record<`${ReadName}Read`, ReadState> {
  /** All that there ever were, newest first. */
  userSubscriptions: readonly SubscriptionView[];
  /** How many invoices there are, beyond those that are known. */
  invoiceTotal: number;
}

export const untried: CommandState = { loading: false, error: null, success: false };
const unread: ReadState = { loading: false, error: null, isKnown: false };

function initialState(): SubscriptionState {
  const stored = readStored();
  return {
    ...stored,
    userSubscriptions: [],
    invoiceTotal: stored.invoices.length,
    create: untried,
    update: untried,
    cancel: untried,
    reactivate: untried,
    confirm: untried,
    currentRead: { ...unread, isKnown: stored.currentSubscription !== null },
    paymentMethodsRead: { ...unread, isKnown: stored.paymentMethods.length > 0 },
    invoicesRead: { ...unread, isKnown: stored.invoices.length > 0 },
    allRead: unread,
  };
}

/** The signed-in member's premium, as last told by the server; four parts of it outlive a reload. */
export const useSubscription = create<SubscriptionState>()(initialState);

const isStoredPart = (now: SubscriptionState, before: SubscriptionState) =>
  now.currentSubscription !== before.currentSubscription ||
  now.paymentMethods !== before.paymentMethods ||
  now.invoices !== before.invoices ||
  now.setupIntent !== before.setupIntent;

let isForgetting = false;

useSubscription.subscribe((now, before) => {
  if (!isForgetting && isStoredPart(now, before)) keepStored(now);
});

// Nobody sees what belongs to somebody else.
onOwnerChange(() => {
  isForgetting = true;
  useSubscription.setState(initialState(), true);
  isForgetting = false;
});

import { vi } from 'vitest';

interface Confirmation {
  kind: 'payment' | 'setup';
  key: string;
  /** Whether the fields were given, or a kept card by its id. */
  card: string;
  clientSecret: string | undefined;
  redirect: string;
}

interface Options {
  elements?: { clientSecret: string };
  clientSecret?: string;
  confirmParams?: { payment_method?: string };
  redirect: string;
}

/** Stripe's own script as far as the page talks to it: what was confirmed, and what it says to that. */
export const stripeScript = {
  confirmed: [] as Confirmation[],
  areFieldsFocused: false,
  outcome: {} as object,
};

function cardFields({ clientSecret }: { clientSecret: string }) {
  const fields = {
    mount: (place: HTMLElement) => {
      place.textContent = `Card fields of Stripe for ${clientSecret}`;
    },
    on: () => fields,
    off: () => fields,
    once: () => fields,
    update: () => undefined,
    destroy: () => undefined,
    focus: () => {
      stripeScript.areFieldsFocused = true;
    },
  };
  return fields;
}

function elements(options: { clientSecret: string }) {
  const fields = cardFields(options);
  return { ...options, create: () => fields, getElement: () => fields, update: () => undefined };
}

const confirm = (kind: Confirmation['kind'], key: string) => async (options: Options) => {
  stripeScript.confirmed.push({
    kind,
    key,
    card: options.confirmParams?.payment_method ?? 'fields',
    clientSecret: options.clientSecret ?? options.elements?.clientSecret,
    redirect: options.redirect,
  });
  return stripeScript.outcome;
};

/** Puts the script into the page, as if it had been fetched; every payment succeeds until a test says otherwise. */
export function putStripeScript(): void {
  Object.assign(stripeScript, {
    confirmed: [],
    areFieldsFocused: false,
    outcome: { paymentIntent: { status: 'succeeded' } },
  });
  // That it was there before the page asked for it is news to the loader.
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  vi.stubGlobal('Stripe', (key: string) => ({
    elements,
    createToken: () => undefined,
    createPaymentMethod: () => undefined,
    confirmCardPayment: () => undefined,
    confirmPayment: confirm('payment', key),
    confirmSetup: confirm('setup', key),
  }));
}

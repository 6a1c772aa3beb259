import { countryName } from '#contract/profiles/countries.ts';
import { amountOf, currencyRule } from '#contract/subscriptions/currency.ts';
import { plans, type Money, type Plan } from '#contract/subscriptions/plan.ts';
import {
  ConfigError,
  longEnough,
  oneOf,
  origin,
  read,
  refusedInProduction,
  secretValue,
  wholeNumber,
  type Environment,
} from './values.ts';

/** The seller named on receipts; null for what is unknown. */
export interface Seller {
  name: string | null;
  address: string | null;
  taxId: string | null;
  taxName: string;
  /** The tax included in prices; null if receipts show none. */
  taxPercent: number | null;
}

const priceTexts: Record<Plan, string> = { monthly: '14.99', quarterly: '35.97', annual: '119.88' };
const defaultCurrency = 'USD';
// Amounts are stored as four-byte integers.
const priceMaxMinor = 2_000_000_000;
const keyMinLength = 8;

const stripeVariables = [
  'STRIPE_SECRET_KEY',
  'STRIPE_PUBLISHABLE_KEY',
  'STRIPE_WEBHOOK_SECRET',
  'STRIPE_PRICE_MONTHLY',
  'STRIPE_PRICE_QUARTERLY',
  'STRIPE_PRICE_ANNUAL',
] as const;

/**
 * Stripe if one of its variables is set, otherwise the sandbox, which must be selected explicitly if others can reach
 * the server, and is refused in production. `off` means that premium can't be bought.
 */
export function readPayments(env: Environment, { production, exposed }: { production: boolean; exposed: boolean }) {
  const isNamed = stripeVariables.some((name) => read(env, name) !== undefined);
  const fallback = isNamed ? 'stripe' : exposed ? 'off' : 'sandbox';
  const provider = oneOf(env, 'PAYMENTS_PROVIDER', ['sandbox', 'stripe', 'off'], fallback);
  if (provider === 'sandbox' && production)
    throw refusedInProduction('PAYMENTS_PROVIDER=sandbox', 'members would get premium without paying');
  const terms = {
    prices: readPrices(env),
    seller: readSeller(env, production),
    /** The length of the free trial, once per member; 0 for no trial. */
    trialDays: wholeNumber(env, 'TRIAL_DAYS', { fallback: 0, min: 0, max: 730 }),
    /** The names of the countries whose buyers can withdraw from a purchase; null for all. */
    withdrawalCountries: readWithdrawalCountries(env),
  };
  return provider === 'stripe' ? { provider, ...terms, ...readStripe(env, production) } : { provider, ...terms };
}

export type PaymentsConfig = ReturnType<typeof readPayments>;

function readStripe(env: Environment, production: boolean) {
  const needed = (name: (typeof stripeVariables)[number]): string => {
    const value = secretValue(env, name, keyMinLength);
    if (value === null) throw new ConfigError(`Payments go through Stripe, but ${name} is not set.`);
    return value;
  };
  const apiBase = origin(env, 'STRIPE_API_BASE', ['http:', 'https:']);
  if (apiBase !== null && production)
    throw new ConfigError('STRIPE_API_BASE is for tests, and refused when NODE_ENV is production.');
  return {
    secretKey: needed('STRIPE_SECRET_KEY'),
    publishableKey: needed('STRIPE_PUBLISHABLE_KEY'),
    /** More than one while a secret is being replaced. */
    webhookSecrets: needed('STRIPE_WEBHOOK_SECRET')
      .split(',')
      .map((secret) => secret.trim())
      .filter((secret) => secret !== '')
      .map((secret) => longEnough('STRIPE_WEBHOOK_SECRET', secret, keyMinLength)),
    priceIds: {
      monthly: needed('STRIPE_PRICE_MONTHLY'),
      quarterly: needed('STRIPE_PRICE_QUARTERLY'),
      annual: needed('STRIPE_PRICE_ANNUAL'),
    },
    /** The base URL of the API in tests; null for Stripe itself. */
    apiBase,
  };
}

export type StripeConfig = ReturnType<typeof readStripe>;

function readWithdrawalCountries(env: Environment): string[] | null {
  const value = read(env, 'WITHDRAWAL_COUNTRIES') ?? 'all';
  if (value === 'all' || value === 'none') return value === 'all' ? null : [];
  return value.split(',').map((code) => {
    const country = countryName(code.trim());
    if (country === undefined)
      throw new ConfigError(`WITHDRAWAL_COUNTRIES must be all, none or countries such as "DE,FR", but has "${code}".`);
    return country;
  });
}

/** The prices of the plans. Only the default currency has default prices. */
export function readPrices(env: Environment): Record<Plan, Money> {
  const currency = read(env, 'PREMIUM_CURRENCY') ?? defaultCurrency;
  if (!/^[A-Z]{3}$/.test(currency) || !Intl.supportedValuesOf('currency').includes(currency))
    throw new ConfigError(`PREMIUM_CURRENCY must be a currency's code such as EUR, but is "${currency}".`);
  const missing = plans.map(priceVariable).filter((name) => read(env, name) === undefined);
  if (currency !== defaultCurrency && missing.length > 0) {
    const these = missing.length === 1 ? 'this is' : 'these are';
    throw new ConfigError(`PREMIUM_CURRENCY is ${currency}, so ${these} needed in ${currency}: ${missing.join(', ')}.`);
  }
  return Object.fromEntries(plans.map((plan) => [plan, readPrice(env, plan, currency)])) as Record<Plan, Money>;
}

const priceVariable = (plan: Plan) => `PREMIUM_PRICE_${plan.toUpperCase()}`;

function readPrice(env: Environment, plan: Plan, currency: string): Money {
  const name = priceVariable(plan);
  const value = read(env, name) ?? priceTexts[plan];
  const { chargedDigits } = currencyRule(currency);
  const amountMinor = amountOf(value, currency);
  if (amountMinor === null && /^\d+\.\d+$/.test(value)) {
    const most = chargedDigits === 0 ? 'no decimals' : `at most ${chargedDigits} decimals`;
    throw new ConfigError(`${name} is "${value}", but prices in ${currency} have ${most}.`);
  }
  if (amountMinor === null || amountMinor < 1 || amountMinor > priceMaxMinor) {
    const example = chargedDigits === 0 ? '1500' : priceTexts[plan];
    throw new ConfigError(`${name} must be a price such as ${example}, but is "${value}".`);
  }
  return { amountMinor, currency };
}

const demoSeller = {
  SELLER_NAME: 'Example Demo Ltd',
  SELLER_ADDRESS: '1 Example Street, London EC1A 1AA, United Kingdom',
  SELLER_TAX_ID: 'GB 000 0000 00',
  SELLER_TAX_PERCENT: '20',
};

/** The seller; outside production, made-up values replace unset ones. */
function readSeller(env: Environment, production: boolean): Seller {
  const given = (name: keyof typeof demoSeller) => read(env, name) ?? (production ? null : demoSeller[name]);
  const percent = given('SELLER_TAX_PERCENT');
  if (percent !== null && !/^\d{1,2}(\.\d{1,3})?$/.test(percent))
    throw new ConfigError(`SELLER_TAX_PERCENT must be a percentage such as 20 or 8.1, but is "${percent}".`);
  return {
    name: given('SELLER_NAME'),
    address: given('SELLER_ADDRESS'),
    taxId: given('SELLER_TAX_ID'),
    taxName: read(env, 'SELLER_TAX_NAME') ?? 'VAT',
    taxPercent: percent === null ? null : Number(percent),
  };
}

/** The names of the variables that receipts need but that are not set. */
export function missingOnReceipts({ provider, seller }: PaymentsConfig): string[] {
  const needed = {
    SELLER_NAME: seller.name,
    SELLER_ADDRESS: seller.address,
    SELLER_TAX_ID: seller.taxId,
    SELLER_TAX_PERCENT: seller.taxPercent,
  };
  return provider === 'off' ? [] : Object.entries(needed).flatMap(([name, value]) => (value === null ? [name] : []));
}

/** The default prices of the plans. */
export const defaultPrices = readPrices({});

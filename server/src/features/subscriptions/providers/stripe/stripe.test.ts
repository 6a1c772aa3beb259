import { describe, expect, it } from 'vitest';
import { describePaymentProvider } from '../../../../../test/payments/payment-provider-suite.ts';
import { startStripeBench } from '../../../../../test/payments/stripe-bench.ts';
import { production } from '../../../../../test/production.ts';
import { stripeEnvironment } from '../../../../../test/doubles/stripe-double.ts';
import { readConfig } from '../../../../platform/config/config.ts';

describePaymentProvider('Stripe', startStripeBench, { canBeDown: true });

describe('the Stripe configuration', () => {
  const { PAYMENTS_PROVIDER: _, STRIPE_API_BASE: base, ...whole } = stripeEnvironment('http://127.0.0.1:9');

  it('makes Stripe the provider when it is complete, with every webhook secret', () => {
    const environment = { ...whole, STRIPE_WEBHOOK_SECRET: 'whsec_new, whsec_old' };
    expect(readConfig(environment).payments).toMatchObject({
      provider: 'stripe',
      apiBase: null,
      webhookSecrets: ['whsec_new', 'whsec_old'],
    });
  });

  it.each(Object.keys(whole))('stops the start when %s is missing, and names it', (name) => {
    expect(() => readConfig({ ...whole, [name]: '' })).toThrow(name);
  });

  it('accepts another Stripe address only in tests', () => {
    const environment = { ...whole, STRIPE_API_BASE: base };
    expect(readConfig(environment).payments).toMatchObject({ apiBase: base });
    expect(() => readConfig({ ...production, ...environment })).toThrow('STRIPE_API_BASE');
  });
});
